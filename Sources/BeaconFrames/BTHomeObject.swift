internal import Bytes

/// One reading, flag or event of a BTHome frame.
public struct BTHomeObject: Hashable, Sendable {
    /// A value as it was sent.
    public enum Value: Hashable, Sendable {
        /// A number, to be multiplied by its kind's factor; 0 and 1 of a flag.
        case number(Int64)
        /// An action of a button, by the names of the format; a number for an action that it doesn't name.
        case button(String)
        /// The number of steps of a dimmer; negative to the left.
        case dimmer(Int)
        /// A version, its most significant part first.
        case version([UInt8])
        /// A text.
        case text(String)
        /// Bytes without a meaning of their own.
        case raw([UInt8])
    }

    /// The kind of object.
    public var kind: BTHomeKind
    /// The value of the object.
    public var value: Value

    /// A number in its unit, a flag as 0 or 1; nil for other values.
    public var number: Double? {
        guard case .number(let raw) = value else { return nil }
        return Double(raw) * Double(kind.multiplier) / kind.divisor
    }

    /// Reads the object at `offset` and advances `offset`; nil, and `offset` unchanged, for one that can't be read.
    init?(_ bytes: Span<UInt8>, at offset: inout Int) {
        guard let id = bytes.byte(at: offset), let kind = BTHomeKind(id) else { return nil }
        self.kind = kind
        var (start, size) = (offset + 1, kind.size)
        if kind.form == .text || kind.form == .raw {
            guard let length = bytes.byte(at: start) else { return nil }
            start += 1
            size = Int(length)
        }
        guard bytes.count - start >= size else { return nil }
        let part = [UInt8](copying: bytes.extracting(start..<start + size))
        var raw: UInt64 = 0
        if size <= 8 { for byte in part.reversed() { raw = raw << 8 | UInt64(byte) } }
        switch kind.form {
        case .unsigned, .flag: value = .number(Int64(truncatingIfNeeded: raw))
        case .signed:
            let spare = UInt64(64 - 8 * size)
            value = .number(Int64(bitPattern: raw << spare) >> Int64(spare))
        case .button: value = .button(Self.buttons[part[0]] ?? String(part[0]))
        case .dimmer:
            // The format defines nothing from the third byte on; an unknown direction is no turn.
            let steps = Int(part[1])
            value = .dimmer(part[0] == 1 ? -steps : part[0] == 2 ? steps : 0)
        case .version: value = .version(part.reversed())
        case .text: value = .text(String(decoding: part, as: UTF8.self))
        case .raw: value = .raw(part)
        }
        offset = start + size
    }

    /// Writes it as a field of this name.
    func write(_ name: String, to json: inout JSONWriter) {
        switch value {
        case .number(let raw) where kind.form == .flag: json.field(name, raw != 0)
        case .number(let raw) where kind.decimals == 0: json.field(name, raw)
        case .number: json.field(name, number, decimals: kind.decimals)
        case .button(let event): json.field(name, event)
        case .dimmer(let steps): json.field(name, steps)
        case .version(let parts): json.field(name, parts.map(String.init).joined(separator: "."))
        case .text(let text): json.field(name, text)
        case .raw(let bytes): json.field(name, hex: bytes.span)
        }
    }

    private static let buttons: [UInt8: String] = [
        0x00: "none", 0x01: "press", 0x02: "double_press", 0x03: "triple_press", 0x04: "long_press",
        0x05: "long_double_press", 0x06: "long_triple_press", 0x80: "hold_press",
    ]
}

extension BTHome {
    /// The objects of a plain frame.
    public struct Contents: Hashable, Sendable {
        /// The objects in their order.
        public var objects: [BTHomeObject] = []
        /// The id of the object at which reading ended: of an unknown kind and therefore unknown size, or cut.
        public var unread: UInt8?

        init() {}

        /// Reads objects until the end, or until one can't be read.
        public init(_ bytes: Span<UInt8>) {
            var offset = 0
            while let id = bytes.byte(at: offset) {
                guard let object = BTHomeObject(bytes, at: &offset) else {
                    unread = id
                    return
                }
                objects.append(object)
            }
        }
    }
}
