// BeaconFrames
