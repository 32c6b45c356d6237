import Glibc

/// The memory and the descriptors that this process holds, from `/proc/self`.
enum ProcessUsage {
    /// Writes a line to standard output at once: connections, resident pages, open descriptors.
    static func print(after connections: Int) {
        let line = "\(connections) \(residentPages()) \(openDescriptors())\n"
        _ = line.utf8CString.withUnsafeBufferPointer { write(1, $0.baseAddress, $0.count - 1) }
    }

    private static func residentPages() -> Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var text = [CChar](repeating: 0, count: 256)
        guard fgets(&text, 256, file) != nil else { return 0 }
        let words = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return Int(words.split(separator: " ").dropFirst().first ?? "") ?? 0
    }

    private static func openDescriptors() -> Int {
        guard let folder = opendir("/proc/self/fd") else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        return count
    }
}
