internal import BrokerSession
internal import Bytes
internal import Identity
internal import WebInterface
internal import WireProtocol

/// Enrolment of tags that somebody holds to a node, for the page.
extension FuserService {
    func perform(_ request: EnrolmentRequest) -> PageRequest.Answer {
        switch request {
        case .begin(let node):
            guard session.isConnected else {
                return .unavailable(
                    "the fuser has no connection to its broker, by which nodes are asked: try again later")
            }
            let time = pipeline.time(atWall: wall)
            guard enrolments.begin(node, at: monotonic, house: time) else {
                return .conflict("\(Enrolments.bound) nodes are asked already: end one of them, or wait a minute")
            }
            var json = JSONWriter()
            json.beginObject()
            json.field("node", node)
            json.field("until", time.advanced(by: Enrolments.length))
            json.endObject()
            return .report(json.bytes)
        case .end(let node):
            guard enrolments.end(node) else { return .unknown("node '\(node)' is not asked for tags near it") }
            return .report(Array("{}".utf8))
        }
    }

    /// Asks the nodes that are due, and shows what they have told.
    func turnEnrolments() {
        if session.isConnected { enrolments.advance(to: monotonic, &outbox) }
        guard enrolments.hasChanges else { return }
        let registered = Set(pipeline.registry.book.checkEntries().items.flatMap(\.identities))
        for (node, value) in enrolments.takeChanges(isRegistered: registered.contains) {
            page?.show(enrolment: value, of: node)
        }
    }
}
