internal import Configuration

/// The sender of a request, as far as it is known who that is.
struct Visitor: Sendable {
    /// The means by which a visitor is known.
    enum Means: Sendable {
        /// A session's cookie, which a browser sends by itself.
        case session(Session)
        /// A token in the head of each request.
        case bearer
        /// A trusted proxy in front of the page, which has signed the user in.
        case ingress(csrf: String)
    }

    let user: String
    let role: WebRole
    let means: Means

    /// False as soon as the session has ended.
    var isSignedIn: Bool {
        switch means {
        case .session(let session): !session.isEnded
        case .bearer, .ingress: true
        }
    }

    /// The text that a write must repeat; nil if none is needed.
    var csrf: String? {
        switch means {
        case .session(let session): session.csrf
        case .ingress(let csrf): csrf
        case .bearer: nil
        }
    }
}
