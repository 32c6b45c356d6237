internal import Bytes
internal import Crypto

/// The one file of a backup.
///
///     whereabouts backup 1⏎
///     {"version":"0.1.0", … "parts":[{"kind":"state", … "bytes":N,"sha256":"…"}, …]}⏎
///     the bytes of the parts, one behind the other
///     the SHA-256 of all before, as 64 hexadecimal digits⏎
///
/// It is read whole and checked before any of it is used. No byte can be missing or be another without a difference in
/// the last line.
struct BackupFile: Hashable {
    /// The most bytes of a file: it is held in memory.
    static let bound = 1 << 30
    /// The first bytes of every file.
    static let opening = "whereabouts backup "
    private static let endSize = 65

    /// The list of its parts.
    var manifest: BackupManifest
    /// The bytes of each part of the manifest.
    private(set) var contents: [[UInt8]] = []

    /// A backup without parts.
    init(_ manifest: BackupManifest) {
        self.manifest = manifest
    }

    /// Adds a part, whose size and digest are filled in.
    mutating func add(_ part: BackupManifest.Part, _ bytes: [UInt8]) {
        var part = part
        part.bytes = bytes.count
        part.digest = SHA256.hex(bytes.span, digits: 64)
        manifest.parts.append(part)
        contents.append(bytes)
    }

    /// The parts of a kind with their bytes.
    func parts(_ kind: BackupManifest.Kind) -> [(part: BackupManifest.Part, bytes: [UInt8])] {
        zip(manifest.parts, contents).filter { $0.0.kind == kind }.map { ($0.0, $0.1) }
    }

    /// The bytes of the file.
    var bytes: [UInt8] {
        var bytes = Array("\(Self.opening)\(BackupManifest.format)\n".utf8)
        bytes.reserveCapacity(bytes.count + contents.reduce(4096) { $0 + $1.count })
        bytes += manifest.json + [0x0A]
        for content in contents { bytes += content }
        bytes += Array(SHA256.hex(bytes.span, digits: 64).utf8) + [0x0A]
        return bytes
    }

    /// Reads a file; throws unless all of it is as it was written.
    init(bytes: [UInt8]) throws(BackupFault) {
        guard bytes.starts(with: Self.opening.utf8) else {
            // The beginning of one is none of another kind.
            throw !bytes.isEmpty && Array(Self.opening.utf8).starts(with: bytes) ? .damaged : .foreign
        }
        guard let head = bytes.prefix(64).firstIndex(of: 0x0A) else { throw .damaged }
        let number = String(decoding: bytes[Self.opening.utf8.count..<head], as: UTF8.self)
        guard let format = Int(number), String(format) == number, format > 0 else { throw .damaged }
        guard format == BackupManifest.format else { throw .newer(format) }
        let end = bytes.count - Self.endSize
        guard end > head,
            Array("\(SHA256.hex(bytes.span.extracting(0..<end), digits: 64))\n".utf8) == Array(bytes[end...]),
            let line = bytes[(head + 1)..<end].firstIndex(of: 0x0A)
        else { throw .damaged }
        manifest = try BackupManifest(json: Array(bytes[(head + 1)..<line]))
        var offset = line + 1
        for part in manifest.parts {
            guard part.bytes <= end - offset else { throw .damaged }
            let content = Array(bytes[offset..<offset + part.bytes])
            guard SHA256.hex(content.span, digits: 64) == part.digest else { throw .damaged }
            contents.append(content)
            offset += part.bytes
        }
        guard offset == end else { throw .damaged }
    }
}
