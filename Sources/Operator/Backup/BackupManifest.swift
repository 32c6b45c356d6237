internal import Bytes

/// The first part of a backup: what it holds, and of which moment.
struct BackupManifest: Hashable {
    /// The form of the file that this program writes and reads.
    static let format = 1

    /// The kind of a part.
    enum Kind: String, CaseIterable {
        /// A state database.
        case state
        /// A configuration file.
        case configuration
        /// A file that a configuration names, without a secret.
        case file
        /// A file with a secret, encrypted.
        case secret
        /// The messages that the broker retains of the house.
        case retained
    }

    /// A program of which there are two kinds.
    enum Program: String, CaseIterable {
        case fuser, agent
    }

    /// A part.
    struct Part: Hashable {
        var kind: Kind
        /// The program that it belongs to; nil for what the broker retains.
        var program: Program?
        /// The path of the file: of a configuration where it was, of others relative to its folder unless they begin
        /// with `/`; empty for what the broker retains.
        var place: String
        /// The bytes, and their SHA-256 in hexadecimal digits.
        var bytes = 0, digest = ""
        /// Of a state: the version of its schema, its epoch and the number of its last event.
        var schema: Int?, epoch: String?, lastSeq: UInt64?
    }

    /// The version that wrote the backup.
    var version: String
    /// The moment of the backup.
    var at: Timestamp
    /// The names of the programs.
    var names: [Program: String] = [:]
    /// The salt and the rounds that make a key of the passphrase; nil without secrets.
    var salt: [UInt8]?, iterations: Int?
    /// The files that were left out since they hold secrets, or since they could not be read.
    var leftOut: [String] = []
    /// The parts, in the order of their bytes.
    var parts: [Part] = []

    /// The line of JSON, without its end.
    var json: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.field("version", version)
        json.field("at", at)
        for program in Program.allCases { json.field(program.rawValue, names[program]) }
        if let salt { json.field("salt", hex: salt.span) }
        json.field("iterations", iterations)
        json.beginArray("left_out")
        for name in leftOut { json.value(name) }
        json.endArray()
        json.beginArray("parts")
        for part in parts {
            json.beginObject()
            json.field("kind", part.kind.rawValue)
            json.field("program", part.program?.rawValue)
            json.field("place", part.place)
            json.field("bytes", part.bytes)
            json.field("sha256", part.digest)
            json.field("schema", part.schema)
            json.field("epoch", part.epoch)
            json.field("last_seq", part.lastSeq)
            json.endObject()
        }
        json.endArray()
        json.endObject()
        return json.bytes
    }

    /// A manifest without parts.
    init(version: String, at: Timestamp) {
        self.version = version
        self.at = at
    }

    /// Reads a line of JSON; unknown keys are left aside, an unknown kind of part is a fault.
    init(json bytes: [UInt8]) throws(BackupFault) {
        do throws(JSONFault) {
            var json = JSONReader(bytes.span)
            self.init(version: "", at: Timestamp(microseconds: 0))
            try json.beginObject()
            while let key = try json.nextKey() {
                switch key {
                case "version": version = try json.string()
                case "at": at = Timestamp(microseconds: Int64((try json.number() * 1e6).rounded()))
                case "fuser": names[.fuser] = try json.string()
                case "agent": names[.agent] = try json.string()
                case "salt": salt = Hex.bytes(try json.string())
                case "iterations": iterations = try json.integer(Int.self)
                case "left_out":
                    try json.beginArray()
                    while try json.nextElement() { leftOut.append(try json.string()) }
                case "parts":
                    try json.beginArray()
                    while try json.nextElement() { parts.append(try Self.part(&json)) }
                default: try json.skip()
                }
            }
            try json.end()
        } catch {
            throw .damaged
        }
        guard parts.allSatisfy({ $0.bytes >= 0 }) else { throw .damaged }
    }

    private static func part(_ json: inout JSONReader) throws(JSONFault) -> Part {
        var part = Part(kind: .file, program: nil, place: "")
        var kind: Kind?
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "kind": kind = Kind(rawValue: try json.string())
            case "program": part.program = Program(rawValue: try json.string())
            case "place": part.place = try json.string()
            case "bytes": part.bytes = try json.integer(Int.self)
            case "sha256": part.digest = try json.string()
            case "schema": part.schema = try json.integer(Int.self)
            case "epoch": part.epoch = try json.string()
            case "last_seq": part.lastSeq = try json.integer(UInt64.self)
            default: try json.skip()
            }
        }
        guard let kind else {
            // The form of the file has a number of its own: a kind that is not known is damage.
            part.bytes = -1
            return part
        }
        part.kind = kind
        return part
    }
}
