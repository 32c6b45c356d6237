internal import CSSL

/// A private key, as read by OpenSSL. Its bytes are wiped at its release.
@safe public final class PrivateKey: @unchecked Sendable {
    // OpenSSL counts its references with atomic operations, and nothing here changes it.
    let pointer: OpaquePointer

    /// Takes ownership of one reference.
    init(owning pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe EVP_PKEY_free(pointer)
    }

    /// True if `certificate` is for this key.
    public func fits(_ certificate: Certificate) -> Bool {
        unsafe X509_check_private_key(certificate.pointer, pointer) == 1
    }

    /// The first private key of a PEM text, which a passphrase may protect.
    public static func read(_ text: PEMText, passphrase: [UInt8]? = nil) throws(CertificateFault) -> PrivateKey {
        let answer = Answer(passphrase)
        var key: PrivateKey?
        do throws(CertificateFault) {
            try PEMReader.each(text, .privateKey) { source in
                let context = unsafe Unmanaged.passUnretained(answer).toOpaque()
                guard let pointer = unsafe PEM_read_bio_PrivateKey(source.pointer, nil, answerPassphrase, context)
                else {
                    return .failed
                }
                key = unsafe PrivateKey(owning: pointer)
                return .enough
            }
        } catch {
            if answer.wasAsked {
                throw passphrase == nil ? .passphraseMissing(file: text.name) : .passphraseWrong(file: text.name)
            }
            throw error
        }
        guard let key else { throw .broken(.privateKey, file: text.name, number: 1) }
        return key
    }

    /// The answer to OpenSSL's request for the passphrase, so that it never asks at a terminal.
    fileprivate final class Answer {
        let passphrase: [UInt8]?
        var wasAsked = false

        init(_ passphrase: [UInt8]?) {
            self.passphrase = passphrase
        }
    }
}

/// `pem_password_cb`: the length of the passphrase written to `buffer`, or -1.
private func answerPassphrase(
    _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int32, _ isWriting: Int32, _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let context = unsafe context, let buffer = unsafe buffer else { return -1 }
    let answer = unsafe Unmanaged<PrivateKey.Answer>.fromOpaque(context).takeUnretainedValue()
    answer.wasAsked = true
    guard let passphrase = answer.passphrase, passphrase.count <= Int(size) else { return -1 }
    for (index, byte) in passphrase.enumerated() { unsafe buffer[index] = CChar(bitPattern: byte) }
    return Int32(passphrase.count)
}
