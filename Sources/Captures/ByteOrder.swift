internal import Bytes

/// The byte order of a file's numbers.
enum ByteOrder {
    case bigEndian, littleEndian

    /// The unsigned integer at `offset`. The caller has checked that it is present; past the end it reads as 0.
    func read<Integer: FixedWidthInteger & UnsignedInteger>(
        _ type: Integer.Type, _ bytes: Span<UInt8>, at offset: Int
    ) -> Integer {
        switch self {
        case .bigEndian: bytes.bigEndian(type, at: offset) ?? 0
        case .littleEndian: bytes.littleEndian(type, at: offset) ?? 0
        }
    }
}
