internal import Bytes
internal import Configuration
internal import System

/// The sender of a request, as far as it is known who that is.
struct Visitor: Sendable {
    /// The means by which a visitor is known.
    enum Means: Sendable {
        /// A session's cookie, which a browser sends by itself.
        case session(PageSession, of: Sessions)
        /// A token in the head of each request, from an address.
        case bearer(role: WebRole, peer: String)
        /// A trusted proxy in front of the page, which has signed the user in.
        case ingress(csrf: String)
    }

    let user: String
    let role: WebRole
    let means: Means

    init(user: String, role: WebRole, means: Means) {
        self.user = user
        self.role = role
        self.means = means
    }

    /// The visitor of a session.
    init(_ session: PageSession, of sessions: Sessions) {
        self.init(user: session.user, role: session.role, means: .session(session, of: sessions))
    }

    /// False as soon as its streams must end.
    func keepsStream(at now: Timestamp) -> Bool {
        switch means {
        case .session(let session, let sessions): sessions.keepsStream(of: session, at: now)
        case .bearer, .ingress: true
        }
    }

    /// The text that a write must repeat; nil if none is needed.
    var csrf: String? {
        switch means {
        case .session(let session, let sessions): sessions.csrf(of: session)
        case .ingress(let csrf): csrf
        case .bearer: nil
        }
    }

    /// The name under which its requests are counted.
    var account: String {
        switch means {
        case .session(let session, _): "session \(session.id)"
        case .bearer(let role, let peer): "token \(role.rawValue) \(peer)"
        case .ingress: "ingress \(user)"
        }
    }
}
