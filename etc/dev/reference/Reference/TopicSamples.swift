import BeaconFrames
internal import Bytes
internal import HouseTracking
internal import Identity
internal import RoomEstimation
internal import WireProtocol

/// Values in which nothing is absent, as the program encodes them.
///
/// Each property must be set, in one of its samples, to a value that is not 0, false, nil or empty: a key that no sample holds
/// is not checked. `ProtocolTests` fails where no sample sets a property; its `neverSet` lists the exceptions.
extension PayloadSample {
    static let at = Timestamp(microseconds: 1_753_862_400_123_000)
    static let from = Timestamp(microseconds: 1_753_862_400_000_000)
    static let to = Timestamp(microseconds: 1_753_862_401_000_000)
    static let epoch = "5f1c09aa"

    static func of<Value: Sendable>(
        _ value: Value, _ write: (Value, inout JSONWriter) -> Void
    ) -> PayloadSample {
        var json = JSONWriter()
        write(value, &json)
        return PayloadSample(value: value, payload: json.bytes)
    }

    static func of(_ value: some WirePayload & Sendable) -> PayloadSample {
        PayloadSample(value: value, payload: value.payload)
    }

    private static let clock = NodeClock(start: from, origin: at, speed: 4)

    static var telemetry: Telemetry {
        var telemetry = Telemetry(batteryMillivolts: 2950, temperatureCelsius: 21.5)
        telemetry.set("humidity_percent", 45.2)
        return telemetry
    }

    // MARK: Nodes

    static var nodeInfo: PayloadSample {
        var info = NodeInfo(
            version: "0.1.0", room: "kitchen", adapter: "hci0", started: at, epoch: epoch, window: 1,
            publishesAll: true,
            registry: "1cfbe3fcc67844e5")
        info.address = "aa:bb:cc:dd:ee:ff"
        info.features = ["extended"]
        info.exitAfter = 30
        info.offset = 3
        info.overridden = ["window"]
        info.missingKeys = ["phone"]
        info.missingKeysLeftOut = 2
        info.refused = [RefusedEntry(item: "bag", reason: "its beacon is the item 'keys'")]
        info.refusedLeftOut = 2
        info.problems = ["the client's certificate expires in 9 days"]
        info.clock = clock
        var radio = RadioStatus(state: "recovering")
        (radio.adapter, radio.address, radio.features) = ("hci0", info.address, info.features)
        radio.problem = "adapter_mute"
        radio.mend = "unplug the adapter and plug it in again"
        radio.takenBack = 1
        radio.lost = 2
        radio.rungs = [RadioStatus.Rung(name: "reset", tried: 1, helped: 1)]
        info.radio = radio
        info.espresense = "espresense"
        info.area = "Kitchen"
        info.isStatusReadBack = false
        var upgrade = UpgradeReport()
        (upgrade.version, upgrade.before, upgrade.after) = ("0.1.0-991", "0.1.0-990", "0.1.0-990")
        (upgrade.error, upgrade.at) = ("E: Version '0.1.0-991' for 'whereabouts-agent' was not found", from)
        info.upgrade = upgrade
        return of(info) { $0.write(to: &$1) }
    }

    static var scan: PayloadSample {
        var scan = Scan(from: from, to: to, seq: 412, registry: "1cfbe3fcc67844e5", epoch: epoch)
        (scan.windows, scan.reports, scan.malformed, scan.beacons) = (3, 40, 1, 9)
        (scan.gapMilliseconds, scan.dropped, scan.spooled, scan.lastEvent) = (20, 5, 2, 17)
        scan.clock = clock
        return of(scan) { $0.write(to: &$1) }
    }

    static var health: PayloadSample {
        let health = NodeHealth(from: from, to: to, reports: 38.5, gap: 0.02, malformed: 1, dropped: 5, spooled: 2)
        return of(health) { $0.write(to: &$1) }
    }

    static var windows: [PayloadSample] {
        var window = Window(
            seq: 412, from: from, to: to, node: "kitchen", epoch: epoch,
            id: "iBeacon:48534442-4c45-4144-80c0-1800fffffff0-100-1", item: "keys", count: 17)
        window.expected = 19
        window.rssi = Window.Levels(mean: -67.2, median: -67, minimum: -80, maximum: -61, deviation: 3.1)
        (window.power, window.addressReturns) = (-59, 2)
        window.distance = Window.Distance(metres: 2.41, low: 1.5, high: 3.9)
        window.proximity = .near
        window.telemetry = telemetry
        window.url = "https://example.com/"
        var other = Window(seq: 412, from: from, to: to, node: "kitchen", epoch: epoch, id: "000780112233", count: 2)
        other.transmitterClass = .tile
        return [of(window) { $0.write(to: &$1) }, of(other) { $0.write(to: &$1) }]
    }

