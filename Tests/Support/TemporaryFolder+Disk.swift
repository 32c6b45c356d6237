internal import Glibc

/// A folder on which a small disk is mounted.
extension TemporaryFolder {
    private static let filler = "filler"

    /// Takes all free space of the disk, by a file that grows.
    ///
    /// No program that another test starts at this moment inherits the file: its space would stay taken.
    public func fillDisk() throws {
        guard let stream = fopen(file(Self.filler), "ae") else { throw SystemError(code: errno) }
        defer { fclose(stream) }
        let zeros = [UInt8](repeating: 0, count: 4096)
        while fwrite(zeros, 1, zeros.count, stream) == zeros.count, fflush(stream) == 0 {}
    }

    /// Makes room on the disk again, also while a child on its way to exec(2) has a copy of the file.
    public func emptyDisk() {
        truncate(file(Self.filler), 0)
        unlink(file(Self.filler))
    }
}
