/// HMAC with SHA-256 (RFC 2104): a code of a message that only those who have the key can make or check.
public enum HMAC {
    private static let block = 64

    /// The 32 bytes of the code of `message` under `key`.
    public static func sha256(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        let short = key.count > block ? SHA256.digest(key.span) : key
        let padded = short + [UInt8](repeating: 0, count: block - short.count)
        let inner = SHA256.digest((padded.map { $0 ^ 0x36 } + message).span)
        return SHA256.digest((padded.map { $0 ^ 0x5C } + inner).span)
    }
}

/// Comparison whose time tells nothing of the content.
public enum ConstantTime {
    /// True if two byte strings are equal. Only their lengths may be found by its time.
    public static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for index in left.indices { difference |= left[index] ^ right[index] }
        return difference == 0
    }
}
