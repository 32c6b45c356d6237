internal import Glibc

/// The whole of a file; nil if it cannot be read.
public func readFile(_ path: String) -> String? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
        let count = fread(&buffer, 1, buffer.count, file)
        if count == 0 { return String(decoding: bytes, as: UTF8.self) }
        bytes += buffer[..<count]
    }
}

/// Makes a file anew.
public func write(_ text: String, to path: String) throws {
    guard let file = fopen(path, "we") else { throw SystemError(code: errno) }
    defer { fclose(file) }
    let bytes = Array(text.utf8)
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw SystemError(code: errno) }
}

/// Removes a folder and the files in it; folders inside it stay, and then so does it.
public func removeFolder(_ path: String) {
    guard let folder = opendir(path) else { return }
    while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != "." && name != ".." { unlink("\(path)/\(name)") }
    }
    closedir(folder)
    rmdir(path)
}

/// The permissions of a file (stat(2)).
public func mode(of path: String) throws -> UInt32 {
    var status = stat()
    guard stat(path, &status) == 0 else { throw SystemError(code: errno) }
    return status.st_mode & 0o7777
}

/// Gives a file another mode (chmod(2)).
public func setMode(_ mode: UInt32, of path: String) throws {
    guard chmod(path, mode) == 0 else { throw SystemError(code: errno) }
}
