// SightingsTests
