internal import Bytes
internal import Web

/// The header that gives a browser its session.
enum SessionCookie {
    static let name = "whereabouts_session"

    /// The header of a session.
    static func header(_ session: PageSession, _ call: Call) -> HTTPResponse.Header {
        header(call.page.gatekeeper.sessions.cookie(of: session), call, seconds: Int(Sessions.lifetime.seconds))
    }

    /// The header that takes the session away.
    static func removal(_ call: Call) -> HTTPResponse.Header { header("", call, seconds: 0) }

    private static func header(_ value: String, _ call: Call, seconds: Int) -> HTTPResponse.Header {
        .init(
            "Set-Cookie",
            "\(name)=\(value); Path=\(call.prefix)/; Max-Age=\(seconds); HttpOnly; SameSite=Strict"
                + (call.page.isSecure ? "; Secure" : ""))
    }
}
