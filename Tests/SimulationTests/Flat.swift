import Advertising
import BeaconFrames
import Bytes

@testable import Simulation

/// A flat for tests: kitchen, hall and living room in a row, an L-shaped bedroom above the hall and the living room.
enum Flat {
    static let uuid = BeaconUUID(high: 0x0123_4567_89AB_CDEF, low: 0x0011_2233_4455_6677)
    static let start = Timestamp(microseconds: 1_790_000_000_000_000)

    static func scenario(seed: UInt64 = 1) -> Scenario {
        Scenario(
            name: "Flat", seed: seed,
            rooms: [
                .init(id: "kitchen", from: (0, 0), to: (4, 3)), .init(id: "hall", from: (4, 0), to: (6, 3)),
                .init(id: "living", from: (6, 0), to: (11, 4)),
                .init(
                    id: "bedroom",
                    polygon: [
                        Point(x: 0, y: 3), Point(x: 6, y: 3), Point(x: 6, y: 7), Point(x: 3, y: 7), Point(x: 3, y: 5),
                        Point(x: 0, y: 5),
                    ]),
            ],
            doors: [
                .init(from: "kitchen", to: "hall", x: 4, y: 1.5), .init(from: "hall", to: "living", x: 6, y: 1.5),
                .init(from: "hall", to: "bedroom", x: 5, y: 3), .init(from: "hall", to: "away", x: 5, y: 0),
            ],
            nodes: [
                .init(id: "kitchen", room: "kitchen", position: Point(x: 0.5, y: 0.5, z: 1.2)),
                .init(id: "living", room: "living", position: Point(x: 10.5, y: 3.5, z: 1.2), offset: 3),
                .init(id: "bedroom", room: "bedroom", position: Point(x: 5.5, y: 6.5, z: 1.2), offset: -4),
            ],
            walkers: [
                .init(
                    id: "anna",
                    plan: .itinerary([
                        .init(room: "kitchen", stay: .init(20, 60)), .init(room: "living", stay: .init(30, 90)),
                        .init(room: "bedroom", stay: .init(10, 50)), .init(room: "away", stay: .init(30, 40)),
                    ])),
                .init(
                    id: "cat",
                    plan: .roam(rooms: ["kitchen", "hall", "living", "bedroom"], stay: .init(8, 40)), pace: 1.4,
                    bodyLoss: 3),
            ],
            beacons: [
                .init(
                    id: "keys", kind: .iBeacon(uuid: uuid, major: 1, minor: 1), interval: 0.2,
                    place: .carried(by: "anna", worn: .pocket), telemetryInterval: 30),
                .init(
                    id: "cat", kind: .eddystoneUID(namespace: .init(high: 1, low: 2), instance: 3), interval: 0.5,
                    place: .carried(by: "cat", worn: .front, height: 0.2)),
                .init(
                    id: "drill", kind: .altBeacon(company: 0x118, uuid: uuid, major: 1, minor: 2),
                    address: .fixed(.init(0x0011_2233_4455, .public)), place: .fixed(Point(x: 1, y: 1, z: 1))),
                .init(
                    id: "visitor", kind: .addressOnly, address: .rotating(period: 60), interval: 0.3,
                    place: .carried(by: "anna", worn: .back)),
            ])
    }

    /// One room without walls, a node in its middle, and no chance but what a test adds.
    static func openField(_ beacons: [Scenario.Beacon], radio: Scenario.Radio = quiet) -> Scenario {
        Scenario(
            name: "Field", seed: 7, rooms: [.init(id: "field", from: (-60, -60), to: (60, 60))],
            nodes: [
                .init(id: "middle", room: "field", position: Point(x: 0, y: 0, z: 1)),
                .init(id: "other", room: "field", position: Point(x: 0.3, y: 0, z: 1)),
            ],
            beacons: beacons, radio: radio)
    }

    static let quiet = Scenario.Radio(
        pathLossExponent: 2, shadowSigma: 0, fadeSigma: 0, channelSigma: 0, packetSigma: 0, sensitivity: -120,
        loss: 0, burstsPerHour: 0)

    static func beacon(_ id: String, at place: Point, interval: Double = 0.1) -> Scenario.Beacon {
        .init(
            id: id, kind: .iBeacon(uuid: uuid, major: 1, minor: UInt16(id.utf8.count)), interval: interval,
            place: .fixed(place))
    }
}

/// An event as a node heard it.
struct Heard: Equatable {
    let time: Int64
    let bytes: [UInt8]

    var rssi: Double { Double(Int8(bitPattern: bytes[bytes.count - 1])) }
}

extension SimulatedHouse {
    func heard(_ node: String, from: Timestamp = Flat.start, seconds: Double) -> [Heard] {
        heard(node, from: from, until: from.advanced(bySeconds: seconds))
    }

    func heard(_ node: String, from: Timestamp, until: Timestamp) -> [Heard] {
        var heard: [Heard] = []
        receptions(node: node, from: from, until: until) { time, event in
            heard.append(Heard(time: time.microseconds, bytes: Array(copying: event)))
        }
        return heard
    }
}

func mean(_ values: [Double]) -> Double {
    values.reduce(0, +) / Double(max(1, values.count))
}

func correlation(_ first: [Double], _ second: [Double]) -> Double {
    let (a, b) = (mean(first), mean(second))
    var (both, one, other) = (0.0, 0.0, 0.0)
    for (x, y) in zip(first, second) {
        both += (x - a) * (y - b)
        one += (x - a) * (x - a)
        other += (y - b) * (y - b)
    }
    return both / (one * other).squareRoot()
}
