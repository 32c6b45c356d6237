internal import Bytes
internal import Web

/// A refused request (RFC 9457).
struct Problem: Error, Hashable {
    let status: Int
    /// The fault, its place, and the mend.
    let detail: String
    var headers: [HTTPResponse.Header] = []

    init(_ status: Int, _ detail: String, headers: [HTTPResponse.Header] = []) {
        self.status = status
        self.detail = detail
        self.headers = headers
    }

    /// Too many requests, of which one may come after a time.
    static func tooSoon(_ wait: Duration) -> Problem {
        let seconds = max(1, Int(wait.seconds.rounded(.up)))
        return Problem(
            429, "Too many attempts from this address. Try again in \(seconds) s.",
            headers: [.init("Retry-After", "\(seconds)")])
    }

    var response: HTTPResponse {
        var json = JSONWriter()
        json.beginObject()
        json.field("type", "about:blank")
        json.field("title", Self.title(status))
        json.field("status", status)
        json.field("detail", detail)
        json.endObject()
        return HTTPResponse(
            status,
            headers: [.init("Content-Type", "application/problem+json"), .init("Cache-Control", "no-store")]
                + headers, body: json.bytes)
    }

    static func title(_ status: Int) -> String {
        switch status {
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 409: "Conflict"
        case 411: "Length Required"
        case 412: "Precondition Failed"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 415: "Unsupported Media Type"
        case 422: "Unprocessable Content"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 501: "Not Implemented"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        default: "Error"
        }
    }
}

extension HTTPResponse {
    /// An answer of JSON, which nobody stores.
    static func json(_ bytes: [UInt8], status: Int = 200, headers: [Header] = []) -> HTTPResponse {
        HTTPResponse(
            status, headers: [.init("Content-Type", "application/json"), .init("Cache-Control", "no-store")] + headers,
            body: bytes)
    }

    /// An answer of JSON that a closure writes.
    static func json(
        status: Int = 200, headers: [Header] = [], _ write: (inout JSONWriter) -> Void
    ) -> HTTPResponse {
        var json = JSONWriter()
        write(&json)
        return .json(json.bytes, status: status, headers: headers)
    }

    /// An answer that says only that it was done.
    static var done: HTTPResponse { HTTPResponse(204, headers: [.init("Cache-Control", "no-store")]) }
}
