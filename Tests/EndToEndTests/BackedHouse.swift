import Bytes
import Store
import Support
import System
import WireProtocol

/// What there is to back up.
enum BackedHouse {
    /// Runs the tool.
    static func run(_ words: [String]) throws -> Execution.Outcome {
        try Execution.run(Execution.path(of: "whereabouts"), words)
    }

    /// A fuser's configuration and its state with a marker and visits; the path of the configuration.
    ///
    /// - Parameters:
    ///   - login: the user and the file of the password, which is not made.
    ///   - state: the place of the state, from the folder on.
    ///   - lines: more of the configuration.
    static func make(
        _ folder: String, port: UInt16, marker: String, visits: Int,
        login: String? = ", username: main, password_file: password", state: String = "fuser.sqlite",
        lines: [String] = []
    ) throws -> String {
        let mqtt = "mqtt: {url: \"mqtt://127.0.0.1:\(port)\"\(login ?? "")}"
        let text = (["name: main", "state: \(state)", mqtt] + lines + [""]).joined(separator: "\n")
        try write(text, to: folder + "fuser.yaml")
        let now = WallClock.now()
        let store = try StateStore(path: folder + state, holding: .house, at: now)
        _ = store.transaction(at: now) { batch in
            batch.set(.setting(key: "marker", value: marker))
            batch.set(.setting(key: "names", value: "whereabouts main \(store.epoch)"))
            for number in 0..<visits {
                let from = now.advanced(bySeconds: Double(number - visits))
                batch.set(
                    .visit(
                        VisitRecord(
                            item: "keys", room: "hall", from: from, to: from.advanced(bySeconds: 1), confidence: 1))
                )
            }
        }
        try store.close(at: now)
        return folder + "fuser.yaml"
    }
}
