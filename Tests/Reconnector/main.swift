// A client of the test ReconnectTests in a process of its own, where nothing else takes memory or descriptors: it
// connects to a broker again and again, as often as another client takes its id, and prints what the process holds.
//
//     Reconnector PORT CLIENT-ID      a line after 50 connections and more: connections, resident pages, open descriptors
import Glibc
import MQTT

let words = CommandLine.arguments
guard words.count == 3, let port = UInt16(words[1]) else { exit(2) }

var configuration = MQTTConfiguration(
    address: BrokerAddress(scheme: .mqtt, host: "127.0.0.1", port: port), clientID: words[2])
configuration.backoff = Backoff(first: 0, maximum: 0)

do {
    let client = try MQTTClient(configuration)
    try client.start()
    var next = 50
    while true {
        usleep(2000)
        _ = client.takeEvents()
        let connections = client.statistics.connections
        guard connections >= next else { continue }
        next = connections + 50
        ProcessUsage.print(after: Int(connections))
    }
} catch {
    exit(1)
}
