public import Bytes
internal import CSSL

/// When what expires is told of: 14 days ahead, or for what lives shorter than 42 days a third of its life ahead, so that
/// what is renewed every day isn't told of all the time.
enum Expiry {
    private static let horizon: Int64 = 14 * 86_400 * 1_000_000

    static func sentence(_ what: String, from begins: Timestamp?, to ends: Timestamp?, at now: Timestamp) -> String? {
        guard let ends else { return nil }
        let life = begins.map { ends.microseconds(since: $0) } ?? .max
        guard ends.microseconds(since: now) < min(horizon, life / 3) else { return nil }
        return "\(what) \(ends < now ? "expired" : "expires") at \(UTCDate.text(ends))"
    }
}

extension Certificate {
    /// That it expires soon, or has: 14 days ahead, or a third of its life where that is shorter. Nil where it doesn't.
    ///
    /// - Parameter role: whose it is, such as `the broker's certificate`.
    public func expiry(of role: String, at now: Timestamp) -> String? {
        Expiry.sentence("\(role) (\(subject))", from: begins, to: ends, at: now)
    }
}

extension RevocationList {
    /// That it expires soon, or has, as a certificate's does; connections are refused from then on.
    public func expiry(at now: Timestamp) -> String? {
        let begins = unsafe UTCDate.moment(X509_CRL_get0_lastUpdate(pointer))
        return Expiry.sentence("the list of revoked certificates", from: begins, to: ends, at: now)
    }
}
