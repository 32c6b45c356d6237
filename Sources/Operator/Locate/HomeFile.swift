internal import Bytes
internal import Configuration
internal import RoomEstimation

/// The house of a recording: `{"rooms": […], "receivers": {"n3": {"room": "r2", "x": 1, "y": 2, "z": 1.2}}}`.
///
/// A room is its id, or an object with `id` and, if known, `floor`, `next_to` and `polygon` (corners `[x, y]`, in
/// metres).
struct HomeFile {
    private(set) var house = House()
    private var doors: [(from: Int, to: String, offset: Int)] = []
    private var receivers: [(id: String, room: String?, position: House.Position?, offset: Int)] = []
    private let path: String
    private let bytes: [UInt8]

    /// Reads a house, or throws the fault of the file.
    static func read(_ path: String) throws(InputFault) -> House {
        var file = HomeFile(path: path, bytes: try InputFault.text(of: path))
        do throws(JSONFault) {
            try file.parse()
        } catch {
            throw file.makeFault(error.reason.rawValue, at: error.offset)
        }
        try file.addToHouse()
        return file.house
    }

    private init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }

    private func makeFault(_ message: String, at offset: Int) -> InputFault {
        let line = bytes.prefix(offset).reduce(1) { $1 == 0x0A ? $0 + 1 : $0 }
        return InputFault(file: path, line: line, message: message)
    }

    private mutating func parse() throws(JSONFault) {
        let bytes = bytes
        var json = JSONReader(bytes.span)
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "rooms":
                try json.beginArray()
                while try json.nextElement() { try readRoom(&json) }
            case "receivers":
                try json.beginObject()
                while let id = try json.nextKey() { try readReceiver(id, &json) }
            default: try json.skip()
            }
        }
        try json.end()
    }

    private mutating func readRoom(_ json: inout JSONReader) throws(JSONFault) {
        let start = json.offset
        let id: String
        do {
            id = try json.string()
        } catch  where error.reason == .expectedString {
            return try roomObject(&json, at: start)
        }
        house.addRoom(id)
    }

    private mutating func roomObject(_ json: inout JSONReader, at start: Int) throws(JSONFault) {
        var id: String?
        var floor: String?
        var nextTo: [(String, Int)] = []
        var outline: [House.Corner] = []
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "id": id = try json.string()
            case "floor": floor = try json.string()
            case "next_to":
                try json.beginArray()
                while try json.nextElement() { nextTo.append((try json.string(), json.offset)) }
            case "polygon": outline = try readCorners(&json)
            default: try json.skip()
            }
        }
        guard let id else { throw JSONFault(.expectedString, at: start) }
        let room = house.addRoom(id, floor: floor)
        house.draw(room, outline: outline)
        for (other, offset) in nextTo { doors.append((room, other, offset)) }
    }

    private func readCorners(_ json: inout JSONReader) throws(JSONFault) -> [House.Corner] {
        var corners: [House.Corner] = []
        try json.beginArray()
        while try json.nextElement() {
            let start = json.offset
            var axes: [Double] = []
            try json.beginArray()
            while try json.nextElement() { axes.append(try json.number()) }
            guard axes.count == 2 else { throw JSONFault(.expectedNumber, at: start) }
            corners.append(House.Corner(x: axes[0], y: axes[1]))
        }
        return corners
    }

    private mutating func readReceiver(_ id: String, _ json: inout JSONReader) throws(JSONFault) {
        var room: String?
        var axes: [String: Double] = [:]
        let offset = json.offset
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "room": room = try json.string()
            case "x", "y", "z": axes[key] = try json.number()
            default: try json.skip()
            }
        }
        var position: House.Position?
        if let x = axes["x"], let y = axes["y"] { position = House.Position(x: x, y: y, z: axes["z"] ?? 0) }
        receivers.append((id, room, position, offset))
    }

    /// Adds doors and receivers, once all rooms are known.
    private mutating func addToHouse() throws(InputFault) {
        guard !house.rooms.isEmpty else { throw InputFault(file: path, line: nil, message: "no rooms") }
        for door in doors {
            guard let to = house.room(door.to) else {
                throw makeFault("next_to: no room '\(door.to)'", at: door.offset)
            }
            house.join(door.from, to)
        }
        for receiver in receivers {
            var room: Int?
            if let name = receiver.room {
                room = house.room(name)
                if room == nil { throw makeFault("receiver '\(receiver.id)': no room '\(name)'", at: receiver.offset) }
            }
            house.addNode(receiver.id, room: room, position: receiver.position)
        }
    }
}
