public import Bytes
internal import CSSL

/// A fleet's own authority: it signs the certificates of the broker and the programs, and lists the revoked ones.
///
/// Keys are on the curve P-256, signatures with SHA-256. Its functions block for less than a millisecond each.
public struct CertificateAuthority: Sendable {
    /// The purpose of a certificate.
    public enum Purpose: Hashable, Sendable {
        /// A program that connects; the common name is its user.
        case client
        /// A broker, by its host names and addresses.
        case server(hosts: [String])
    }

    /// A revoked certificate.
    public struct Revocation: Hashable, Sendable {
        /// Its serial number, the highest byte first.
        public var serial: [UInt8]
        /// The time of the revocation.
        public var at: Timestamp

        /// A certificate by its serial number.
        public init(serial: [UInt8], at: Timestamp) {
            self.serial = serial
            self.at = at
        }
    }

    /// The certificate, needed by every program that trusts the authority.
    public let certificate: Certificate
    /// The key, to be kept secret.
    public let key: PrivateKey

    /// An authority from its certificate and key, which must match.
    public init(certificate: Certificate, key: PrivateKey) throws(AuthorityFault) {
        guard key.fits(certificate), unsafe X509_check_ca(certificate.pointer) == 1 else { throw .notAnAuthority }
        self.certificate = certificate
        self.key = key
    }

    /// A new authority with a new key.
    public static func make(
        name: String, from: Timestamp, until: Timestamp
    ) throws(AuthorityFault) -> CertificateAuthority {
        let key = try PrivateKey.make()
        let draft = try CertificateDraft(serial: try randomSerial(), from: from, until: until)
        try draft.setAuthority(name: name, key: key)
        try draft.add(NID_basic_constraints, "critical,CA:TRUE,pathlen:0")
        try draft.add(NID_key_usage, "critical,keyCertSign,cRLSign")
        try draft.add(NID_subject_key_identifier, "hash")
        return try CertificateAuthority(certificate: try draft.sign(key), key: key)
    }

    /// A certificate for a request, with the request's name.
    public func issue(
        _ request: CertificateRequest, _ purpose: Purpose, serial: [UInt8], from: Timestamp, until: Timestamp
    ) throws(AuthorityFault) -> Certificate {
        let draft = try CertificateDraft(serial: serial, from: from, until: until)
        try draft.setRequest(request, issuer: certificate)
        try draft.add(NID_basic_constraints, "critical,CA:FALSE")
        try draft.add(NID_key_usage, "critical,digitalSignature")
        try draft.add(NID_subject_key_identifier, "hash")
        try draft.add(NID_authority_key_identifier, "keyid:always", issuer: certificate)
        switch purpose {
        case .client: try draft.add(NID_ext_key_usage, "clientAuth")
        case .server(let hosts):
            // Brokers of a cluster connect to each other.
            try draft.add(NID_ext_key_usage, "serverAuth,clientAuth")
            try draft.add(NID_subject_alt_name, try hosts.map(Self.alternativeName).joined(separator: ","))
        }
        return try draft.sign(key)
    }

    /// The list of revoked certificates; each list has a higher `number` than the one before it.
    public func list(
        _ revoked: [Revocation], number: Int, from: Timestamp, until: Timestamp
    ) throws(AuthorityFault) -> RevocationList {
        let list = unsafe RevocationList(owning: try AuthorityFault.unwrap("X509_CRL_new", X509_CRL_new()))
        let pointer = unsafe list.pointer
        try AuthorityFault.check("X509_CRL_set_version", unsafe X509_CRL_set_version(pointer, 1) == 1)
        try AuthorityFault.check(
            "X509_CRL_set_issuer_name",
            unsafe X509_CRL_set_issuer_name(pointer, X509_get_subject_name(certificate.pointer)) == 1)
        let times = unsafe (ASN1_TIME_set(nil, from.unixSeconds), ASN1_TIME_set(nil, until.unixSeconds))
        defer {
            unsafe ASN1_STRING_free(times.0)
            unsafe ASN1_STRING_free(times.1)
        }
        try AuthorityFault.check(
            "X509_CRL_set1_nextUpdate",
            unsafe X509_CRL_set1_lastUpdate(pointer, times.0) == 1 && X509_CRL_set1_nextUpdate(pointer, times.1) == 1)
        for one in revoked {
            try AuthorityFault.check(
                "X509_CRL_add0_revoked",
                unsafe wb_add_revoked(pointer, one.serial, Int32(one.serial.count), Int64(one.at.unixSeconds)) == 1)
        }
        try AuthorityFault.check("X509_CRL_add1_ext_i2d", unsafe wb_set_list_number(pointer, number) == 1)
        try AuthorityFault.check("X509_CRL_sort", unsafe X509_CRL_sort(pointer) == 1)
        try AuthorityFault.check("X509_CRL_sign", unsafe X509_CRL_sign(pointer, key.pointer, EVP_sha256()) > 0)
        return list
    }

    /// A unique serial number (RFC 5280 section 4.1.2.2): sixteen random bytes, positive.
    public static func randomSerial() throws(AuthorityFault) -> [UInt8] {
        var serial = [UInt8](repeating: 0, count: 16)
        try AuthorityFault.check("RAND_bytes", unsafe RAND_bytes(&serial, Int32(serial.count)) == 1)
        serial[0] = serial[0] & 0x3F | 0x40
        return serial
    }

    /// `DNS:` with a host name or `IP:` with an address. Nothing else may reach OpenSSL's parser of extensions.
    private static func alternativeName(_ host: String) throws(AuthorityFault) -> String {
        let isAddress = unsafe a2i_IPADDRESS(host).map { unsafe ASN1_OCTET_STRING_free($0) } != nil
        let isName =
            (1...253).contains(host.utf8.count)
            && host.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x2D || byte == 0x2E
                    || byte == 0x2A
            }
        guard isAddress || isName else { throw .malformedName(host) }
        return isAddress ? "IP:\(host)" : "DNS:\(host)"
    }
}

extension PrivateKey {
    /// A new key.
    public static func make() throws(AuthorityFault) -> PrivateKey {
        unsafe PrivateKey(owning: try AuthorityFault.unwrap("EVP_EC_gen", wb_new_key()))
    }
}

extension Timestamp {
    /// Whole seconds since 1970.
    var unixSeconds: Int { Int(floor(toMultipleOf: 1_000_000).microseconds / 1_000_000) }
}
