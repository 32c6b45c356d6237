import Glibc

let words = Array(CommandLine.arguments.dropFirst())
let path = getenv("ETHER_SOCKET").map { String(cString: $0) } ?? "/run/ether"
do {
    switch words.first {
    case "serve":
        var ether = try Ether(socket: path, seed: words.count > 1 ? UInt64(words[1]) ?? 1 : 1)
        ether.run()
    case "tell" where words.count > 1:
        let reply = try ControlSocket.tell(Array(words.dropFirst()), at: path)
        let answer = reply.split(separator: " ", maxSplits: 1)
        guard answer.first == "ok" else { throw SystemFault(String(answer.last ?? "")) }
        if answer.count > 1 { Output.line(String(answer[1])) }
    default:
        Output.line(
            """
            ether serve [SEED]   plays LE controllers on /dev/vhci; standard output is the truth
            ether tell ORDER…    orders the one that serves at $ETHER_SOCKET (/run/ether):
            """)
        Output.line(Ether.orders)
        exit(words.first == "--help" ? 0 : 2)
    }
} catch {
    Output.line("ether: \(error)", to: STDERR_FILENO)
    exit(1)
}
