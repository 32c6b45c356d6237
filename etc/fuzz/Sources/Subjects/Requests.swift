import Bytes
import Identity
import WireProtocol

/// What anybody may send to a node or to the registry, and what nodes answer and tell. What was read says the same when
/// it is written and read again.
enum Requests {
    static func command(_ bytes: Span<UInt8>) -> Bool {
        let command: NodeCommand
        do {
            command = try NodeCommand(payload: bytes)
        } catch {
            _ = "\(error.fault)"
            return false
        }
        precondition((try? NodeCommand(payload: command.payload.span)) == command, "a command changes by being sent on")
        return true
    }

    static func config(_ bytes: Span<UInt8>) -> Bool {
        let change: ItemChange
        do {
            guard let read = try ItemChange.read(bytes, item: "keys") else { return bytes.isEmpty }
            change = read
        } catch {
            _ = "\(error)"
            return false
        }
        let again = (try? ItemChange.read(change.payload.span, item: "keys")) ?? nil
        precondition(again?.id == change.id, "an entry is lost by being written")
        return true
    }

    static func nodeEvent(_ bytes: Span<UInt8>) -> Bool {
        guard let event = try? NodeEvent(payload: bytes) else { return false }
        let text = Payloads.written { event.write(to: &$0) }
        precondition((try? NodeEvent(payload: text.span))?.seq == event.seq, "an event is lost by being replayed")
        return true
    }

    static func region(_ bytes: Span<UInt8>) -> Bool {
        guard let report = try? RegionReport(payload: bytes) else { return false }
        return Payloads.isWritable { report.write(to: &$0) }
    }

    static func result(_ bytes: Span<UInt8>) -> Bool {
        guard let result = try? CommandResult(payload: bytes) else { return false }
        return Payloads.isWritable { result.write(to: &$0) }
    }

    // MARK: Seeds

    static var commandSeeds: [[UInt8]] {
        [
            #"{"id":"1","action":"replay","epoch":"5f1c09aa","from_seq":17}"#,
            #"{"id":"2","action":"set","window":0.5,"publish":"all","exit_after":null,"offset_db":-3}"#,
            #"{"action":"silence","item":"keys","for":3600}"#, #"{"action":"nearby","for":5}"#,
            #"{"action":"determine","region":"office"}"#, #"{"action":"log","level":"debug"}"#,
            #"{"id":"4","action":"upgrade","version":"0.1.0-990"}"#,
            #"{"id":"3","action":"advertise","frame":"0201061aff4c000215","seconds":10}"#,
        ].map { Array($0.utf8) }
    }

    static var configSeeds: [[UInt8]] {
        [
            #"{"v":1,"id":"keys","name":"Keys","tags":["anna"],"ibeacon":{"uuid":"48534442-4c45-4144-80c0-1800fffffff0","#
                + #""major":100,"minor":1},"expected_interval":5,"power":-59,"at":1795248000.123}"#,
            #"{"v":1,"id":"keys","eddystone_uid":{"namespace":"00112233445566778899","instance":"0123456789ab"}}"#,
            #"{"id":"keys","address":"aa:bb:cc:dd:ee:ff"}"#, #"{"id":"keys","key":"irk"}"#,
            #"{"id":"keys","removed":1795248000.5}"#,
        ].map { Array($0.utf8) }
    }

    static var nodeEventSeeds: [[UInt8]] {
        [
            #"{"v":1,"node":"kitchen","epoch":"5f1c09aa","seq":12,"id":"0123456789abcdef","at":1795248000.5,"#
                + #""not_before":1795248000,"kind":"exit","region":"office","state":"outside","beacon":"keys"}"#,
            #"{"v":1,"node":"kitchen","epoch":"5f1c09aa","seq":13,"id":"0123456789abcdef","at":1795248000.5,"#
                + #""not_before":1795248000,"kind":"alert","alert":"gone-keys","rule":"gone","item":"keys","count":2}"#,
        ].map { Array($0.utf8) }
    }

    static var regionSeeds: [[UInt8]] {
        [
            #"{"v":1,"state":"inside","since":1795248000,"determined_at":1795248000,"count":1,"beacons":["keys"],"#
                + #""exit_after":30,"problem":"cadence_too_slow","alerts":["left_behind-keys"]}"#
        ].map { Array($0.utf8) }
    }

    static var resultSeeds: [[UInt8]] {
        [
            #"{"v":1,"id":"4","action":"nearby","ok":true,"at":1795248000.5,"beacons":[{"id":"c00000000001","ids":"#
                + #"["c00000000001"],"rssi":{"mean":-60.5,"last":-61},"count":9,"power":-59}]}"#,
            #"{"v":1,"id":"4","action":"replay","ok":true,"at":1795248000.5,"replay":{"epoch":"5f1c09aa","first_seq":1,"#
                + #""last_seq":9,"next_seq":4}}"#,
            #"{"v":1,"ok":false,"error":"there is no action","at":1795248000.5}"#,
        ].map { Array($0.utf8) }
    }
}
