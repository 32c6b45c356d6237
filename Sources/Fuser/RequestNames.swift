internal import Crypto

/// The ids of a run's requests of one kind: a program that was asked can't answer in place of the next one.
struct RequestNames {
    /// A secret that no earlier run has had, and the kind of the requests.
    private let secret: String

    /// - Parameter secret: a secret that no earlier run and no other kind of requests has.
    init(_ secret: String) { self.secret = secret }

    /// The id of a request by its number.
    func name(of request: UInt64) -> String { "\(request).\(SHA256.hex("\(secret)|\(request)", digits: 16))" }

    /// The number of the request that an id names; nil for any other id.
    func number(of name: String) -> UInt64? {
        guard let number = name.split(separator: ".").first.flatMap({ UInt64($0) }), name == self.name(of: number)
        else {
            return nil
        }
        return number
    }
}
