// Operator
