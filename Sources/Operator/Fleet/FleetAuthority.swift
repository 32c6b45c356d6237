internal import Bytes
internal import Certificates
internal import BrokerSession
internal import System

/// A fleet's own authority, with the certificates it has signed.
struct FleetAuthority {
    /// The credentials of a member.
    struct Credentials {
        var certificate: [UInt8]
        var key: [UInt8]
    }

    /// Days for which the authority itself is valid, and its lists.
    static let days = 20 * 365

    private let folder: FleetFolder
    private let authority: CertificateAuthority
    private(set) var book: IssuedBook

    /// The authority's certificate (PEM).
    let certificate: [UInt8]

    /// The authority of a folder. Throws if there is none, or if it cannot be used.
    static func open(_ folder: FleetFolder, passphrase: [UInt8]?) throws -> FleetAuthority {
        guard PrivateFiles.exists(folder.certificate) else {
            throw ProgramFault("there is no authority in \(folder.authority); 'whereabouts enroll' makes one")
        }
        let text = PEMText(name: folder.certificate, bytes: try folder.read(folder.certificate))
        let key = try PrivateKey.read(
            PEMText(name: folder.key, bytes: try folder.read(folder.key)), passphrase: passphrase)
        guard let certificate = try Certificate.read(text).first else {
            throw ProgramFault("\(folder.certificate) holds no certificate")
        }
        let rows = String(decoding: try folder.read(folder.book), as: UTF8.self)
        let book: IssuedBook
        do throws(IssuedBook.Fault) {
            book = try IssuedBook(rows)
        } catch {
            throw ProgramFault("line \(error.line) of \(folder.book) is broken; put a copy of the file back")
        }
        return FleetAuthority(
            folder: folder, authority: try CertificateAuthority(certificate: certificate, key: key), book: book,
            certificate: text.bytes)
    }

    /// A new authority in a folder that has none.
    static func make(_ folder: FleetFolder, passphrase: [UInt8]?, at now: Timestamp) throws -> FleetAuthority {
        let made = try CertificateAuthority.make(
            name: "Whereabouts fleet \(SystemRandom.epoch())", from: now.backdated, until: now.after(days: days))
        try PrivateFiles.makeFolder(folder.authority)
        let fleet = FleetAuthority(
            folder: folder, authority: made, book: IssuedBook(), certificate: try made.certificate.pem())
        // The certificate is written last: with it the authority exists.
        try PrivateFiles.write(try made.key.pem(passphrase: passphrase), to: folder.key)
        try fleet.save(at: now)
        try PrivateFiles.write(fleet.certificate, to: folder.certificate, isPublic: true)
        return fleet
    }

    /// A key and a certificate for it; `save` stores the record of the signature.
    mutating func issue(
        _ name: String, _ purpose: CertificateAuthority.Purpose, days: Int, at now: Timestamp
    ) throws -> Credentials {
        let key = try PrivateKey.make()
        let serial = try CertificateAuthority.randomSerial()
        let until = min(now.after(days: days), authority.certificate.ends ?? .init(microseconds: .max))
        let certificate = try authority.issue(
            try CertificateRequest.make(name: name, key: key), purpose, serial: serial, from: now.backdated,
            until: until)
        book.add(.init(serial: Hex.text(serial.span), name: name, issued: now, ends: until, revoked: nil))
        return Credentials(certificate: try certificate.pem(), key: try key.pem())
    }

    /// Revokes a member's certificates, or all but the latest; returns their number.
    mutating func revoke(_ name: String, keepingLatest: Bool, at now: Timestamp) -> Int {
        book.revoke(name, keepingLatest: keepingLatest, at: now).count
    }

    /// Stores the book, and the list of revoked certificates, also with the broker's files.
    func save(at now: Timestamp) throws {
        try PrivateFiles.write(Array(book.text.utf8), to: folder.book)
        let revoked = book.entries.compactMap { entry in
            entry.revoked.map { CertificateAuthority.Revocation(serial: Hex.bytes(entry.serial) ?? [], at: $0) }
        }
        let list = try authority.list(
            revoked, number: Int(now.microseconds / 1000), from: now.backdated,
            until: authority.certificate.ends ?? now.after(days: Self.days)
        ).pem()
        try PrivateFiles.write(list, to: folder.list, isPublic: true)
        if PrivateFiles.exists(folder.broker) {
            try PrivateFiles.write(list, to: folder.brokerList, isPublic: true)
        }
    }
}

extension Timestamp {
    /// An hour earlier: machines without a battery for their clock may be that late.
    fileprivate var backdated: Timestamp { advanced(by: .hours(-1)) }

    fileprivate func after(days: Int) -> Timestamp { advanced(by: .days(days)) }
}
