// Fusion
