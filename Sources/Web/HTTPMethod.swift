/// The method of a request (RFC 9110 section 9). Requests with any other are refused (501).
public enum HTTPMethod: String, CaseIterable, Sendable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
    case options = "OPTIONS"
    case trace = "TRACE"
    case query = "QUERY"

    /// True if the method changes nothing (RFC 9110 section 9.2.1).
    public var isSafe: Bool {
        switch self {
        case .get, .head, .options, .trace, .query: true
        case .post, .put, .patch, .delete: false
        }
    }
}
