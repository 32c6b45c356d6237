public import Bytes

/// Converts HCI events to advertising reports: LE Advertising Report (Core Vol 4 Part E 7.7.65.2) and LE Extended
/// Advertising Report (7.7.65.13), each of which may hold several.
///
/// Fragments of extended data are joined by address, SID and event type: up to 1650 bytes a set, 16 sets at a time,
/// each for a second after its latest fragment. Fragments beyond these bounds are dropped and counted. A joined report
/// has the fields of its last fragment. In a steady state nothing is allocated.
///
///     var decoder = AdvertisingReportDecoder()
///     try decoder.decode(event.span, at: now) { report, data in … }
public struct AdvertisingReportDecoder: Sendable {
    /// The maximum number of bytes of one report's data.
    public static let maximumDataLength = FragmentTable.maximumBytes
    /// The maximum number of advertising sets with incomplete data.
    public static let maximumOpenSets = FragmentTable.maximumSets

    var tally = AdvertisingCounters()
    var fragments = FragmentTable()

    /// A decoder in its initial state.
    public init() {}

    /// The counters since its beginning.
    public var counters: AdvertisingCounters {
        var counters = tally
        counters.fragmentsDropped = fragments.dropped
        return counters
    }

    /// Drops the fragments of all incomplete sets, as after a reset of the controller or at the end of a recording.
    public mutating func abandonFragments() {
        fragments.removeAll()
    }

    /// Passes the reports of one event to `body`.
    ///
    /// Legacy reports are read one after another, each whole, as controllers send them, though the specification's
    /// `Event_Type[i]` can be read as arrays. Other events are ignored.
    ///
    /// - Parameters:
    ///   - event: One whole HCI event without the H4 indicator: event code, parameter length, parameters.
    ///   - time: The time of reception, by which fragments expire.
    ///   - body: Called for each report in order. The data is the advertising data; it may be read until `body`
    ///     returns.
    /// - Throws: The first fault, after all whole reports were passed. A report with a reserved value is left out and
    ///   reading continues; after a length that passes the end no further report can be read.
    public mutating func decode(
        _ event: Span<UInt8>, at time: Timestamp, _ body: (AdvertisingReport, Span<UInt8>) -> Void
    ) throws(AdvertisingFault) {
        guard let code = event.byte(at: 0) else { throw malformed(.eventTooShort, at: 0) }
        guard code == HCIEvent.leMeta else {
            tally.otherEvents += 1
            return
        }
        guard event.count >= 3, event[1] >= 1 else { throw malformed(.eventTooShort, at: min(event.count, 2)) }
        guard let layout = ReportLayout(subevent: event[2]) else {
            tally.otherEvents += 1
            return
        }
        tally.events += 1
        let announced = 2 + Int(event[1])
        guard event.count >= 4, announced >= 4 else { throw malformed(.eventTooShort, at: 3) }
        let count = Int(event[3])
        guard count > 0 else { throw malformed(.noReports, at: 3) }
        var reader = ReportReader(layout, end: min(announced, event.count))
        var first: AdvertisingFault?
        for _ in 0..<count {
            do throws(AdvertisingFault) {
                switch layout {
                case .legacy: try legacy(event, &reader, body)
                case .extended: try extended(event, &reader, at: time, body)
                }
            } catch {
                let fault = malformed(error)
                first = first ?? fault
                if reader.isBroken { break }
            }
        }
        if let first { throw first }
        if announced > event.count { throw malformed(.parametersPastEnd, at: 1) }
        if reader.offset < announced { throw malformed(.bytesAfterReports, at: reader.offset) }
        if announced < event.count { throw malformed(.bytesAfterEvent, at: announced) }
    }

    private mutating func malformed(_ reason: AdvertisingFault.Reason, at offset: Int) -> AdvertisingFault {
        malformed(AdvertisingFault(reason, at: offset))
    }

    private mutating func malformed(_ fault: AdvertisingFault) -> AdvertisingFault {
        tally.malformed += 1
        return fault
    }
}
