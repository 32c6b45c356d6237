internal import Bytes

/// An Android bug report, or another text that contains the compressed log of its Bluetooth stack ("btsnooz"; AOSP
/// `btif_debug_btsnoop.cc` and `btsnooz.py`).
///
/// The log is in base64 between two marked lines: a version (1 byte), the time of the last packet (8 bytes,
/// little-endian, microseconds since 1970), then a zlib stream of records. Only the time of the last packet is
/// absolute, so a log is read whole; the packets of one that is cut or damaged have no times. The text may have any
/// size.
struct BugReport {
    static let begin = Array("--- BEGIN:BTSNOOP_LOG_SUMMARY".utf8)
    static let end = UInt8(ascii: "-")
    /// The most bytes of a decompressed log. Android's has 256 KiB.
    static let maximumLogSize = 64 << 20
    /// The number of bytes that are examined to distinguish text from other files.
    static let probe = 512
    private static let headerSize = 9

    private var log = SnoozLog()
    private var fault: CaptureError?
    private var isRead = false

    /// True if the beginning of a file may be text: it has no byte that text can't have.
    static func isText(_ bytes: Span<UInt8>) -> Bool {
        for index in 0..<min(bytes.count, probe) where bytes[index] == 0 || bytes[index] == 0xFF { return false }
        return true
    }

    /// The next packet of the log with its bytes; nil at the end.
    mutating func next(_ source: inout ByteSource) throws(CaptureError) -> FoundPacket? {
        if !isRead {
            isRead = true
            try findLog(&source)
            do throws(CaptureError) {
                try readLog(&source)
            } catch {
                fault = error
            }
        }
        if let found = log.next() { return found }
        if let fault { throw fault }
        return nil
    }

    /// Skips the text before the log, and the line that announces it.
    private func findLog(_ source: inout ByteSource) throws(CaptureError) {
        while true {
            let size = try source.available(ByteSource.readSize)
            guard size >= Self.begin.count else { throw CaptureError(.unknownFormat, at: 0) }
            let (place, isFound) = Self.findLog(in: source.bytes)
            _ = source.consumeBytes(isFound ? place + Self.begin.count : place)
            if isFound { break }
        }
        while try source.available(1) > 0, source.bytes[0] != 0x0A { _ = source.consumeBytes(1) }
    }

    /// The place of the mark that begins a log, or else of the first bytes that may be a part of it.
    private static func findLog(in text: Span<UInt8>) -> (Int, isFound: Bool) {
        var place = 0
        while place + begin.count <= text.count {
            if text[place] == end, text.hasBytes(begin, at: place) { return (place, true) }
            place += 1
        }
        return (place, false)
    }

    /// Reads the log up to the line that ends it, and decompresses it.
    private mutating func readLog(_ source: inout ByteSource) throws(CaptureError) {
        var decoder = Base64Decoder()
        let inflater = Inflater(bound: Self.maximumLogSize)
        var header: [UInt8] = []
        var isEnded = false
        // The records decompressed before a fault are still returned.
        defer { log.loadLog(inflater.output, header, isWhole: inflater.outcome == .finished) }
        while !isEnded, try source.available(ByteSource.readSize) > 0 {
            var taken = 0
            while taken < source.bytes.count, !isEnded {
                let character = source.bytes[taken]
                isEnded = character == Self.end
                guard isEnded || decoder.decodeCharacter(character) else {
                    throw CaptureError(.unknownCharacter(character), at: source.offset + Int64(taken))
                }
                taken += 1
            }
            _ = source.consumeBytes(taken)
            var compressed = decoder.takeBytes()
            let rest = Self.headerSize - header.count
            header += compressed.prefix(rest)
            compressed.removeFirst(min(rest, compressed.count))
            if header.count == Self.headerSize, header[0] != 1, header[0] != 2 {
                throw CaptureError(.unsupportedVersion(UInt32(header[0])), at: source.offset)
            }
            inflater.feed(&compressed)
            switch inflater.outcome {
            case .unfinished, .finished: break
            case .damaged: throw CaptureError(.damagedLog, at: source.offset)
            case .tooLong: throw CaptureError(.logTooLong, at: source.offset)
            }
        }
        guard inflater.outcome == .finished else {
            throw CaptureError(.logCutShort, at: source.offset)
        }
    }
}
