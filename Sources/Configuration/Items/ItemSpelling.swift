internal import Advertising
internal import BeaconFrames
internal import Bytes
package import Identity
internal import WireProtocol

/// Identities and ids as people write them on a command line or in a table.
package enum ItemSpelling {
    /// `UUID,MAJOR,MINOR`.
    package static let uuidForm = "UUID,MAJOR,MINOR, such as 48534442-4c45-4144-80c0-1800ffffffff,100,1"
    /// `NAMESPACE,INSTANCE`.
    package static let eddystoneForm = "NAMESPACE,INSTANCE, 20 and 12 hexadecimal digits"
    /// A device address.
    package static let addressForm = "a device address such as aa:bb:cc:dd:ee:ff"
    /// An interval.
    package static let intervalForm = "a duration from 10ms to 1h, such as 5s"

    package static func iBeacon(_ text: String) -> BeaconID? {
        uuidParts(text).map { .iBeacon(uuid: $0.uuid, major: $0.major, minor: $0.minor) }
    }

    package static func altBeacon(_ text: String) -> BeaconID? {
        uuidParts(text).map { .altBeacon(uuid: $0.uuid, major: $0.major, minor: $0.minor) }
    }

    package static func eddystone(_ text: String) -> BeaconID? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(trimmedText)
        guard parts.count == 2, let namespace = EddystoneUID.Namespace(parts[0]), let bytes = Hex.bytes(parts[1]),
            bytes.count == 6
        else { return nil }
        return .eddystone(namespace, bytes.reduce(0) { $0 << 8 | UInt64($1) })
    }

    package static func address(_ text: String) -> BeaconID? {
        DeviceAddress(trimmedText(text[...])).map { .address($0.bits) }
    }

    /// A duration, if an item's interval may have it.
    package static func interval(_ text: String) -> Duration? {
        DurationText.duration(text).flatMap { Item.intervals.contains($0) ? $0 : nil }
    }

    /// A whole number from 0 to 65535.
    package static func number16(_ text: String) -> UInt16? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? UInt16(text) : nil
    }

    /// An id made of a name: small letters and digits, `-` between them, nothing for an apostrophe; nil if nothing is
    /// left.
    package static func slug(_ name: String) -> String? {
        var slug = ""
        for byte in name.lowercased().filter({ $0 != "'" && $0 != "\u{2019}" }).utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                slug.unicodeScalars.append(Unicode.Scalar(byte))
            default: if !slug.isEmpty, !slug.hasSuffix("-") { slug += "-" }
            }
        }
        while slug.hasSuffix("-") { slug.removeLast() }
        slug = String(slug.prefix(48))
        return Identifier.isValid(slug) ? slug : nil
    }

    /// All identities of an item in readable form, with the kind of its key.
    package static func identities(of item: Item) -> String {
        var words = item.identities.map(\.text)
        if let key = item.key { words.append("\(key.rawValue) key") }
        return words.joined(separator: " ")
    }

    private static func uuidParts(_ text: String) -> (uuid: BeaconUUID, major: UInt16, minor: UInt16)? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(trimmedText)
        guard parts.count == 3, let uuid = BeaconUUID(parts[0]), let major = number16(parts[1]),
            let minor = number16(parts[2])
        else { return nil }
        return (uuid, major, minor)
    }

    private static func trimmedText(_ text: Substring) -> String {
        var text = text
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
