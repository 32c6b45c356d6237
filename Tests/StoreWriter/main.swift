// What the tests of Store do in a process of its own: write until it is killed, or try to open.
import Glibc
import Store

let words = CommandLine.arguments
guard words.count >= 3 else { exit(2) }
if words.contains("--unprivileged"), setgid(65534) != 0 || setuid(65534) != 0 { exit(3) }

do throws(StoreError) {
    let store = try StateStore(path: words[2], holding: words[1] == "migrate" ? .house : .node, at: Writer.now)
    switch words[1] {
    case "open": Writer.say("opened")
    case "hold", "migrate":
        Writer.say("opened")
        while true { pause() }
    default: Writer.write(to: store)
    }
} catch {
    Writer.say("\(error.kind)")
    exit(1)
}
