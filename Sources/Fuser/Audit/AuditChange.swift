internal import Bytes
internal import Configuration
internal import Store
internal import WebInterface
internal import WireProtocol

/// A change, and the values before and after it.
struct AuditChange {
    /// The kind of change.
    var action: String
    /// The item or person, or `node/`, `fuser/` or `floor/` and the name where no item is named; nil for none.
    var subject: String?
    /// The values, as JSON; nil for none.
    var before: String?, after: String?
    /// The name of the change; empty for one that this fuser alone knows.
    var name = ""

    /// A change without values.
    init(_ action: String, of subject: String?) { (self.action, self.subject) = (action, subject) }

    /// The picture of a floor as a value: its size and, if it is not cleared, its digest.
    static func picture(_ bytes: [UInt8], of floor: String) -> String {
        json { json in
            json.field("floor", floor)
            json.field("bytes", bytes.count)
            if !bytes.isEmpty { json.field("sha256", AuditReport.digest(bytes)) }
        }
    }

    /// The values of an object, as JSON.
    static func json(_ body: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter()
        json.beginObject()
        body(&json)
        json.endObject()
        return json.text
    }
}

/// The origin of a change: who made it, and from where.
struct AuditOrigin {
    var user = "", role = "", peer = "", method = "", path = "", proof = ""

    /// A request of the page, which knows its users.
    init(_ sender: PageRequest.Sender) {
        (user, role, peer) = (sender.user, sender.role.rawValue, sender.peer)
        (method, path, proof) = (sender.method, sender.path, "page")
    }

    /// A message. The broker proves the user in the topic of a command; anything else is the sender's word.
    init(_ message: Message, path: String, sender: CommandSender?) {
        let signature = Signature(in: message.payload.span)
        user = sender?.user ?? signature?.user ?? ""
        role = sender.map { $0.right == .administer ? "admin" : "operator" } ?? ""
        peer = signature?.host ?? ""
        (method, self.path) = ("MQTT", path)
        proof = sender != nil ? "broker" : signature == nil ? "" : "sender"
    }

    /// A signal to a fuser: whoever sent it is not known.
    init(reloadOf fuser: String) { (peer, method) = ("fuser \(fuser)", "reload") }

    /// The report of a gateway about itself.
    init(gateway node: String) { (peer, method, path) = ("node \(node)", "MQTT", "nodes/\(node)/info") }
}

extension AuditRecord {
    /// A row of a change; the memory numbers it.
    init(_ change: AuditChange, by origin: AuditOrigin, status: Int, at time: Timestamp) {
        self.init(
            number: 0, at: time, user: origin.user, role: origin.role, peer: origin.peer, method: origin.method,
            path: origin.path, status: status)
        (proof, action, subject) = (origin.proof, change.action, change.subject)
        (before, after, self.change) = (change.before, change.after, change.name)
    }

    /// The row as it is reported.
    var entry: AuditReport.Entry {
        var entry = AuditReport.Entry(
            number: number, at: at, user: user, role: role, address: peer, method: method, path: path, status: status)
        (entry.change, entry.proof, entry.action) = (change, proof, action)
        (entry.subject, entry.before, entry.after, entry.erased) = (subject, before, after, erased)
        (entry.times, entry.since) = (times, since)
        return entry
    }
}
