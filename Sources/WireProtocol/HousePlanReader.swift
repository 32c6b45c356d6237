internal import Bytes

/// Reads a plan whose text is well formed, and remembers the first value that a plan can't have, by its place.
struct HousePlanReader {
    private var plan = HousePlan(revision: 0, at: Timestamp(microseconds: 0), by: "")
    private var fault: PayloadFault?

    @_lifetime(json: copy json)
    static func read(_ json: inout JSONReader) throws(JSONFault) -> (HousePlan, PayloadFault?) {
        var reader = HousePlanReader()
        try reader.readKeys(&json)
        reader.checkNames()
        return (reader.plan, reader.fault)
    }

    private mutating func check(_ isValid: Bool, _ place: @autoclosure () -> String) {
        if !isValid, fault == nil { fault = .outOfRange(place()) }
    }

    @_lifetime(json: copy json)
    private mutating func readKeys(_ json: inout JSONReader) throws(JSONFault) {
        var known: Set<String> = []
        try json.beginObject()
        while let key = try json.nextKey() {
            known.insert(key)
            switch key {
            case "rev":
                plan.revision = try json.integer(UInt64.self)
                check(plan.revision <= HousePlan.lastRevision, key)
            case "at": plan.at = try json.time()
            case "by":
                plan.by = try json.string()
                check(Self.isText(plan.by, HousePlan.nameLimit), key)
            case "floors":
                plan.floors = try list(key, HousePlan.floorLimit, &json) { reader, place, json throws(JSONFault) in
                    try reader.floor(place, &json)
                }
            case "rooms":
                plan.rooms = try list(key, HousePlan.roomLimit, &json) { reader, place, json throws(JSONFault) in
                    try reader.room(place, &json)
                }
            case "doors":
                plan.doors = try list(key, HousePlan.doorLimit, &json) { reader, place, json throws(JSONFault) in
                    try reader.door(place, &json)
                }
            case "nodes":
                plan.nodes = try list(key, HousePlan.nodeLimit, &json) { reader, place, json throws(JSONFault) in
                    try reader.node(place, &json)
                }
            default: try json.skip()
            }
        }
        if !known.contains("rev") { fault = .missing("rev") }
    }

    /// Reads a list of at most `limit` elements. What comes behind them is skipped.
    @_lifetime(json: copy json)
    private mutating func list<Element>(
        _ place: String, _ limit: Int, _ json: inout JSONReader,
        _ element: (inout Self, String, inout JSONReader) throws(JSONFault) -> Element
    ) throws(JSONFault) -> [Element] {
        var elements: [Element] = []
        try json.beginArray()
        while try json.nextElement() {
            guard elements.count < limit else {
                fault = fault ?? .tooMany(place, limit: limit)
                try json.skip()
                continue
            }
            elements.append(try element(&self, "\(place)[\(elements.count)]", &json))
        }
        return elements
    }

    @_lifetime(json: copy json)
    private mutating func floor(_ place: String, _ json: inout JSONReader) throws(JSONFault) -> HousePlan.Floor {
        var floor = HousePlan.Floor(id: "")
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "id": floor.id = try json.string()
            case "name": floor.name = try name("\(place).name", &json)
            case "picture": floor.hasPicture = try json.boolean()
            case "metres":
                let size = try corner("\(place).metres", &json)
                check(size.x > 0 && size.y > 0, "\(place).metres")
                floor.size = size
            default: try json.skip()
            }
        }
        check(Self.isText(floor.id, HousePlan.floorNameLimit), "\(place).id")
        check(!floor.hasPicture || Identifier.isValid(floor.id), "\(place).picture")
        return floor
    }

    @_lifetime(json: copy json)
    private mutating func room(_ place: String, _ json: inout JSONReader) throws(JSONFault) -> HousePlan.Room {
        var room = HousePlan.Room(id: "")
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "id": room.id = try json.string()
            case "name": room.name = try name("\(place).name", &json)
            case "floor": room.floor = try json.string()
            case "polygon":
                room.polygon = try list("\(place).polygon", HousePlan.cornerLimit, &json) {
                    reader, place, json throws(JSONFault) in try reader.corner(place, &json)
                }
            default: try json.skip()
            }
        }
        check(Identifier.isValid(room.id), "\(place).id")
        check(room.polygon.isEmpty || room.polygon.count > 2, "\(place).polygon")
        return room
    }

    @_lifetime(json: copy json)
    private mutating func door(_ place: String, _ json: inout JSONReader) throws(JSONFault) -> HousePlan.Door {
        var ends: [String] = []
        try json.beginArray()
        while try json.nextElement() {
            let end = try json.string()
            if ends.count < 3 { ends.append(end) }
        }
        check(ends.count == 2 && ends[0] != ends[1] && ends.allSatisfy(Identifier.isValid), place)
        return HousePlan.Door(ends.first ?? "", ends.last ?? "")
    }

    @_lifetime(json: copy json)
    private mutating func node(_ place: String, _ json: inout JSONReader) throws(JSONFault) -> HousePlan.Node {
        var node = HousePlan.Node(id: "", x: .nan, y: .nan)
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "id": node.id = try json.string()
            case "x": node.x = try json.number()
            case "y": node.y = try json.number()
            case "z": node.z = try json.number()
            default: try json.skip()
            }
        }
        check(Identifier.isValid(node.id), "\(place).id")
        for (key, value) in [("x", node.x), ("y", node.y), ("z", node.z)] {
            check(HousePlan.metres.contains(value), "\(place).\(key)")
        }
        return node
    }

    @_lifetime(json: copy json)
    private mutating func corner(_ place: String, _ json: inout JSONReader) throws(JSONFault) -> HousePlan.Corner {
        var axes: [Double] = []
        try json.beginArray()
        while try json.nextElement() {
            let axis = try json.number()
            if axes.count < 3 { axes.append(axis) }
        }
        guard axes.count == 2 else {
            check(false, place)
            return HousePlan.Corner(x: 0, y: 0)
        }
        check(axes.allSatisfy(HousePlan.metres.contains), place)
        return HousePlan.Corner(x: axes[0], y: axes[1])
    }

    @_lifetime(json: copy json)
    private mutating func name(_ place: String, _ json: inout JSONReader) throws(JSONFault) -> String? {
        if json.null() { return nil }
        let name = try json.string()
        check(Self.isText(name, HousePlan.nameLimit), place)
        return name
    }

    /// Checks what values say of each other: no id twice, and rooms on floors of the plan.
    private mutating func checkNames() {
        var floors: Set<String> = []
        for (index, floor) in plan.floors.enumerated() {
            check(floors.insert(floor.id).inserted, "floors[\(index)].id")
        }
        var rooms: Set<String> = []
        for (index, room) in plan.rooms.enumerated() {
            check(rooms.insert(room.id).inserted, "rooms[\(index)].id")
            check(room.floor.map(floors.contains) ?? true, "rooms[\(index)].floor")
        }
        var nodes: Set<String> = []
        for (index, node) in plan.nodes.enumerated() {
            check(nodes.insert(node.id).inserted, "nodes[\(index)].id")
        }
    }

    private static func isText(_ text: String, _ limit: Int) -> Bool {
        (1...limit).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
}