    static var proximity: PayloadSample {
        of(ProximityReport(proximity: .near, distance: 1.26, since: at)) { $0.write(to: &$1) }
    }

    static var region: PayloadSample {
        var report = RegionReport(exitAfter: 30)
        (report.state, report.since, report.determinedAt) = (.inside, from, at)
        (report.beacons, report.count) = (["keys"], 1)
        report.problem = .cadenceTooSlow
        report.alerts = ["gone-keys"]
        return of(report) { $0.write(to: &$1) }
    }

    static var events: [NodeEvent] {
        var enter = NodeEvent(node: "kitchen", epoch: epoch, seq: 16, at: at, notBefore: from, kind: .enter)
        (enter.region, enter.state, enter.beacon) = ("office", .inside, "keys")
        enter.isReplayed = true
        var alert = NodeEvent(node: "kitchen", epoch: epoch, seq: 17, at: at, notBefore: from, kind: .alert)
        (alert.alert, alert.rule, alert.item, alert.count) = ("gone-keys", "gone", "keys", 1)
        var cleared = NodeEvent(node: "kitchen", epoch: epoch, seq: 18, at: at, notBefore: from, kind: .cleared)
        (cleared.alert, cleared.rule, cleared.item, cleared.reason) = ("gone-keys", "gone", "keys", "returned")
        return [enter, alert, cleared]
    }

    static var nodeEvents: [PayloadSample] { events.map { event in of(event) { $0.write(to: &$1) } } }

    // MARK: Items

    static var itemConfigs: [PayloadSample] {
        var item = Item(
            id: "keys", name: "Keys",
            identities: [
                "iBeacon:48534442-4c45-4144-80c0-1800fffffff0-100-1",
                "altBeacon:48534442-4c45-4144-80c0-1800fffffff0-100-2",
                "eddystone:00112233445566778899-0123456789ab", "aabbccddeeff",
            ].compactMap { BeaconID($0) }, expectedInterval: .seconds(5), key: .irk)
        (item.tags, item.power) = (["anna"], -59)
        return [
            of(ItemChange(id: "keys", content: .item(item), at: at)),
            PayloadSample(
                value: ItemChange(id: "cat", content: .removed, at: at),
                payload: Signature(user: "anna", host: "desk").sign(
                    ItemChange(id: "cat", content: .removed, at: at).payload)),
        ]
    }

    static var locations: [PayloadSample] {
        var item = Location(
            fuser: "main", state: .present, room: "kitchen", confidence: 0.93, since: from, previous: "hall", at: at)
        (item.heard, item.itemSeq) = (at, 12)
        item.reason = [Location.Reason(node: "kitchen", weight: 2.31, level: -67.2)]
        item.rooms = [("kitchen", 0.93), ("hall", 0.07)]
        item.distances = [("kitchen", 2.41)]
        var person = Location(
            fuser: "main", state: .present, room: "kitchen", confidence: 0.93, since: from, previous: "hall", at: at)
        (person.heard, person.itemSeq, person.isPerson, person.name) = (at, 3, true, "Anna")
        person.items = [PersonReason(item: "phone", state: .quiet, room: "kitchen", isLeftBehind: true)]
        return [item, person].map { location in of(location) { $0.write(to: &$1) } }
    }

    private static let evidence = "sent by two addresses in turn at hall, to and fro 2 times in an interval"

    static var itemEvents: [PayloadSample] {
        var moved = ItemEvent(
            fuser: "main", epoch: epoch, seq: 40, itemSeq: 12,
            id: ItemEvent.id(item: "keys", kind: .moved, room: "kitchen", ending: from), at: at, notBefore: from,
            kind: .moved, room: "kitchen", previous: "hall")
        moved.isReplayed = true
        var alert = ItemEvent(
            fuser: "main", epoch: epoch, seq: 41, itemSeq: 13,
            id: ItemEvent.id(item: "keys", kind: .alert, room: nil, ending: from), at: at, notBefore: from,
            kind: .alert,
            room: nil, previous: nil)
        (alert.alert, alert.rule, alert.count) = ("left_home-keys", "left_home", 1)
        var cleared = alert
        (cleared.seq, cleared.itemSeq, cleared.kind, cleared.count) = (42, 14, .cleared, nil)
        cleared.id = ItemEvent.id(item: "keys", kind: .cleared, room: nil, ending: from)
        cleared.reason = "returned"
        var cloned = alert
        (cloned.seq, cloned.itemSeq, cloned.evidence) = (43, 15, evidence)
        (cloned.alert, cloned.rule) = ("cloned-keys", "cloned")
        return [moved, alert, cleared, cloned].map { event in of(event) { $0.write(to: &$1) } }
    }

