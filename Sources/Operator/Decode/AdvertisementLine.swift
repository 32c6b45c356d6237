internal import Advertising
internal import BeaconFrames
internal import Bytes

/// The line that `decode` prints for an advertisement: a JSON object of
///
/// - `t`: the time of reception, in Unix seconds; absent if the input has none;
/// - `address` such as `aa:bb:cc:dd:ee:ff`; absent if `address_type` is `anonymous`, which has none;
/// - `address_type`: `public`, `random`, `public_identity`, `random_identity` or `anonymous`;
/// - `rssi` in dBm; absent if the controller reported none;
/// - `event`: the PDU, such as `adv_nonconn_ind` or `ext_adv` (`AdvertisingEventType.name`);
/// - `data`: the advertising data in hexadecimal digits;
/// - `class`: the kind of transmitter if it is known (``TransmitterClass``); absent if it is not;
/// - `frames`: each beacon frame in it.
///
/// Bare advertising data has the last three alone.
struct AdvertisementLine {
    private var json = JSONWriter()
    /// Number of advertisements with AD structures that pass the end of the data.
    private(set) var brokenStructures = 0

    /// The line of a report, with its line end. It is valid until the next.
    @_lifetime(&self)
    mutating func report(
        _ report: AdvertisingReport, _ data: Span<UInt8>, at time: Timestamp?
    ) -> Span<UInt8> {
        json.removeAll()
        json.beginObject()
        json.field("t", time)
        if report.address.kind != .anonymous { json.field("address", report.address.text) }
        json.field("address_type", report.address.kind.name)
        json.field("rssi", report.rssi)
        json.field("event", report.eventType.name)
        finishLine(data)
        return json.bytes.span
    }

    /// The line of bare advertising data, with its line end. It is valid until the next.
    @_lifetime(&self)
    mutating func bare(_ data: Span<UInt8>) -> Span<UInt8> {
        json.removeAll()
        json.beginObject()
        finishLine(data)
        return json.bytes.span
    }

    private mutating func finishLine(_ data: Span<UInt8>) {
        json.field("data", hex: data)
        json.field("class", TransmitterClass(data: data)?.rawValue)
        json.beginArray("frames")
        let fault = BeaconFrame.decode(data: data) { $0.write(to: &json) }
        json.endArray()
        json.endObject()
        json.endLine()
        if fault != nil { brokenStructures += 1 }
    }
}
