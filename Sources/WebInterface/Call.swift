internal import Bytes
internal import Configuration
internal import Web
internal import WireProtocol

/// A request that has found its route, and may use it.
struct Call: Sendable {
    let request: HTTPRequest
    /// The sender; nil for routes that are open to everybody, if it has not signed in.
    var visitor: Visitor?
    /// The values of the path's names.
    let names: [String: String]
    /// The path below which the browser has the page, without a slash at its end.
    let prefix: String
    let page: PageCore

    /// An id in the path; 404 if it can't be one.
    func id(_ name: String) throws(Problem) -> String {
        guard let id = names[name], Identifier.isValid(id) else {
            throw Problem(404, "There is nothing at this address: '\(name)' in it is no id.")
        }
        return id
    }

    /// A whole number of the query within bounds; nil if it is absent.
    func integer(_ name: String, _ range: ClosedRange<Int>) throws(Problem) -> Int? {
        guard let text = request.target.query[name] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw Problem(
                400, "'\(name)' must be a whole number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    /// The moments that a query may name, in Unix seconds.
    static let moments = -1e10...1e11

    /// A moment of the query, in Unix seconds; nil if it is absent.
    func moment(_ name: String) throws(Problem) -> Timestamp? {
        guard let text = request.target.query[name] else { return nil }
        guard let seconds = Double(text), seconds.isFinite, Self.moments.contains(seconds) else {
            throw Problem(400, "'\(name)' must be a time in Unix seconds.")
        }
        return Timestamp(microseconds: Int64(seconds * 1_000_000))
    }

    /// A switch of the query; false if it is absent.
    func flag(_ name: String) throws(Problem) -> Bool {
        switch request.target.query[name] {
        case nil, "false": return false
        case "true": return true
        default: throw Problem(400, "'\(name)' must be true or false.")
        }
    }

    /// Asks the fuser; its answer is the answer of the page.
    func ask(_ action: PageRequest.Action) throws(Problem) -> HTTPAnswer {
        let deferred = DeferredAnswer()
        let sender = PageRequest.Sender(
            user: visitor?.user ?? "", role: visitor?.role ?? .viewer, peer: request.peer,
            method: request.method.rawValue, path: "/" + request.target.path.joined(separator: "/"))
        let asked = PageRequest(action: action, sender: sender, account: visitor?.account ?? "") { answer in
            deferred.complete(PageHandler.secure(answer.response))
        }
        try page.requests.post(asked)
        return .later(deferred)
    }
}

/// The parts of a page that all routes share.
final class PageCore: Sendable {
    let board: Board
    let gatekeeper: Gatekeeper
    let requests: PageRequests
    let plans: PlanShelf
    let sites: (any SitesDirectory)?
    let isSecure: Bool

    init(
        _ board: Board, _ gatekeeper: Gatekeeper, _ requests: PageRequests, _ plans: PlanShelf = PlanShelf(),
        sites: (any SitesDirectory)? = nil, isSecure: Bool
    ) {
        self.board = board
        self.gatekeeper = gatekeeper
        self.requests = requests
        self.plans = plans
        self.sites = sites
        self.isSecure = isSecure
    }
}
