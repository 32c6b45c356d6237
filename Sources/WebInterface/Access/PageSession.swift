internal import Bytes
internal import Configuration

/// A viewer that has signed in, as its cookie says.
struct PageSession: Hashable, Sendable {
    let user: String
    let role: WebRole
    /// The random name under which the session can be ended.
    let id: String
    /// The time of signing in.
    let began: Timestamp
    /// The time at which the cookie expires. A renewed one lasts longer, under the same id.
    let expiry: Timestamp

    /// The first field of the text: another form has another.
    private static let form = "1"

    init(user: String, role: WebRole, id: String, began: Timestamp, expiry: Timestamp) {
        self.user = user
        self.role = role
        self.id = id
        self.began = began
        self.expiry = expiry
    }

    /// Reads what `text` writes; nil for anything else.
    init?(_ text: some StringProtocol) {
        let fields = text.split(separator: ".", omittingEmptySubsequences: false)
        guard fields.count == 6, fields[0] == Self.form, let role = WebRole(rawValue: String(fields[1])),
            let user = Hex.bytes(fields[2]), let began = Int64(fields[4]), let expiry = Int64(fields[5])
        else { return nil }
        self.init(
            user: String(decoding: user, as: UTF8.self), role: role, id: String(fields[3]),
            began: Timestamp(microseconds: began), expiry: Timestamp(microseconds: expiry))
    }

    /// All of it, in characters that a cookie may have.
    var text: String {
        let name = Hex.text(Array(user.utf8).span)
        return [Self.form, role.rawValue, name, id, "\(began.microseconds)", "\(expiry.microseconds)"]
            .joined(separator: ".")
    }
}
