// Advertising
