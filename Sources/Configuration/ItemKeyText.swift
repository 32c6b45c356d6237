internal import Bytes
internal import Crypto
public import Identity
public import System

/// A key in the spelling of platforms and people, in one line of a file.
///
/// - 32 hexadecimal digits, the most significant byte first, as the specification, ESPresense and Home Assistant write
///   them; in either case, with `:`, `-` or `,` between bytes, and with `irk:` or `0x` before them.
/// - `reversed:` and such digits: the least significant byte first, as the Security Manager sends an identity resolving
///   key (Core Vol 3 Part H 3.6.5), and Wireshark and BlueZ's `info` show it.
/// - 64 such digits for a Find Hub tag, or 44 characters of base64 that end in `=`, in the order of the specification.
/// - 24 characters of base64 that end in `==`, for an identity resolving key: as Apple's keychain shows it, the least
///   significant byte first.
///
/// After the key of an Eddystone-EID beacon come, unless its item has them, its rotation exponent and the Unix second
/// at which its counter was 0; after that of a Find Hub tag the second alone.
public enum ItemKeyText {
    /// The reason why a line has no key, in a text that follows "the file 'x'" and doesn't repeat the line.
    public struct Fault: Error, Hashable, Sendable {
        /// The text.
        public var words: String
    }

    /// The key of a line, for an item of this kind.
    ///
    /// - Parameter clock: the item's own clock settings for an Eddystone-EID beacon; those of the line are ignored
    ///   then.
    public static func key(
        _ line: Secret, _ kind: Item.KeyKind, clock: EphemeralClock? = nil
    ) throws(Fault) -> (key: ItemKey, bytes: [UInt8]) {
        let words = line.text.split(separator: " ", omittingEmptySubsequences: true)
        guard let first = words.first, let bytes = decodeKey(first, kind) else {
            throw Fault(words: "holds no key: expected \(describeForm(kind))")
        }
        if kind == .fmdn { return (.fmdn(try tag(bytes, clock, words.dropFirst())), bytes) }
        guard let key = AES128(bytes.span) else { throw Fault(words: "holds no key: expected \(describeForm(kind))") }
        switch kind {
        case .irk, .bthome, .fmdn:
            guard words.count == 1 else { throw Fault(words: "holds more than a key") }
            return (kind == .irk ? .irk(key) : .bthome(BTHomeKey(key)), bytes)
        case .eid:
            guard let clock = clock ?? self.clock(words.dropFirst()),
                let beacon = EphemeralResolver.Beacon(key, clock)
            else {
                throw Fault(
                    words: "must have behind the key its rotation exponent (0 to 15) and the Unix second at which its "
                        + "counter was 0")
            }
            return (.eid(beacon), bytes)
        }
    }

    /// True if a text is a key itself, or the content of a key file, in place of the file's name.
    static func isKey(_ text: String) -> Bool {
        if decodeKey(text[...], .irk) != nil || decodeKey(text[...], .fmdn) != nil { return true }
        return !text.contains { $0 == "/" || $0 == "." } && KeyText.hidden(in: text) != text
    }

    private static func clock(_ words: ArraySlice<Substring>) -> EphemeralClock? {
        guard words.count == 2, let exponent = UInt8(words[words.startIndex]),
            EphemeralKey.exponents.contains(exponent),
            let origin = Int64(words[words.startIndex + 1]), EphemeralClock.origins.contains(origin)
        else { return nil }
        return EphemeralClock(exponent: exponent, origin: origin)
    }

    private static func tag(
        _ bytes: [UInt8], _ clock: EphemeralClock?, _ words: ArraySlice<Substring>
    ) throws(Fault) -> FMDNResolver.Beacon {
        guard let key = AES256(bytes.span) else { throw Fault(words: "holds no key: expected \(describeForm(.fmdn))") }
        guard let clock = clock ?? self.clock(tag: words) else {
            throw Fault(
                words: words.isEmpty
                    ? "must have behind the key the Unix second at which its counter was 0, when it was set up"
                    : "has behind the key what is no Unix second: expected whole seconds since 1970, such as 1753862400"
            )
        }
        return FMDNResolver.Beacon(
            key: FMDNKey(key), origin: Timestamp(microseconds: clock.origin * 1_000_000))
    }

    private static func clock(tag words: ArraySlice<Substring>) -> EphemeralClock? {
        guard words.count == 1, let origin = words.first.flatMap({ Int64($0) }), EphemeralClock.origins.contains(origin)
        else { return nil }
        return EphemeralClock(exponent: FMDNKey.exponent, origin: origin)
    }

    private static func describeForm(_ kind: Item.KeyKind) -> String {
        switch kind {
        case .irk: "32 hexadecimal digits, or the 24 characters of base64 of a keychain"
        case .eid, .bthome: "32 hexadecimal digits"
        case .fmdn: "64 hexadecimal digits, or 44 characters of base64"
        }
    }

    private static func keySize(_ kind: Item.KeyKind) -> Int { kind == .fmdn ? AES256.keySize : AES128.keySize }

    private static func decodeKey(_ word: Substring, _ kind: Item.KeyKind) -> [UInt8]? {
        var digits = word
        var isReversed = false
        for prefix in ["irk:", "reversed:", "0x", "0X"] where digits.hasPrefix(prefix) {
            digits = digits.dropFirst(prefix.utf8.count)
            isReversed = isReversed || prefix == "reversed:"
        }
        if let bytes = Hex.bytes(digits, ignoring: separators), bytes.count == keySize(kind) {
            return isReversed ? bytes.reversed() : bytes
        }
        guard kind == .irk || kind == .fmdn, !isReversed, let bytes = decodeBase64(digits, keySize(kind)) else {
            return nil
        }
        return kind == .irk ? bytes.reversed() : bytes
    }

    /// The 16 bytes of 22 characters and `==`, or the 32 bytes of 43 and `=` (RFC 4648).
    private static func decodeBase64(_ text: Substring, _ size: Int) -> [UInt8]? {
        let padding = size == AES128.keySize ? "==" : "="
        guard text.utf8.count == (size + 2) / 3 * 4, text.hasSuffix(padding) else { return nil }
        var bytes: [UInt8] = []
        var (pending, bits) = (UInt32(0), 0)
        for character in text.utf8.dropLast(padding.utf8.count) {
            let value: UInt8
            switch character {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = character - UInt8(ascii: "A")
            case UInt8(ascii: "a")...UInt8(ascii: "z"): value = character - UInt8(ascii: "a") + 26
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = character - UInt8(ascii: "0") + 52
            case UInt8(ascii: "+"): value = 62
            case UInt8(ascii: "/"): value = 63
            default: return nil
            }
            pending = pending << 6 | UInt32(value)
            bits += 6
            guard bits >= 8 else { continue }
            bits -= 8
            bytes.append(UInt8(truncatingIfNeeded: pending >> UInt32(bits)))
        }
        return bytes
    }

    private static let separators: Set<UInt8> = [UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: ",")]
}
