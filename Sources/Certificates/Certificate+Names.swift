internal import CSSL
internal import Glibc

extension Certificate {
    /// The most names read from one certificate.
    static let nameBound = 100

    /// The hosts that it is for: host names and addresses from the extension for them, or else the subject's common
    /// name (RFC 6125 section 6.4); at most 100. In a certificate of another party they may contain anything.
    public var hosts: [String] {
        var hosts: [String] = []
        var bytes = [UInt8](repeating: 0, count: 256)
        for index in 0..<Self.nameBound {
            var length: Int32 = 0
            let kind = unsafe wb_alternative_name(pointer, Int32(index), &bytes, Int32(bytes.count), &length)
            guard kind >= 0 else { break }
            let value = bytes.prefix(Int(length))
            switch (kind, value.count) {
            case (1, 1...): hosts.append(Self.printable(value))
            case (2, 4): hosts.append(value.map { "\($0)" }.joined(separator: "."))
            case (2, 16): hosts.append(Self.addressText6(Array(value)))
            default: continue
            }
        }
        return hosts.isEmpty ? commonName.map { [$0] } ?? [] : hosts
    }

    private var commonName: String? {
        guard let name = unsafe X509_get_subject_name(pointer) else { return nil }
        var text = [CChar](repeating: 0, count: 128)
        let length = unsafe X509_NAME_get_text_by_NID(name, NID_commonName, &text, Int32(text.count))
        return length > 0 ? Self.printable(text.prefix(Int(length)).map { UInt8(bitPattern: $0) }) : nil
    }

    private static func printable(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: bytes.map { (0x21...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }

    private static func addressText6(_ bytes: [UInt8]) -> String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        unsafe inet_ntop(AF_INET6, bytes, &text, socklen_t(text.count))
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
