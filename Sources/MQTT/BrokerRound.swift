/// The brokers of a client, tried in turn: which one is next, and what is known of each.
///
/// A round begins with the first one, and again after each connection that was lost. The pause of the backoff comes
/// after a whole round.
struct BrokerRound {
    /// For how many seconds a broker that refused MQTT 5 is spoken to in 3.1.1: it may be another by then.
    static let olderFor = 3600.0

    private struct Entry {
        var address: BrokerAddress
        var olderUntil: MonotonicTime?
        var hasToldOlder = false
        var lastFailure: MQTTError?
    }

    private var entries: [Entry]
    private var index = 0
    private var told: Int?

    /// `addresses` must hold one at least.
    init(_ addresses: [BrokerAddress]) {
        entries = addresses.map { Entry(address: $0) }
        if addresses.count == 1 { told = 0 }
    }

    /// The one whose turn it is.
    var address: BrokerAddress { entries[index].address }

    /// Its address, where another one was told last.
    mutating func takeTurn() -> BrokerAddress? {
        guard told != index else { return nil }
        told = index
        return address
    }

    /// In which version it is spoken to.
    func version(at now: MonotonicTime) -> ProtocolVersion {
        entries[index].olderUntil.map { now < $0 } ?? false ? .v311 : .v5
    }

    /// It refused MQTT 5; whether that is to be told.
    mutating func fallBack(at now: MonotonicTime) -> Bool {
        entries[index].olderUntil = now.advanced(bySeconds: Self.olderFor)
        defer { entries[index].hasToldOlder = true }
        return !entries[index].hasToldOlder
    }

    /// It took the connection; the next round begins with the first one.
    mutating func succeeded() {
        index = 0
        for place in entries.indices { entries[place].lastFailure = nil }
    }

    /// It could not be had, and the next one has its turn. Whether the reason is another than last time, and whether the
    /// round is over.
    mutating func failed(_ error: MQTTError) -> (isNew: Bool, isRoundOver: Bool) {
        let isNew = entries[index].lastFailure != error
        entries[index].lastFailure = error
        index = (index + 1) % entries.count
        return (isNew, index == 0)
    }
}
