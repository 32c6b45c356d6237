internal import CCrypto

/// The elliptic curves over prime fields (SEC 2 version 1.0 section 2.4.2, version 2.0 section 2.4.2) from which
/// ephemeral identifiers are made, by libcrypto's `EC_POINT_mul`.
public enum PrimeCurve: Sendable {
    /// secp160r1. Its group order has 161 bits, its field 160.
    case secp160r1
    /// secp256r1, also named P-256.
    case secp256r1

    /// A number modulo the group order, and the generator's multiple by it.
    public struct Multiple: Hashable, Sendable {
        /// The number modulo the group order, big endian, in as many bytes as a coordinate has. Of the 161 bits of
        /// secp160r1 the highest is dropped.
        public var scalar: [UInt8]
        /// The x coordinate of the point, big endian.
        public var x: [UInt8]
    }

    /// The bytes of a coordinate.
    public var size: Int {
        switch self {
        case .secp160r1: 20
        case .secp256r1: 32
        }
    }

    /// Reduces a big-endian number of at most 64 bytes modulo the group order. Needs no point multiplication.
    public func scalar(_ number: Span<UInt8>) -> [UInt8] {
        unsafe Self.withNumbers { numbers in unsafe bytes(of: reduce(number, numbers)) }
    }

    /// Multiplies the generator by a big-endian number of at most 64 bytes.
    ///
    /// Nil for a multiple of the group order, which has no coordinates. Costs 15 µs (secp256r1) to 160 µs (secp160r1)
    /// of a desktop processor, and several times that on a small gateway.
    public func multiple(_ number: Span<UInt8>) -> Multiple? {
        unsafe Self.withNumbers { numbers in
            let scalar = unsafe reduce(number, numbers)
            guard let group = unsafe group, let point = unsafe EC_POINT_new(group) else { return nil }
            defer { unsafe EC_POINT_free(point) }
            let x = unsafe BN_CTX_get(numbers)
            guard unsafe EC_POINT_mul(group, point, scalar, nil, nil, numbers) == 1,
                unsafe EC_POINT_get_affine_coordinates(group, point, x, nil, numbers) == 1
            else { return nil }
            return unsafe Multiple(scalar: bytes(of: scalar), x: bytes(of: x))
        }
    }

    /// The curve's group; nil if this libcrypto was built without it.
    private var group: OpaquePointer? {
        switch self {
        case .secp160r1: unsafe Self.group160
        case .secp256r1: unsafe Self.group256
        }
    }

    // Created once and never changed: libcrypto only reads them.
    nonisolated(unsafe) private static let group160 = unsafe EC_GROUP_new_by_curve_name(NID_secp160r1)
    nonisolated(unsafe) private static let group256 = unsafe EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1)

    /// A Boolean value that is true if libcrypto has both curves. Some distributions leave small ones out.
    public static var isComplete: Bool { unsafe group160 != nil && group256 != nil }

    private static func withNumbers<Result>(_ body: (OpaquePointer?) -> Result) -> Result {
        let numbers = unsafe BN_CTX_new()
        unsafe BN_CTX_start(numbers)
        defer {
            unsafe BN_CTX_end(numbers)
            unsafe BN_CTX_free(numbers)
        }
        return unsafe body(numbers)
    }

    private func reduce(_ number: Span<UInt8>, _ numbers: OpaquePointer?) -> OpaquePointer? {
        let scalar = unsafe BN_CTX_get(numbers)
        guard let group = unsafe group, number.count <= 64 else { return unsafe scalar }
        unsafe number.withUnsafeBytes { bytes in
            _ = unsafe BN_bin2bn(bytes.baseAddress, Int32(bytes.count), scalar)
        }
        unsafe BN_nnmod(scalar, scalar, EC_GROUP_get0_order(group), numbers)
        return unsafe scalar
    }

    /// The lowest ``size`` bytes of a number of at most one byte more, big endian.
    private func bytes(of number: OpaquePointer?) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: size + 1)
        unsafe BN_bn2binpad(number, &bytes, Int32(bytes.count))
        return Array(bytes.dropFirst())
    }
}
