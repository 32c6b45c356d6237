internal import CSSL

/// The reason why an authority can't make something.
public enum AuthorityFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// A function of OpenSSL failed, with its reason.
    case failed(function: String, reason: String)
    /// The certificate isn't an authority's.
    case notAnAuthority
    /// The request isn't signed with its own key.
    case forgedRequest
    /// A name or a host contains characters that a certificate can't have.
    case malformedName(String)

    /// A sentence without its end.
    public var description: String {
        switch self {
        case .failed(let function, let reason): "\(function) failed: \(reason)"
        case .notAnAuthority: "the certificate is no authority's"
        case .forgedRequest: "the request isn't signed with its own key"
        case .malformedName(let name): "'\(name)' can't stand in a certificate"
        }
    }

    /// The error of the function that has just failed.
    static func last(_ function: String) -> AuthorityFault {
        defer { ERR_clear_error() }
        let code = ERR_peek_last_error()
        let reason = unsafe ERR_reason_error_string(code).map { unsafe String(cString: $0) }
        return .failed(function: function, reason: reason ?? "error \(code)")
    }

    static func check(_ function: String, _ isDone: Bool) throws(AuthorityFault) {
        if !isDone { throw last(function) }
    }

    static func unwrap<Value>(_ function: String, _ value: Value?) throws(AuthorityFault) -> Value {
        guard let value else { throw last(function) }
        return value
    }
}
