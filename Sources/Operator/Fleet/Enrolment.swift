internal import Bytes
internal import Certificates
internal import Configuration
internal import System

/// Makes the folders that are carried to the members' machines.
struct Enrolment {
    /// The credential of a member.
    enum Proof: Hashable {
        /// A certificate of the fleet's authority.
        case certificate
        /// A certificate that is requested from another authority.
        case request
        /// A password.
        case password
    }

    let folder: FleetFolder
    /// The URL of the broker.
    let url: BrokerURL?
    let proof: Proof
    /// Days for which certificates are valid.
    let days: Int
    /// Protects the authority's key.
    let passphrase: [UInt8]?
    let now: Timestamp

    /// Enrolls them all, and reports each folder when it is complete. Signatures and hashes are stored before; `progress` receives
    /// the number of members whose keys are made.
    func enroll(
        _ members: [Member], brokerHosts: [String], _ progress: (Int) -> Void,
        tell: (_ name: String, _ folder: String) -> Void
    ) throws {
        try PrivateFiles.makeFolder(folder.path)
        var authority: FleetAuthority?
        if PrivateFiles.exists(folder.certificate) {
            authority = try FleetAuthority.open(folder, passphrase: passphrase)
        } else if proof == .certificate || !brokerHosts.isEmpty {
            authority = try FleetAuthority.make(folder, passphrase: passphrase, at: now)
        }
        var drafts: [(name: String, files: [PlacedFile])] = []
        if !brokerHosts.isEmpty,
            let credentials = try authority?.issue(
                brokerHosts[0], .server(hosts: brokerHosts), days: days, at: now)
        {
            drafts.append(("broker", brokerFiles(credentials, authority?.certificate ?? [])))
        }
        var lines = proof == .password ? try folder.passwordLines() : []
        for (index, member) in members.enumerated() {
            progress(index)
            var files = [
                PlacedFile(member.configurationName, configurationText(of: member, authority != nil), isKept: true)
            ]
            if let authority { files.append(PlacedFile("ca.pem", authority.certificate, isPublic: true)) }
            switch proof {
            case .certificate:
                guard let made = try authority?.issue(member.name, .client, days: days, at: now) else { continue }
                files.append(PlacedFile("\(member.name).pem", made.certificate, isPublic: true))
                files.append(PlacedFile("\(member.name).key", made.key))
            case .request:
                let key = try PrivateKey.make()
                let request = try CertificateRequest.make(name: member.name, key: key)
                files.append(PlacedFile("\(member.name).csr", try request.pem(), isPublic: true))
                files.append(PlacedFile("\(member.name).key", try key.pem()))
            case .password:
                let password = Hex.text(Self.randomBytes(16).span)
                lines.removeAll { FleetFolder.isLine($0, of: member.name) }
                lines.append(MosquittoPassword(password, salt: Self.randomBytes(12)).line(of: member.name))
                files.append(PlacedFile("\(member.name).password", Array((password + "\n").utf8)))
            }
            drafts.append((member.name, files))
        }
        if proof == .password { try folder.writePasswords(lines) }
        // The broker also receives the list of revoked certificates when that is saved.
        if !brokerHosts.isEmpty { try PrivateFiles.makeFolder(folder.broker) }
        try authority?.save(at: now)
        for draft in drafts {
            let place = folder.folder(of: draft.name)
            try PrivateFiles.makeFolder(place)
            for file in draft.files { try file.write(in: place) }
            tell(draft.name, place)
        }
    }

    private static func randomBytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: SystemRandom.number()) }
    }

    private static let carried = "# Carry this folder to /etc/whereabouts on its machine."

    /// The configuration of a gateway's or a fuser's program, or of a person's commands.
    private func configurationText(of member: Member, _ hasAuthority: Bool) -> [UInt8] {
        guard let url else { return [] }
        var lines: [String] = []
        switch member {
        case .node(let id, let room):
            lines += [Self.carried, "node: \(id)"] + (room.map { ["room: \($0)"] } ?? []) + ["source: hci:auto"]
        case .fuser(let id): lines += [Self.carried, "name: \(id)"]
        case .user: lines.append("# For commands: --config with this file, or WHEREABOUTS_CONFIG.")
        }
        lines += ["mqtt:", "  url: \(url)"]
        if url.isSecure, hasAuthority || proof == .request { lines.append("  ca_file: ca.pem") }
        switch proof {
        case .certificate, .request:
            lines += ["  certificate_file: \(member.name).pem", "  key_file: \(member.name).key"]
        case .password: lines += ["  username: \(member.name)", "  password_file: \(member.name).password"]
        }
        if let program = member.program { lines.append("state: /var/lib/whereabouts/\(program).sqlite") }
        return Array((lines.joined(separator: "\n") + "\n").utf8)
    }

    /// The broker's certificate and key, and the lines that its mosquitto needs.
    private func brokerFiles(_ credentials: FleetAuthority.Credentials, _ authority: [UInt8]) -> [PlacedFile] {
        let lines = [
            "# Into /etc/mosquitto/conf.d, and this folder to /etc/mosquitto/whereabouts, readable by mosquitto.",
            "listener \(url.map { "\($0.address.port)" } ?? "8883")", "cafile /etc/mosquitto/whereabouts/ca.pem",
            "certfile /etc/mosquitto/whereabouts/broker.pem", "keyfile /etc/mosquitto/whereabouts/broker.key",
            "allow_anonymous false", "acl_file /etc/mosquitto/whereabouts/acl",
            // By default mosquitto drops what waits beyond 1,000 messages: a fuser that connects misses entries. With 0 it ends
            // the connection of who writes what it may not (mosquitto's issue 3244).
            "max_queued_messages 1000000",
        ]
        let proofs =
            proof == .password
            ? ["password_file /etc/mosquitto/whereabouts/passwords"]
            : [
                "crlfile /etc/mosquitto/whereabouts/crl.pem", "require_certificate true",
                "use_identity_as_username true",
            ]
        return [
            PlacedFile("ca.pem", authority, isPublic: true),
            PlacedFile("broker.pem", credentials.certificate, isPublic: true),
            PlacedFile("broker.key", credentials.key),
            PlacedFile(
                "whereabouts.conf", Array(((lines + proofs).joined(separator: "\n") + "\n").utf8), isPublic: true),
        ]
    }
}

/// A file of a folder that is carried somewhere.
private struct PlacedFile {
    var name: String
    var bytes: [UInt8]
    var isPublic: Bool
    /// True if an existing file is retained.
    var isKept: Bool

    init(_ name: String, _ bytes: [UInt8], isPublic: Bool = false, isKept: Bool = false) {
        self.name = name
        self.bytes = bytes
        self.isPublic = isPublic
        self.isKept = isKept
    }

    func write(in folder: String) throws(SystemError) {
        let path = "\(folder)/\(name)"
        guard !bytes.isEmpty, !(isKept && PrivateFiles.exists(path)) else { return }
        try PrivateFiles.write(bytes, to: path, isPublic: isPublic)
    }
}

extension Member {
    fileprivate var program: String? {
        switch self {
        case .node: "agent"
        case .fuser: "fuser"
        case .user: nil
        }
    }

    fileprivate var configurationName: String { "\(program ?? "whereabouts").yaml" }
}
