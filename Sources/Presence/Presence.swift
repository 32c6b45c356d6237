// Presence
