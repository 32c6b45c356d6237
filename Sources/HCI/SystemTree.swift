internal import Glibc

/// The sysfs entries of adapters: their rfkill switches, and their USB devices. Writing may take a second.
struct SystemTree: Hashable, Sendable {
    /// The time for which a device stays off.
    static let pause: UInt32 = 500_000

    /// The mount point of sysfs.
    let root: String

    /// The state of an adapter's rfkill switch; nil if it can't be read.
    func blocking(of adapter: String) -> (soft: Bool, hard: Bool)? {
        guard let folder = rfkill(of: adapter), let soft = read(folder + "/soft"), let hard = read(folder + "/hard")
        else { return nil }
        return (soft == "1", hard == "1")
    }

    /// The files that turn an adapter off and on, the best first; to be read while the adapter is present.
    func switches(of adapter: String) -> [Switch] {
        var switches: [Switch] = []
        if var folder = resolveLink("\(root)/class/bluetooth/\(adapter)/device") {
            // An interface of a USB device has no idVendor; the device above it has.
            while folder.utf8.count > root.utf8.count, folder.contains("/") {
                if read(folder + "/idVendor") != nil, read(folder + "/authorized") != nil {
                    switches.append(Switch(path: folder + "/authorized", off: "0", on: "1"))
                    break
                }
                folder = String(folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)])
            }
        }
        if let folder = rfkill(of: adapter) { switches.append(Switch(path: folder + "/soft", off: "1", on: "0")) }
        return switches
    }

    /// A file that turns a device off and on.
    struct Switch: Hashable, Sendable {
        var path: String
        var off: String
        var on: String

        /// Turns it off, and on after a moment. Returns 0 or the error number. Blocks for that moment.
        func toggle() -> Int32 {
            let code = write(off)
            guard code == 0 else { return code }
            usleep(SystemTree.pause)
            return write(on)
        }

        private func write(_ text: String) -> Int32 {
            let number = unsafe open(path, O_WRONLY | O_CLOEXEC)
            guard number >= 0 else { return errno }
            defer { close(number) }
            let bytes = Array(text.utf8)
            return unsafe Glibc.write(number, bytes, bytes.count) == bytes.count ? 0 : errno
        }
    }

    private func rfkill(of adapter: String) -> String? {
        let folder = "\(root)/class/bluetooth/\(adapter)"
        guard let directory = unsafe opendir(folder) else { return nil }
        defer { _ = unsafe closedir(directory) }
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasPrefix("rfkill") { return "\(folder)/\(name)" }
        }
        return nil
    }

    private func resolveLink(_ path: String) -> String? {
        guard let real = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }

    private func read(_ path: String) -> String? {
        let number = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { return nil }
        defer { close(number) }
        var room = [UInt8](repeating: 0, count: 64)
        let count = unsafe Glibc.read(number, &room, room.count)
        guard count >= 0 else { return nil }
        return String(decoding: room.prefix(count).prefix { $0 != 0x0A }, as: UTF8.self)
    }
}