    static var itemAlerts: PayloadSample {
        let alert = ItemAlerts.Alert(id: "left_home-keys", rule: "left_home", since: from, count: 1)
        let cloned = ItemAlerts.Alert(id: "cloned-keys", rule: "cloned", since: from, count: 1, evidence: evidence)
        return of(ItemAlerts(fuser: "main", alerts: [alert, cloned])) { $0.write(to: &$1) }
    }

    static var itemTelemetry: PayloadSample {
        of(telemetry) { $0.write(to: &$1, at: at, node: "kitchen") }
    }

    static var itemBattery: PayloadSample {
        var report = BatteryReport(fuser: "main", grade: .changeNow, reason: .silent, cell: "cr2032")
        (report.millivolts, report.percent) = (2480, 9)
        (report.days, report.daysLow, report.daysHigh) = (5.5, 2, 9.5)
        (report.since, report.silentSince, report.until) = (from, at, from)
        report.levels = [2530, BatteryReport.noLevel, 2500]
        return of(report) { $0.write(to: &$1) }
    }

    static var occupancy: PayloadSample {
        of(Occupancy(items: ["anna", "cat", "phone"], persons: ["anna"], carried: 1)) { $0.write(to: &$1) }
    }

    static var housePlan: PayloadSample {
        var plan = HousePlan(revision: 7, at: at, by: "anna")
        var floor = HousePlan.Floor(id: "ground", name: "Ground floor")
        (floor.hasPicture, floor.size) = (true, HousePlan.Corner(x: 12.5, y: 8))
        plan.floors = [floor]
        let corners = [(0.0, 0.0), (4, 0), (4, 3.5), (0, 3.5)].map { HousePlan.Corner(x: $0.0, y: $0.1) }
        plan.rooms = [HousePlan.Room(id: "kitchen", name: "Kitchen", floor: "ground", polygon: corners)]
        plan.doors = [HousePlan.Door("kitchen", "hall")]
        plan.nodes = [HousePlan.Node(id: "stove", x: 0.5, y: 1, z: 1.2)]
        return of(plan) { $0.write(to: &$1) }
    }

    static var rollout: PayloadSample {
        var rollout = Rollout(id: epoch, by: "anna", host: "desk", from: from, until: to)
        rollout.version = "0.1.0-990"
        var before = NodeChanges()
        before.window = .override(.milliseconds(500))
        before.publishesAll = .override(true)
        before.exitAfter = .override(.seconds(30))
        before.offset = .override(-3)
        rollout.nodes = [Rollout.Node(node: "kitchen", before: before)]
        var fuser = FuserChanges()
        (fuser.awayAfter, fuser.detectsClones) = (.override(.seconds(90)), .override(true))
        rollout.fusers = [Rollout.Fuser(fuser: "main", before: fuser)]
        return of(rollout)
    }

    static var lessons: [PayloadSample] {
        let lesson = Lesson(
            id: "7", item: "keys", room: "kitchen", walk: "walk-1", taughtAt: at, from: from, to: to,
            nodes: [
                Lesson.Node(id: "kitchen", address: "aa:bb:cc:dd:ee:ff", room: "kitchen", offset: 3),
                Lesson.Node(id: "hall", address: "aa:bb:cc:dd:ee:00", room: "hall", offset: -3),
            ], hops: [])
        // One interval, in which both nodes listened and the second one received 17 packets.
        let text = String(decoding: lesson.bytes, as: UTF8.self)
            .replacing(#""sets":[],"hops":[]"#, with: #""sets":[[0,1]],"hops":[[1000,0,1,-6720,17]]"#)
        let whole = Lesson(bytes: Array(text.utf8).span) ?? lesson
        return [SharedLesson.taught(whole), .undone(at: at)].map { PayloadSample(value: $0, payload: $0.payload) }
    }

    // MARK: Fusers

    static var claim: PayloadSample {
        var claim = Claim(shards: 0...255, state: .serving, epoch: epoch, lastEvent: 42, seq: 7)
        (claim.ready, claim.serves) = (ShardSet(0...127), ShardSet(0...63))
        claim.version = "0.1.0-989"
        var settings = FuserSettings(awayAfter: .seconds(90), detectsClones: true)
        settings.overridden = ["away_after"]
        claim.settings = settings
        claim.teaching = ["keys"]
        claim.problems = ["the broker denies whereabouts/nodes/+/info: not authorized"]
        var neighbours = Claim.Neighbours()
        (neighbours.nodes, neighbours.strangers, neighbours.leftOut, neighbours.letGo) = (2, 30, 1, 1)
        claim.neighbours = neighbours
        return of(claim)
    }
}
