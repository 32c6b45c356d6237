// What the tests of Store do in a process of its own: write until it is killed, or try to open.
import Bytes
import Glibc
import Store

func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(1, bytes, bytes.count)
}

let words = CommandLine.arguments
guard words.count >= 3 else { exit(2) }
let path = words[2]
if words.contains("--unprivileged"), setgid(65534) != 0 || setuid(65534) != 0 { exit(3) }
let now = Timestamp(microseconds: 1_700_000_000_000_000)

do throws(StoreError) {
    let store = try StateStore(path: path, at: now)
    switch words[1] {
    case "open": say("opened")
    case "hold":
        say("opened")
        while true { pause() }
    default:
        // Batches of 1 to 8 events; each event's payload is the batch, its place in it and the batch's size.
        var batch = 0
        while true {
            batch += 1
            let name = "\(getpid())/\(batch)"
            let count = Int.random(in: 1...8)
            let written = store.transaction(at: now) { changes in
                for index in 1...count {
                    let text = "\(name) \(index) \(count) \(String(repeating: "x", count: Int.random(in: 0...900)))"
                    changes.append(EventDraft(at: now, kind: "enter", payload: Array(text.utf8)))
                }
                changes.set(.setting(key: "batch", value: name))
            }
            guard written.problem == nil else { exit(4) }
            say("\(store.epoch) \(store.lastSeq)")
        }
    }
} catch {
    say("\(error.kind)")
    exit(1)
}
