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
}

extension RadioStatus: WireObject {
    static var blank: Self { Self(state: "") }

    @_lifetime(fields: copy fields)
    mutating func visitFields<Fields: WireFields & ~Escapable>(_ fields: inout Fields) throws(Fields.Fault) {
        try fields.field("state", &state)
        try fields.field("problem", &problem)
        try fields.field("mend", &mend)
        try fields.field("taken_back", &takenBack)
        try fields.field("lost", &lost)
        try fields.field("rungs", &rungs)
    }
}

extension RadioStatus.Rung: WireObject {
    static var blank: Self { Self(name: "", tried: 0, helped: 0) }

    @_lifetime(fields: copy fields)
    mutating func visitFields<Fields: WireFields & ~Escapable>(_ fields: inout Fields) throws(Fields.Fault) {
        try fields.field("name", &name)
        try fields.field("tried", &tried)
        try fields.field("helped", &helped)
    }
}
