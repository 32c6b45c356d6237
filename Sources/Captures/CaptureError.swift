/// Why a capture can't be read on or written, and where.
public struct CaptureError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A piece of a capture file, as its specification names it.
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

    /// What was wrong.
    public enum Reason: Hashable, Sendable {
        /// The file can't be opened or created; the value of `errno`.
        case cannotOpen(Int32)
        /// Reading failed; the value of `errno`.
        case cannotRead(Int32)
        /// Writing failed; the value of `errno`.
        case cannotWrite(Int32)
        /// The file ends inside a part, of which so many bytes are missing.
        case cutShort(Part, missing: Int)
        /// The file doesn't begin like btsnoop, pcap or pcapng.
        case unknownFormat
        /// The format is known, this version of it is not.
        case unsupportedVersion(UInt32)
        /// The packets are not Bluetooth HCI packets in a form that is known; the format's own link-layer number.
        case unsupportedLinkType(UInt32)
        /// A length that the part can't have, or over the bound.
        case lengthOutOfRange(Part, UInt32)
        /// A time of capture that is no moment within 100,000 years of 1970, or a fraction of a second over 1.
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

    /// What was wrong.
    public var reason: Reason
    /// The byte of the file, counted from 0, at which it was noticed; for a file cut short its length.
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
        case .unknownFormat: "not a capture at byte \(offset): expected btsnoop, pcap or pcapng"
        case .unsupportedVersion(let version): "version \(version) of the format at byte \(offset) is not supported"
        case .unsupportedLinkType(let type):
            "link-layer type \(type) at byte \(offset): expected Bluetooth HCI (H4) or Linux monitor packets"
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
