import CHarness

/// The files of a folder, in the order of their names.
enum Corpus {
    static func read(_ path: String) -> [[UInt8]] {
        guard let folder = harness_folder_open(path) else { return [] }
        defer { harness_folder_close(folder) }
        var names: [String] = []
        while let name = harness_folder_next(folder) { names.append(String(cString: name)) }
        var room = [UInt8](repeating: 0, count: 65_536)
        return names.sorted().compactMap { name in
            let count = harness_read("\(path)/\(name)", &room, room.count)
            return count > 0 ? Array(room[..<count]) : nil
        }
    }
}
