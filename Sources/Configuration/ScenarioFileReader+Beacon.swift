import Advertising
import Simulation

extension ScenarioFileReader {
    func beacon(_ map: MapReader) -> Scenario.Beacon {
        var beacon = Scenario.Beacon(
            id: map.require("id", reader.string) ?? "-", kind: readKind(map), place: .fixed(Point(x: 0, y: 0)))
        beacon.address = readAddress(map)
        beacon.interval = map.read("interval", seconds) ?? beacon.interval
        beacon.power = map.read("power", number) ?? beacon.power
        beacon.claimedPower = map.read("claimed_power", reader.integer(-128...127)).map { Int8($0) }
        beacon.telemetryInterval = map.read("telemetry_interval", seconds)
        if map.node("carried_by") != nil {
            let worn = map.read("worn", reader.word(Scenario.Worn.allCases.map(\.rawValue)))
            beacon.place = .carried(
                by: map.read("carried_by", reader.string) ?? "", worn: worn.flatMap(Scenario.Worn.init) ?? .pocket,
                height: map.read("height", number) ?? 1)
        } else if map.node("x") != nil || map.node("y") != nil {
            beacon.place = .fixed(
                Point(
                    x: map.require("x", number) ?? 0, y: map.require("y", number) ?? 0, z: map.read("z", number) ?? 1))
        } else {
            reader.fault(map.position, "a beacon needs 'carried_by', or its place in 'x' and 'y'")
        }
        return beacon
    }

    private func readKind(_ map: MapReader) -> Scenario.Kind {
        let word = reader.integer(0...65_535)
        let uuid = reader.uuid
        let iBeacon = reader.map { map -> Scenario.Kind? in
            let (uuid, major, minor) =
                (map.require("uuid", uuid), map.require("major", word), map.require("minor", word))
            guard let uuid, let major, let minor else { return nil }
            return .iBeacon(uuid: uuid, major: UInt16(major), minor: UInt16(minor))
        }
        let altBeacon = reader.map { map -> Scenario.Kind? in
            let (uuid, major, minor) =
                (map.require("uuid", uuid), map.require("major", word), map.require("minor", word))
            let company = map.read("company", word) ?? 0x0118
            guard let uuid, let major, let minor else { return nil }
            return .altBeacon(company: UInt16(company), uuid: uuid, major: UInt16(major), minor: UInt16(minor))
        }
        let eddystone = reader.map { map -> Scenario.Kind? in
            let namespace = map.require("namespace", self.reader.namespace)
            let instance = map.require("instance", self.reader.hexadecimal(digits: 12))
            guard let namespace, let instance else { return nil }
            return .eddystoneUID(namespace: namespace, instance: instance)
        }
        let kinds: [(key: String, getter: ConfigurationReader.Getter<Scenario.Kind>)] = [
            ("ibeacon", iBeacon), ("altbeacon", altBeacon), ("eddystone_uid", eddystone),
            ("address_only", { self.reader.boolean($0).map { _ in .addressOnly } }),
        ]
        let named = kinds.filter { map.node($0.key) != nil }
        guard named.count == 1 else {
            reader.fault(
                map.position, "a beacon needs one of \(kinds.map { "'\($0.key)'" }.joined(separator: ", "))")
            return .addressOnly
        }
        return map.read(named[0].key, named[0].getter) ?? .addressOnly
    }

    private func readAddress(_ map: MapReader) -> Scenario.Address {
        let period = map.read("address_period", seconds)
        let type = map.read("address_type", reader.word(["public", "random"])) ?? "random"
        let text: ConfigurationReader.Getter<DeviceAddress> = { node in
            guard let text = self.reader.string(node) else { return nil }
            guard let address = DeviceAddress(text, type == "public" ? .public : .random) else {
                self.reader.expected("an address such as c0:11:22:33:44:55", node)
                return nil
            }
            return address
        }
        let fixed = map.read("address", text)
        if let period {
            if map.node("address") != nil {
                reader.fault(map.place("address_period"), "an address that is given can't change as well")
            }
            return .rotating(period: period)
        }
        return fixed.map { .fixed($0) } ?? .derived
    }
}
