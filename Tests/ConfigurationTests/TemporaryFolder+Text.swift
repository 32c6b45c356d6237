import Support

extension TemporaryFolder {
    /// Writes a text file and gives its path.
    @discardableResult
    func write(_ name: String, _ text: String) throws -> String {
        try write(Array(text.utf8), to: name)
    }
}
