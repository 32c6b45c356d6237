internal import Glibc

extension NetworkAddress {
    /// A numeric address in the form in which the system writes it; nil for any other text (inet_pton(3)).
    static func numeric(_ text: String) -> String? {
        for (family, size) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: size)
            guard unsafe inet_pton(family, text, &bytes) == 1 else { continue }
            var written = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
            guard unsafe inet_ntop(family, bytes, &written, socklen_t(written.count)) != nil else { return nil }
            return String(decoding: written.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        return nil
    }
}
