import Glibc
import Testing

@testable import HCI

/// The reading of sockets, by one of another family: machines without Bluetooth have these.
@Suite struct HCISocketTests {
    private static func pair() throws -> (socket: HCISocket, other: Int32) {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue)
        try #require(socketpair(AF_UNIX, type, 0, &ends) == 0)
        return (try HCISocket(ends[0]), ends[1])
    }

    @Test("Read many events in one call, in order, and none from an earlier buffer content")
    func batches() throws {
        let (socket, other) = try Self.pair()
        defer { close(other) }
        var sizes: [Int] = []
        for index in 0..<100 {
            let packet = [4] + [UInt8](repeating: UInt8(index), count: index)
            _ = write(other, packet, packet.count)
        }
        var counts: [Int] = []
        repeat {
            let count = try socket.receiveEvents { event, time in
                #expect(time == nil, "this family has no times")
                for index in event.indices where event[index] != UInt8(sizes.count) { Issue.record("at \(index)") }
                sizes.append(event.count)
            }
            counts.append(count)
        } while counts.last == HCISocket.batch
        #expect(sizes == Array(0..<100) && counts == [32, 32, 32, 4])
        let left = try socket.receiveEvents { _, _ in Issue.record("there is none") }
        #expect(left == 0)
        for index in 0..<100 { _ = write(other, [UInt8(index)], 1) }
        var drained: [UInt8] = []
        try socket.drain { packet in drained.append(packet[0]) }
        #expect(drained == Array(0..<100))
    }

    @Test("Ignore other packets, and cut off a packet that is too long")
    func others() throws {
        let (socket, other) = try Self.pair()
        defer { close(other) }
        for packet in [[2, 1, 2, 3], [UInt8](repeating: 4, count: 1000), [], [4]] {
            _ = write(other, packet, packet.count)
        }
        var sizes: [Int] = []
        let count = try socket.receiveEvents { event, _ in sizes.append(event.count) }
        #expect(count == 4 && sizes == [HCISocket.stride - 1, 0])
    }

    @Test("Report the end of the other side, and a failed opening, as an error with its number")
    func errors() throws {
        let (socket, other) = try Self.pair()
        close(other)
        #expect(throws: SocketError.self) { try socket.send([1]) }
        #expect(throws: SocketError(code: 13)) { try HCISocket(-13) }
    }
}
