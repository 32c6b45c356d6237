import Bytes
import Foundation
public import RoomEstimation

/// One tag in one session.
public struct Key: Hashable, Sendable {
    /// The session's name in the files.
    public var session: Substring
    /// The tag's name in the files.
    public var tag: Substring
}

/// Where a tag was for a while.
public struct Stay: Sendable {
    /// Its first second.
    public var start: Double
    /// The second by which it had ended.
    public var end: Double
    /// The room by index.
    public var room: Int
}

/// A home, the packets heard in it and where tags truly were, as `whereabouts locate` takes them.
public struct HomeFiles {
    /// Its rooms and nodes.
    public private(set) var house = House()

    /// Reads the home: rooms, and the room and place of each receiver.
    public init(home path: String) throws {
        struct Receiver: Decodable {
            var room: String
            var x, y, z: Double?
        }
        struct Home: Decodable {
            var rooms: [String]
            var receivers: [String: Receiver]
        }
        let home = try JSONDecoder().decode(Home.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
        for room in home.rooms { house.addRoom(room) }
        for (id, receiver) in home.receivers.sorted(by: { $0.key < $1.key }) {
            var place: House.Position?
            if let x = receiver.x, let y = receiver.y { place = House.Position(x: x, y: y, z: receiver.z ?? 0) }
            house.addNode(id, room: house.room(receiver.room), position: place)
        }
    }

    /// The fields of each line but the first.
    public func rows(_ path: String) throws -> [[Substring]] {
        try String(contentsOfFile: path, encoding: .utf8).split(whereSeparator: \.isNewline).dropFirst()
            .map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    }

    /// The hops of each tag, by the order of its first packet: one a second, stamped at its end.
    public func hops(_ path: String) throws -> [(key: Key, hops: [Hop])] {
        var keys: [Key] = []
        var heard: [Key: [Int: [Hop.Reading]]] = [:]
        for row in try rows(path) {
            guard let time = Double(row[0]), let node = house.node(String(row[3])), let level = Double(row[4]) else {
                continue
            }
            let key = Key(session: row[1], tag: row[2])
            if heard[key] == nil { keys.append(key) }
            heard[key, default: [:]][Int(time.rounded(.up)), default: []]
                .append(Hop.Reading(node: node, level: level, count: 1))
        }
        return keys.map { key in
            let seconds = heard[key] ?? [:]
            guard let first = seconds.keys.min(), let last = seconds.keys.max() else { return (key, []) }
            let hops = (first...last).map { second in
                Hop(end: Timestamp(microseconds: Int64(second) * 1_000_000), readings: seconds[second] ?? [])
            }
            return (key, hops)
        }
    }

    /// Where each tag was, from when to when in seconds, in order of time.
    public func stays(_ truth: String) throws -> [Key: [Stay]] {
        var stays: [Key: [Stay]] = [:]
        for row in try rows(truth) {
            guard let start = Double(row[2]), let end = Double(row[3]), let room = house.room(String(row[4])) else {
                continue
            }
            stays[Key(session: row[0], tag: row[1]), default: []].append(Stay(start: start, end: end, room: room))
        }
        return stays
    }

    /// The hops of each tag of which the truth is known, with its room at the end of each.
    public func recordings(_ path: String, truth: String) throws -> [(key: Key, recording: Recording)] {
        let stays = try stays(truth)
        return try hops(path).compactMap { key, hops in
            guard let known = stays[key] else { return nil }
            let rooms = hops.map { hop -> Int? in
                let end = Double(hop.end.microseconds) / 1e6
                return known.first { $0.start <= end && end < $0.end }?.room
            }
            return (key, Recording(hops: hops, rooms: rooms))
        }
    }
}
