import Bytes
import Glibc
import Store

/// Writes batches as fast as the disk takes them, and says each that is kept.
enum Writer {
    static let now = Timestamp(microseconds: 1_700_000_000_000_000)

    static func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = Glibc.write(1, bytes, bytes.count)
    }

    /// Batches of 1 to 8 events; each event's payload is the batch, its place in it and the batch's size.
    static func write(to store: StateStore) -> Never {
        var batch = 0
        while true {
            batch += 1
            let name = "\(getpid())/\(batch)"
            let count = Int.random(in: 1...8)
            let written = store.transaction(at: now) { changes in
                for index in 1...count {
                    let filling = String(repeating: "x", count: Int.random(in: 0...900))
                    let text = "\(name) \(index) \(count) \(filling)"
                    changes.append(EventDraft(at: now, kind: "enter", payload: Array(text.utf8)))
                }
                changes.set(.setting(key: "batch", value: name))
            }
            guard written.problem == nil else { exit(4) }
            say("\(store.epoch) \(store.lastSeq)")
        }
    }
}
