internal import Bytes

/// The brokers of a client, tried in turn: the next one, and the state of each.
///
/// A round begins with the first one, and again after each lost connection. The pause of the backoff follows a whole
/// round.
struct BrokerRound {
    /// The time in seconds for which 3.1.1 is used with a broker that rejected MQTT 5: it may have been replaced after
    /// that.
    static let olderFor = 3600.0

    private struct Entry {
        var address: BrokerAddress
        var olderUntil: MonotonicTime?
        var hasReportedOlder = false
        var lastFailure: MQTTError?
    }

    private var entries: [Entry]
    private var index = 0
    private var reported: Int?

    /// A round of `addresses`, which must not be empty.
    init(_ addresses: [BrokerAddress]) {
        entries = addresses.map { Entry(address: $0) }
        if addresses.count == 1 { reported = 0 }
    }

    /// The address of the current broker.
    var address: BrokerAddress { entries[index].address }

    /// The address of the current broker, if it differs from the one returned last.
    mutating func takeTurn() -> BrokerAddress? {
        guard reported != index else { return nil }
        reported = index
        return address
    }

    /// The protocol version to use with it.
    func version(at now: MonotonicTime) -> ProtocolVersion {
        entries[index].olderUntil.map { now < $0 } ?? false ? .v311 : .v5
    }

    /// Records that it rejected MQTT 5. Returns true if that is to be reported.
    mutating func fallBack(at now: MonotonicTime) -> Bool {
        entries[index].olderUntil = now.advanced(bySeconds: Self.olderFor)
        defer { entries[index].hasReportedOlder = true }
        return !entries[index].hasReportedOlder
    }

    /// Records that it accepted the connection; the next round begins with the first one.
    mutating func succeeded() {
        index = 0
        for place in entries.indices { entries[place].lastFailure = nil }
    }

    /// Records that it could not be reached, and moves to the next one. Returns whether the reason differs from the
    /// previous one, and whether the round is over.
    mutating func failed(_ error: MQTTError) -> (isNew: Bool, isRoundOver: Bool) {
        let isNew = entries[index].lastFailure != error
        entries[index].lastFailure = error
        index = (index + 1) % entries.count
        return (isNew, index == 0)
    }
}
