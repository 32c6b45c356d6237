/// What a fuser remembers of a person.
public struct PersonRecord: Hashable, Sendable {
    /// The person's id.
    public var person: String
    /// What is remembered, in the caller's form.
    public var detail: [UInt8]

    /// A record of these values.
    public init(person: String, detail: [UInt8]) {
        (self.person, self.detail) = (person, detail)
    }
}
