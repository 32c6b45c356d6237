import Advertising
import BeaconFrames
import Identity

/// Beacons for the tests of this target.
enum Beacons {
    static let uuid = BeaconUUID("48534442-4C45-4144-80C0-1800FFFFFFF0")!
    static let namespace = EddystoneUID.Namespace("00112233445566778899")!
    static let keys = BeaconID.iBeacon(uuid: uuid, major: 100, minor: 1)
    static let bag = BeaconID.altBeacon(uuid: uuid, major: 7, minor: 65_535)
    static let cat = BeaconID.eddystone(namespace, 0x0123_4567_89AB)
    static let address = DeviceAddress(0xC0FF_EE00_0001, .random)
}
