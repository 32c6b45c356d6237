internal import CSSL

/// Runs one of OpenSSL's writers on memory (PEM_write_bio(3)).
enum PEMWriter {
    /// OpenSSL's `BIO` in memory, for the duration of a call.
    @safe struct Sink {
        let pointer: OpaquePointer
    }

    /// The text that `write` wrote; nil on failure.
    static func text(_ write: (Sink) -> Bool) -> [UInt8]? {
        guard let memory = unsafe BIO_new(BIO_s_secmem()) else { return nil }
        defer { unsafe BIO_free(memory) }
        guard unsafe write(Sink(pointer: memory)) else { return nil }
        var start: UnsafePointer<UInt8>?
        let count = unsafe wb_memory(memory, &start)
        guard let start = unsafe start, count > 0 else { return nil }
        return unsafe Array(UnsafeBufferPointer(start: start, count: count))
    }
}

extension Certificate {
    /// The text form (PEM). Throws only without memory.
    public func pem() throws(AuthorityFault) -> [UInt8] {
        try AuthorityFault.unwrap(
            "PEM_write_bio_X509", PEMWriter.text { unsafe PEM_write_bio_X509($0.pointer, pointer) == 1 })
    }
}

extension RevocationList {
    /// The text form (PEM). Throws only without memory.
    public func pem() throws(AuthorityFault) -> [UInt8] {
        try AuthorityFault.unwrap(
            "PEM_write_bio_X509_CRL", PEMWriter.text { unsafe PEM_write_bio_X509_CRL($0.pointer, pointer) == 1 })
    }
}

extension PrivateKey {
    /// The text form (PEM, PKCS #8), encrypted with AES-256 if there is a passphrase.
    public func pem(passphrase: [UInt8]? = nil) throws(AuthorityFault) -> [UInt8] {
        let text = PEMWriter.text { sink in
            guard let passphrase else {
                return unsafe PEM_write_bio_PKCS8PrivateKey(sink.pointer, pointer, nil, nil, 0, nil, nil) == 1
            }
            return unsafe passphrase.withUnsafeBytes { bytes in
                unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                    unsafe PEM_write_bio_PKCS8PrivateKey(
                        sink.pointer, pointer, EVP_aes_256_cbc(), characters.baseAddress, Int32(characters.count), nil,
                        nil) == 1
                }
            }
        }
        return try AuthorityFault.unwrap("PEM_write_bio_PKCS8PrivateKey", text)
    }
}
