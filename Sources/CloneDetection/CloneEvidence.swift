public import Bytes

/// The evidence that one identity is sent by several transmitters.
public struct CloneEvidence: Hashable, Sendable {
    /// The kinds of evidence, each with its figures.
    public enum Kind: Hashable, Sendable {
        /// One node, another, and the first again heard it within ten seconds, all above a level in dBm that one
        /// transmitter has never reached at both.
        case places(node: String, other: String, level: Int, usual: Int)
        /// Two nodes at least heard levels that deviate more, in dB within an interval, than those of one transmitter do.
        case levels(node: String, other: String, deviation: Double, usual: Double)
        /// Its frames declare one measured power, in dBm at one metre, another, and the first again.
        case power(node: String, one: Int, other: Int)
        /// An address sends it again after another has, so many times in an interval.
        case addresses(node: String, count: Int)
    }

    /// The kind with its figures.
    public var kind: Kind
    /// The end of the interval in which the latest evidence was found.
    public var at: Timestamp
    /// True if it was sent with a secret: in a private address or an identifier that a key resolves.
    public var isKeyed: Bool

    /// Evidence by all its values.
    public init(_ kind: Kind, at: Timestamp, isKeyed: Bool = false) {
        (self.kind, self.at, self.isKeyed) = (kind, at, isKeyed)
    }

    /// The evidence in words and figures.
    public var text: String {
        switch kind {
        case .places(let node, let other, let level, let usual):
            """
            heard at \(node), at \(other) and at \(node) again within 10 s, each above \(level) dBm; \
            one transmitter reaches \(usual) dBm at both
            """
        case .levels(let node, let other, let deviation, let usual):
            """
            levels at \(node) and \(other) deviate by \(Self.decimal(deviation)) dB within an interval; \
            those of one transmitter by \(Self.decimal(usual)) dB
            """
        case .power(let node, let one, let other):
            "declares a power of \(one) and of \(other) dBm in turn at \(node)"
        case .addresses(let node, let count):
            "sent by two addresses in turn at \(node), to and fro \(count) times in an interval"
        }
    }

    private static func decimal(_ number: Double) -> String {
        let tenths = Int((number * 10).rounded())
        return "\(tenths / 10).\(abs(tenths % 10))"
    }
}
