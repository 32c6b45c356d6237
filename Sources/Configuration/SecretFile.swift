internal import Glibc
public import System

/// A file with a password or a key, which is read each time that it is needed, so that a renewed one counts.
public struct SecretFile: Hashable, Sendable {
    /// What a path begins with that names a credential of systemd (`LoadCredential=`, systemd.exec(5)).
    static let credentialPrefix = "credential:"
    /// Bytes of a secret at most.
    public static let bound = 65_536

    /// Where it is.
    public let path: String
    /// Whether only its user may read it: keys must be so, and passwords should.
    let isStrict: Bool

    /// A secret at a path. Where it is strict, a file that others may read is refused.
    public init(path: String, isStrict: Bool = true) {
        self.path = path
        self.isStrict = isStrict
    }

    /// Why a secret can't be had, in words that follow "the file 'x'".
    public struct Problem: Error, Hashable, Sendable {
        /// The words.
        public var words: String
        /// What to do about it, where that is plain.
        public var mend: String?

        /// The words and the mend.
        public var sentence: String { mend.map { "\(words): \($0)" } ?? words }
    }

    /// All that it holds, which is not empty. Blocks while the disk does.
    public func read() throws(Problem) -> [UInt8] {
        if isStrict, let exposure { throw exposure }
        let bytes: [UInt8]
        do throws(Files.Problem) {
            bytes = try Files.read(path, bound: Self.bound)
        } catch {
            throw Problem(words: error.words)
        }
        guard !bytes.isEmpty else { throw Problem(words: "is empty") }
        guard bytes.count <= Self.bound else { throw Problem(words: "is too large") }
        return bytes
    }

    /// The line of text that it holds, without its end.
    public func line() throws(Problem) -> Secret {
        var bytes = try read()
        if bytes.last == 0x0A { bytes.removeLast() }
        if bytes.last == 0x0D { bytes.removeLast() }
        guard !bytes.isEmpty else { throw Problem(words: "is empty") }
        guard let text = String(validating: bytes, as: UTF8.self), Log.escaped(text) == text else {
            throw Problem(words: "is not one line of text")
        }
        return Secret(text)
    }

    /// That others than its user may read it, with the mend; nil where they may not. (stat(2))
    ///
    /// A service that has a user of its own reads what belongs to root and to its group (mode 640). A credential of
    /// systemd belongs to its service alone, whatever its mode shows: access is granted by a list
    /// (acl(5)), which looks like a right of the group.
    public var exposure: Problem? {
        var information = stat()
        guard unsafe stat(path, &information) == 0,
            Self.isExposed(path: path, mode: information.st_mode, isRoots: information.st_uid == 0)
        else { return nil }
        if let folder = unsafe getenv("CREDENTIALS_DIRECTORY"), path.hasPrefix(unsafe String(cString: folder) + "/") {
            return nil
        }
        return Problem(words: "may be read by others than its user", mend: "chmod 600 \(path)")
    }

    /// Where Docker and Podman put the secrets of a container.
    private static let containerFolder = "/run/secrets/"

    /// Whether a file of this mode is open to others.
    ///
    /// What lies in `/run/secrets` was put there for a container alone, in which nobody else lives: it is mode 444 unless one
    /// asks for another, which Compose can't for a secret from a file. That others may write there is too much all the same.
    static func isExposed(path: String, mode: mode_t, isRoots: Bool) -> Bool {
        if path.hasPrefix(containerFolder), !path.dropFirst(containerFolder.count).contains("/") {
            return mode & 0o022 != 0
        }
        return mode & (isRoots ? 0o037 : 0o077) != 0
    }
}

extension ConfigurationReader {
    /// A file with a secret in one line, which must be there now.
    ///
    /// One that others may read is a fault where the secret is strict, and odd otherwise.
    public func secretFile(isStrict: Bool) -> Getter<SecretFile> {
        { node in
            guard let (file, _) = self.held(node, isStrict: isStrict) else { return nil }
            if self.opensFiles, let exposure = file.exposure {
                self.warn(node.position, "the file \(Quoted.path(file.path)) \(exposure.sentence)")
            }
            return file
        }
    }

    /// What a file holds, without the line end that closes it: at most 64 KiB, not empty.
    public func secret(_ node: YAMLNode) -> Secret? {
        held(node, isStrict: false)?.line
    }

    private func held(_ node: YAMLNode, isStrict: Bool) -> (file: SecretFile, line: Secret)? {
        guard let path = path(node) else { return nil }
        let file = SecretFile(path: path, isStrict: isStrict)
        guard opensFiles else { return (file, Secret("")) }
        do throws(SecretFile.Problem) {
            return (file, try file.line())
        } catch {
            fault(node.position, "the file \(Quoted.path(path)) \(error.sentence)")
            return nil
        }
    }

    /// A file with a private key in PEM, which must be there now, and readable by its user alone.
    func keyFile(_ node: YAMLNode) -> SecretFile? {
        guard let path = path(node) else { return nil }
        let file = SecretFile(path: path)
        guard opensFiles else { return file }
        do throws(SecretFile.Problem) {
            _ = try file.read()
            return file
        } catch {
            fault(node.position, "the file \(Quoted.path(path)) \(error.sentence)")
            return nil
        }
    }

    /// The path of a credential; a fault where systemd gives none.
    func credential(_ name: String, _ node: YAMLNode) -> String? {
        guard opensFiles else { return SecretFile.credentialPrefix + name }
        guard let credentialsFolder else {
            fault(
                node.position,
                "there are no credentials: start it by a unit with LoadCredential=\(Log.escaped(name)):FILE")
            return nil
        }
        guard !name.isEmpty, !name.contains("/") else {
            expected("'credential:' and a name without '/'", node)
            return nil
        }
        return "\(credentialsFolder)/\(name)"
    }
}
