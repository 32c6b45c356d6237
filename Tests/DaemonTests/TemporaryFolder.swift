import Glibc

/// A folder of its own, gone with its value.
final class TemporaryFolder {
    let path: String
    private var files: Set<String> = []

    init() {
        var template = Array("/tmp/whereabouts-test-XXXXXX".utf8CString)
        path = String(cString: mkdtemp(&template)!)
    }

    deinit {
        for file in files { remove(file) }
        rmdir(path)
    }

    /// Writes a file and gives its path.
    @discardableResult
    func write(_ name: String, _ bytes: [UInt8]) -> String {
        let path = path + "/" + name
        files.insert(path)
        let file = fopen(path, "w")!
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
        return path
    }

    /// Writes a file and gives its path.
    @discardableResult
    func write(_ name: String, _ text: String) -> String { write(name, Array(text.utf8)) }
}
