internal import Bytes

/// A web address in Eddystone's compressed form: a scheme and up to 17 bytes, each a printable ASCII character or an
/// expansion. It holds no references.
public struct EncodedURL: Hashable, Sendable, BitwiseCopyable {
    /// The maximum number of bytes after the scheme.
    public static let maximumLength = 17
    /// The expansions of the scheme bytes 0...3.
    public static let schemes: [String] = ["http://www.", "https://www.", "http://", "https://"]
    /// The expansions of the bytes 0...13.
    public static let expansions: [String] = [
        ".com/", ".org/", ".edu/", ".net/", ".info/", ".biz/", ".gov/",
        ".com", ".org", ".edu", ".net", ".info", ".biz", ".gov",
    ]

    /// The scheme, 0...3.
    public let scheme: UInt8
    /// The number of bytes after the scheme, 0...17.
    public private(set) var count: Int8 = 0
    private var first: UInt64 = 0
    private var second: UInt64 = 0
    private var last: UInt8 = 0

    private init(scheme: UInt8) {
        self.scheme = scheme
    }

    /// Reads a scheme byte at `offset` and the compressed bytes from there to the end; nil if a byte has no meaning or
    /// they are more than 17.
    public init?(_ bytes: Span<UInt8>, from offset: Int) {
        guard let scheme = bytes.byte(at: offset), scheme <= 3, bytes.count - offset - 1 <= Self.maximumLength else {
            return nil
        }
        self.init(scheme: scheme)
        for index in offset + 1..<bytes.count {
            let byte = bytes[index]
            guard byte < 14 || Self.isPrintable(byte) else { return nil }
            append(byte)
        }
    }

    /// Compresses an address to its shortest form.
    public init(_ url: some StringProtocol) throws(BeaconFrameFault) {
        let text = Array(url.utf8)
        guard let scheme = Self.longest(Self.schemes, in: text, at: 0) else {
            throw BeaconFrameFault(.unknownScheme, at: 0)
        }
        var fault: BeaconFrameFault
        do throws(BeaconFrameFault) {
            let whole = try Self(text, scheme: scheme)
            // The scheme without `www.` leaves that dot to an expansion, as in http://www.info/.
            guard scheme < 2, let other = try? Self(text, scheme: scheme + 2), other.count < whole.count else {
                self = whole
                return
            }
            self = other
            return
        } catch {
            fault = error
        }
        guard scheme < 2, let other = try? Self(text, scheme: scheme + 2) else { throw fault }
        self = other
    }

    private init(_ text: [UInt8], scheme: Int) throws(BeaconFrameFault) {
        self.init(scheme: UInt8(scheme))
        var offset = Self.schemes[scheme].utf8.count
        while offset < text.count {
            guard Self.isPrintable(text[offset]) else { throw BeaconFrameFault(.notPrintable, at: offset) }
            guard count < Self.maximumLength else { throw BeaconFrameFault(.tooLong, at: offset) }
            // Expansions begin with their only dot, so none overlaps another and the longest is always the best.
            if let expansion = Self.longest(Self.expansions, in: text, at: offset) {
                append(UInt8(expansion))
                offset += Self.expansions[expansion].utf8.count
            } else {
                append(text[offset])
                offset += 1
            }
        }
    }

    /// The byte at an index after the scheme, 0..<count.
    public subscript(place: Int) -> UInt8 {
        switch place {
        case 0..<8: UInt8(truncatingIfNeeded: first >> UInt64(8 * place))
        case 8..<16: UInt8(truncatingIfNeeded: second >> UInt64(8 * (place - 8)))
        default: last
        }
    }

    /// The web address.
    public var text: String {
        var ascii: [UInt8] = []
        ascii.reserveCapacity(48)
        Self.append(Self.schemes[Int(scheme)], to: &ascii)
        for place in 0..<Int(count) {
            let byte = self[place]
            if byte < 14 { Self.append(Self.expansions[Int(byte)], to: &ascii) } else { ascii.append(byte) }
        }
        return String(decoding: ascii, as: UTF8.self)
    }

    func append(to bytes: inout [UInt8]) {
        bytes.append(scheme)
        for place in 0..<Int(count) { bytes.append(self[place]) }
    }

    private mutating func append(_ byte: UInt8) {
        switch count {
        case 0..<8: first |= UInt64(byte) << UInt64(8 * count)
        case 8..<16: second |= UInt64(byte) << UInt64(8 * (count - 8))
        default: last = byte
        }
        count += 1
    }

    private static func isPrintable(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7F }

    private static func append(_ text: String, to ascii: inout [UInt8]) {
        ascii.append(contentsOf: text.utf8)
    }

    /// The index of the longest of `words` that `text` has at `offset`.
    private static func longest(_ words: [String], in text: [UInt8], at offset: Int) -> Int? {
        var found: Int?
        var length = 0
        for index in words.indices where words[index].utf8.count > length {
            let word = words[index].utf8
            guard text.count - offset >= word.count, text[offset..<offset + word.count].elementsEqual(word) else {
                continue
            }
            found = index
            length = word.count
        }
        return found
    }
}
