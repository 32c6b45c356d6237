// DaemonTests
