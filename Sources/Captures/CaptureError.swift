import Bytes

/// The reason why reading or writing a capture failed, and its position.
public struct CaptureError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A piece of a capture file, by the name in its specification.
    public enum Part: String, Sendable {
        case magic = "the magic of a capture file"
        case fileHeader = "the file header"
        case recordHeader = "a packet record's header"
        case packet = "a packet"
        case blockHeader = "a block's header"
        case block = "a block"
        case blockTrailer = "a block's second length"
        case option = "an option"
    }

    /// A kind of compressed file that may hold a capture.
    public enum Archive: String, Sendable {
        /// A ZIP archive, such as a bug report as Android sends it.
        case zip
        /// A file compressed by gzip.
        case gzip
    }

    /// The reason of a failure.
    public enum Reason: Hashable, Sendable {
        /// The file can't be opened or created; the value of `errno`.
        case cannotOpen(Int32)
        /// Reading failed; the value of `errno`.
        case cannotRead(Int32)
        /// Writing failed; the value of `errno`.
        case cannotWrite(Int32)
        /// The file ends inside a part; `missing` bytes of it are absent.
        case cutShort(Part, missing: Int)
        /// The file doesn't begin like a capture, and is no text that contains one.
        case unknownFormat
        /// A stream ended without the beginning of a capture.
        case noHeader
        /// The file is compressed.
        case archive(Archive)
        /// The log in a bug report ends before its last line, or before its compressed data does.
        case logCutShort
        /// The log in a bug report doesn't decompress.
        case damagedLog
        /// The log in a bug report is longer than the bound allows.
        case logTooLong
        /// A character that base64 doesn't have, in the log of a bug report.
        case unknownCharacter(UInt8)
        /// The format is known, but not this version of it.
        case unsupportedVersion(UInt32)
        /// The packets are not Bluetooth packets of a known form; with the format's own link-layer number.
        case unsupportedLinkType(UInt32)
        /// A length that the part can't have, or that exceeds the bound.
        case lengthOutOfRange(Part, UInt32)
        /// A capture time more than 100,000 years from 1970, or a fraction of a second over 1.
        case timeOutOfRange
        /// A pcapng section that starts without a byte-order magic.
        case unknownByteOrder
        /// A pcapng packet of an interface that its section doesn't describe.
        case unknownInterface(UInt32)
        /// More interfaces in a pcapng section than the bound allows.
        case tooManyInterfaces
        /// Packets of kind `other` can't be written.
        case unwritableKind
    }

    /// The reason.
    public var reason: Reason
    /// The byte of the file, counted from 0, at which the fault was found; for a truncated file its length.
    public var offset: Int64

    /// A fault at a byte of the file.
    public init(_ reason: Reason, at offset: Int64) {
        self.reason = reason
        self.offset = offset
    }

    /// Such as `cut short at byte 117: 3 more bytes of a packet expected`.
    public var description: String {
        switch reason {
        case .cannotOpen(let code): "cannot open: \(SystemCalls.text(of: code))"
        case .cannotRead(let code): "cannot read at byte \(offset): \(SystemCalls.text(of: code))"
        case .cannotWrite(let code): "cannot write at byte \(offset): \(SystemCalls.text(of: code))"
        case .cutShort(let part, let missing):
            "cut short at byte \(offset): \(missing) more byte\(missing == 1 ? "" : "s") of \(part.rawValue) expected"
        case .unknownFormat:
            "not a capture at byte \(offset): expected btsnoop, pcap, pcapng, PacketLogger, or an Android bug report with its "
                + "BTSNOOP_LOG_SUMMARY"
        case .noHeader:
            "ended at byte \(offset) without a file header of btsnoop, pcap or pcapng; PacketLogger files and bug reports are "
                + "read by their path"
        case .archive(.zip): "a ZIP archive: unpack it (unzip) and give the capture or the bug report's text file in it"
        case .archive(.gzip): "compressed with gzip: unpack it first (gunzip), or pipe it in: zcat FILE"
        case .logCutShort:
            "the BTSNOOP_LOG_SUMMARY is cut short at byte \(offset): its packets have no times; take the bug report again"
        case .damagedLog: "the BTSNOOP_LOG_SUMMARY at byte \(offset) is damaged: its packets have no times"
        case .logTooLong: "the BTSNOOP_LOG_SUMMARY at byte \(offset) has over \(BugReport.maximumLogSize >> 20) MiB"
        case .unknownCharacter(let character):
            "character 0x\(Hex.text(character, digits: 2)) at byte \(offset) in the BTSNOOP_LOG_SUMMARY is not base64"
        case .unsupportedVersion(let version): "version \(version) of the format at byte \(offset) is not supported"
        case .unsupportedLinkType(let type): LinkTypeName.refusal(of: type, at: offset)
        case .lengthOutOfRange(let part, let length):
            "length \(length) at byte \(offset): \(part.rawValue) can't be that long"
        case .timeOutOfRange: "time out of range at byte \(offset)"
        case .unknownByteOrder: "no byte-order magic at byte \(offset)"
        case .unknownInterface(let index): "packet at byte \(offset) of interface \(index), which is not described"
        case .tooManyInterfaces: "more than \(PcapngFormat.maximumInterfaces) interfaces at byte \(offset)"
        case .unwritableKind: "only HCI packets can be written"
        }
    }
}
