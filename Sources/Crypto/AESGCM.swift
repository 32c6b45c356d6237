internal import CCrypto

/// AES-256 in Galois/Counter Mode (NIST SP 800-38D) with a tag of 16 bytes, by libcrypto's `EVP_aes_256_gcm`.
public enum AESGCM {
    /// The bytes of a key, of a nonce, and of a tag.
    public static let keySize = 32, nonceSize = 12, tagSize = 16

    /// Encrypts the bytes and returns them with the tag behind them. A nonce must be used once with a key.
    ///
    /// - Parameter header: bytes that the tag covers too, and that are not encrypted.
    public static func seal(_ plaintext: [UInt8], nonce: [UInt8], header: [UInt8], key: [UInt8]) -> [UInt8] {
        precondition(key.count == keySize && nonce.count == nonceSize, "a key has 32 bytes, and a nonce 12")
        let context = unsafe EVP_CIPHER_CTX_new()
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        var sealed = [UInt8](repeating: 0, count: plaintext.count + tagSize)
        var tag = [UInt8](repeating: 0, count: tagSize)
        var count: Int32 = 0
        let isDone =
            unsafe EVP_EncryptInit_ex(context, EVP_aes_256_gcm(), nil, key, nonce) == 1
            && EVP_EncryptUpdate(context, nil, &count, header, Int32(header.count)) == 1
            && EVP_EncryptUpdate(context, &sealed, &count, plaintext, Int32(plaintext.count)) == 1
            && EVP_EncryptFinal_ex(context, nil, &count) == 1
            && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tagSize), &tag) == 1
        precondition(isDone, "libcrypto lacks AES-256-GCM")
        sealed.replaceSubrange(plaintext.count..., with: tag)
        return sealed
    }

    /// Decrypts what `seal` returned; nil if key, nonce, header or a byte differs.
    public static func open(_ sealed: [UInt8], nonce: [UInt8], header: [UInt8], key: [UInt8]) -> [UInt8]? {
        guard sealed.count >= tagSize, key.count == keySize, nonce.count == nonceSize else { return nil }
        let context = unsafe EVP_CIPHER_CTX_new()
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        let ciphertext = Array(sealed.dropLast(tagSize))
        var tag = Array(sealed.suffix(tagSize))
        // One byte more, so that an empty text has a place too.
        var plaintext = [UInt8](repeating: 0, count: ciphertext.count + 1)
        var count: Int32 = 0
        let isWhole =
            unsafe EVP_DecryptInit_ex(context, EVP_aes_256_gcm(), nil, key, nonce) == 1
            && EVP_DecryptUpdate(context, nil, &count, header, Int32(header.count)) == 1
            && EVP_DecryptUpdate(context, &plaintext, &count, ciphertext, Int32(ciphertext.count)) == 1
            && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tagSize), &tag) == 1
            && EVP_DecryptFinal_ex(context, nil, &count) == 1
        return isWhole ? Array(plaintext.dropLast()) : nil
    }
}
