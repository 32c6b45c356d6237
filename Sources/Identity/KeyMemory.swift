internal import Bytes

/// The state of an item's key to remember over a restart. It reveals nothing of the key.
public enum KeyMemory: Hashable, Sendable {
    /// The seconds by which the clock of an Eddystone-EID beacon or a Find Hub tag is ahead of its origin.
    case drift(Int64, origin: Int64)
    /// The last opened counter of a BTHome device, and a check that distinguishes its key from most others.
    case counter(UInt32, check: UInt16)

    /// The state as a line of text, for a store.
    public var text: String {
        switch self {
        case .drift(let seconds, let origin): "eid \(origin) \(seconds)"
        case .counter(let counter, let check): "bthome \(Hex.text(check, digits: 4)) \(counter)"
        }
    }

    /// Reads ``text``; nil for anything else.
    public init?(_ text: String) {
        let words = text.split(separator: " ")
        guard words.count == 3 else { return nil }
        switch words[0] {
        case "eid":
            guard let origin = Int64(words[1]), let seconds = Int64(words[2]) else { return nil }
            self = .drift(seconds, origin: origin)
        case "bthome":
            guard words[1].utf8.count == 4, let check = UInt16(words[1], radix: 16), let counter = UInt32(words[2])
            else { return nil }
            self = .counter(counter, check: check)
        default: return nil
        }
    }
}
