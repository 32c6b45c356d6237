// Daemon
