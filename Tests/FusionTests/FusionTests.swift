// FusionTests
