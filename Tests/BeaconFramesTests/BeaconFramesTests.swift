// BeaconFramesTests
