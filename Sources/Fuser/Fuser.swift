// Fuser
