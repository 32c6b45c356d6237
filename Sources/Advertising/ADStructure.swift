internal import Bytes

/// Advertising data: a sequence of AD structures, each a length, a type and a payload (Core Vol 3 Part C 11).
public enum ADStructure {
    /// Passes the type and payload of each whole structure to the closure in order, and the structure's end.
    ///
    /// A length of 0 ends the significant part early; the bytes after it are ignored. A length of 1 is a type with an
    /// empty payload. Allocates nothing.
    ///
    /// - Throws: ``AdvertisingFault/Reason/structurePastEnd`` with the offset of the length byte, after all whole
    ///   structures were passed.
    @inlinable
    public static func forEach(
        in data: Span<UInt8>, _ body: (_ type: UInt8, _ payload: Span<UInt8>) -> Void
    ) throws(AdvertisingFault) {
        var offset = 0
        while offset < data.count {
            let length = Int(data[offset])
            if length == 0 { return }
            let end = offset + 1 + length
            guard end <= data.count else { throw AdvertisingFault(.structurePastEnd, at: offset) }
            body(data[offset + 1], data.extracting(offset + 2..<end))
            offset = end
        }
    }

    /// Appends a structure. A payload is cut at 254 bytes, the most that the length byte can express.
    public static func append(type: UInt8, _ payload: Span<UInt8>, to data: inout [UInt8]) {
        let count = min(payload.count, 254)
        data.append(UInt8(count + 1))
        data.append(type)
        data.append(contentsOf: payload.extracting(0..<count))
    }
}
