/// The content of a PEM file (RFC 7468), with its name for messages.
public struct PEMText: Hashable, Sendable {
    /// The name in messages: the file's path, as in the configuration.
    public var name: String
    /// The unchanged bytes.
    public var bytes: [UInt8]

    /// A text with its name.
    public init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    /// The labels of its blocks in order, such as `CERTIFICATE` and `PRIVATE KEY`; at most 16.
    public var labels: [String] {
        let lines = bytes.split(maxSplits: 100_000, whereSeparator: { $0 == 0x0A || $0 == 0x0D })
        let begin = Array("-----BEGIN ".utf8)
        let end = Array("-----".utf8)
        return Array(
            lines.lazy.filter {
                $0.starts(with: begin) && $0.count > begin.count + end.count && $0.suffix(5).elementsEqual(end)
            }
            .map { String(decoding: $0.dropFirst(begin.count).dropLast(end.count).prefix(64), as: UTF8.self) }
            .prefix(16))
    }

    /// True if it looks like the same content in binary form (DER), which begins with a long ASN.1 sequence.
    public var isBinary: Bool { bytes.count > 3 && bytes[0] == 0x30 && bytes[1] & 0x80 != 0 && labels.isEmpty }
}
