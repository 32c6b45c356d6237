internal import Glibc
public import System

/// A file with a password or a key, which is read at each use, so that a renewed one takes effect.
public struct SecretFile: Hashable, Sendable {
    /// The beginning of a path that names a credential of systemd (`LoadCredential=`, systemd.exec(5)).
    static let credentialPrefix = "credential:"
    /// The most bytes of a secret.
    public static let bound = 65_536

    /// The path of the file.
    public let path: String
    /// True if only its user may be able to read it: required of keys, recommended for passwords.
    let isStrict: Bool

    /// A secret at a path. A strict one is rejected if others may read the file.
    public init(path: String, isStrict: Bool = true) {
        self.path = path
        self.isStrict = isStrict
    }

    /// The reason why a secret can't be read, in a text that follows "the file 'x'".
    public struct Problem: Error, Hashable, Sendable {
        /// The text.
        public var words: String
        /// The remedy, if there is a clear one.
        public var mend: String?

        /// The text and the remedy.
        public var sentence: String { mend.map { "\(words): \($0)" } ?? words }
    }

    /// The whole content, which is not empty. Blocks while the disk does.
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

    /// The line of text in the file, without its end.
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

    /// The problem that others than its user may read it, with the remedy; nil if they may not. (stat(2))
    ///
    /// A service with a user of its own reads files that belong to root and to its group (mode 640). A credential of
    /// systemd belongs to its service alone, whatever its mode: access is granted by a list (acl(5)), which appears as
    /// a right of the group.
    public var exposure: Problem? {
        var information = stat()
        guard unsafe stat(path, &information) == 0, information.st_mode & S_IFMT == S_IFREG,
            Self.isExposed(path: path, mode: information.st_mode, isRoots: information.st_uid == 0)
        else { return nil }
        if let folder = unsafe getenv("CREDENTIALS_DIRECTORY"), path.hasPrefix(unsafe String(cString: folder) + "/") {
            return nil
        }
        return Problem(words: "may be read by others than its user", mend: "chmod 600 \(path)")
    }

    /// The folder of the secrets of a container in Docker and Podman.
    private static let containerFolder = "/run/secrets/"

    /// True if a file of this mode is open to others.
    ///
    /// A file in `/run/secrets` was put there for a container alone, which has no other users: it has mode 444 by
    /// default, and Compose can't set another for a secret from a file. A permission for others to write is a fault
    /// there too.
    static func isExposed(path: String, mode: mode_t, isRoots: Bool) -> Bool {
        if path.hasPrefix(containerFolder), !path.dropFirst(containerFolder.count).contains("/") {
            return mode & 0o022 != 0
        }
        return mode & (isRoots ? 0o037 : 0o077) != 0
    }
}

extension ConfigurationReader {
    /// A file with a secret in one line, which must exist now.
    ///
    /// A file that others may read is a fault if the secret is strict, and a warning otherwise.
    public func secretFile(isStrict: Bool) -> Getter<SecretFile> {
        { node in
            guard let (file, _) = self.findHeld(node, isStrict: isStrict) else { return nil }
            if self.opensFiles, let exposure = file.exposure {
                self.warn(node.position, "the file \(Quoted.path(file.path)) \(exposure.sentence)")
            }
            return file
        }
    }

    /// The content of a file, without its final line end: at most 64 KiB, not empty.
    public func secret(_ node: YAMLNode) -> Secret? {
        findHeld(node, isStrict: false)?.line
    }

    private func findHeld(_ node: YAMLNode, isStrict: Bool) -> (file: SecretFile, line: Secret)? {
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

    /// A file with a private key in PEM, which must exist now, and be readable by its user alone.
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

    /// The path of a credential; a fault if systemd provides none.
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
