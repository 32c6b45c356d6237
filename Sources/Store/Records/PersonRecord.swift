/// The state of a person in a fuser.
public struct PersonRecord: Hashable, Sendable {
    /// The person's id.
    public var person: String
    /// The state, in the caller's form.
    public var detail: [UInt8]

    /// A record of these values.
    public init(person: String, detail: [UInt8]) {
        (self.person, self.detail) = (person, detail)
    }
}
