import Glibc
import Support

@testable import MQTT

/// A broker that answers MQTT 5 with the given bytes and hangs up, and accepts 3.1.1, to which it sends what it was given.
final class OldBroker: Sendable {
    let port: UInt16
    private let listener: Int32
    private let isAnswering: Bool

    init(refusingVersion5With refusal: [UInt8], sending packets: [UInt8] = [], answering: Bool = true) throws {
        let socket = try ListeningSocket(Int32(SOCK_STREAM.rawValue))
        let descriptor = socket.descriptor
        (listener, port, isAnswering) = (descriptor, socket.port, answering)
        guard answering else { return }
        // Ends when the listener is shut down, and closes it: its number could be another's before.
        try Thread.detach {
            defer { close(descriptor) }
            while true {
                let peer = accept(descriptor, nil, nil)
                guard peer >= 0 else { return }
                Self.serve(peer, refusal, packets)
                close(peer)
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        if !isAnswering { close(listener) }
    }

    private static func serve(_ peer: Int32, _ refusal: [UInt8], _ packets: [UInt8]) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        // Fixed header of two bytes, the name "MQTT" with its length, and then the version.
        guard recv(peer, &buffer, buffer.count, 0) > 8 else { return }
        if buffer[8] == 5 {
            send(peer, refusal, refusal.count, Int32(MSG_NOSIGNAL))
            return
        }
        let answer = [0x20, 2, 0, 0] + packets
        var sent = 0
        while sent < answer.count {
            let count = answer[sent...].withUnsafeBytes {
                send(peer, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
        while recv(peer, &buffer, buffer.count, 0) > 0 {}
    }
}
