public import Bytes
internal import CSSL

/// The time from which an expiry is announced: 14 days ahead, or a third of the lifetime ahead for a lifetime of less
/// than 42 days, so that a certificate renewed every day isn't announced all the time.
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
    /// The announcement that it expires soon, or has expired: 14 days ahead, or a third of its life if that is shorter;
    /// nil at other times.
    ///
    /// - Parameter role: the role of its owner, such as `the broker's certificate`.
    public func expiry(of role: String, at now: Timestamp) -> String? {
        Expiry.sentence("\(role) (\(subject))", from: begins, to: ends, at: now)
    }
}

extension RevocationList {
    /// The announcement that it expires soon, or has expired, as for a certificate; connections are refused after the
    /// expiry.
    public func expiry(at now: Timestamp) -> String? {
        let begins = unsafe UTCDate.moment(X509_CRL_get0_lastUpdate(pointer))
        return Expiry.sentence("the list of revoked certificates", from: begins, to: ends, at: now)
    }
}
