internal import Bytes

/// The status of a node's radio, in its `info`.
public struct RadioStatus: Hashable, Sendable {
    /// An attempt to restore reception.
    public struct Rung: Hashable, Sendable {
        /// Its name, such as `reset`.
        public var name: String
        /// The number of attempts since the start.
        public var tried: Int
        /// The number of successful attempts.
        public var helped: Int

        /// A rung with its counts.
        public init(name: String, tried: Int, helped: Int) {
            (self.name, self.tried, self.helped) = (name, tried, helped)
        }
    }

    /// `scanning`, `waiting` for its adapter, `starting` or `recovering`.
    public var state: String
    /// The adapter's name, which `info` itself contains; nil before one was found.
    public var adapter: String?
    /// Its address, likewise.
    public var address: String?
    /// The features of its controller, likewise.
    public var features: [String] = []
    /// The name of the problem, such as `adapter_blocked`; nil if there is none.
    public var problem: String?
    /// The remedy, for people.
    public var mend: String?
    /// The number of times that the scan was taken back from other programs since the start.
    public var takenBack = 0
    /// Events that the kernel dropped since the start because they weren't read in time.
    public var lost: UInt64 = 0
    /// The attempts, the gentlest first.
    public var rungs: [Rung] = []

    /// A status without a problem and without attempts.
    public init(state: String) {
        self.state = state
    }

    func write(to json: inout JSONWriter) {
        json.beginObject("radio")
        json.field("state", state)
        json.field("problem", problem)
        json.field("mend", mend)
        json.field("taken_back", takenBack)
        json.field("lost", lost)
        json.beginArray("rungs")
        for rung in rungs {
            json.beginObject()
            json.field("name", rung.name)
            json.field("tried", rung.tried)
            json.field("helped", rung.helped)
            json.endObject()
        }
        json.endArray()
        json.endObject()
    }

    static func read(from json: inout JSONReader) throws(JSONFault) -> RadioStatus {
        var status = RadioStatus(state: "")
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "state": status.state = try json.string()
            case "problem": status.problem = try json.string()
            case "mend": status.mend = try json.string()
            case "taken_back": status.takenBack = try json.integer(Int.self)
            case "lost": status.lost = try json.integer(UInt64.self)
            case "rungs":
                try json.beginArray()
                while try json.nextElement() { status.rungs.append(try Rung.read(from: &json)) }
            default: try json.skip()
            }
        }
        return status
    }
}

extension RadioStatus.Rung {
    fileprivate static func read(from json: inout JSONReader) throws(JSONFault) -> Self {
        var rung = Self(name: "", tried: 0, helped: 0)
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "name": rung.name = try json.string()
            case "tried": rung.tried = try json.integer(Int.self)
            case "helped": rung.helped = try json.integer(Int.self)
            default: try json.skip()
            }
        }
        return rung
    }
}
