import BeaconFrames
import Bytes
import Foundation
import WireProtocol
import Support
import Testing

extension Live {
    /// Phones and encrypted tags as items, by the programs as they are built.
    @Suite("Phones and encrypted tags") struct Keys {
        private let topics = Topics()

        private struct House {
            let deployment: Deployment
            let configuration: String
            let capture: KeyedCapture

            init(_ broker: Broker) throws {
                deployment = try Deployment(broker)
                let folder = deployment.folder
                capture = KeyedCapture()
                try FileManager.default.createDirectory(
                    atPath: folder.file("keys"), withIntermediateDirectories: false)
                let origin = 1_790_000_000
                // In the spelling of a keychain, and in others.
                let phone = Data(capture.keys["phone", default: []].reversed()).base64EncodedString()
                try House.key(folder, "phone.irk", phone)
                try House.key(folder, "keys/watch.irk", capture.hex("watch"))
                try House.key(folder, "cat.eid", capture.hex("cat"))
                try House.key(folder, "keys/dog.eid", "\(capture.hex("dog")) \(KeyedCapture.exponent) \(origin)")
                try House.key(folder, "fridge.bthome", capture.hex("fridge"))
                try House.key(folder, "mistaken.bthome", capture.hex("mistaken"))
                let items = """
                    - {id: phone, irk_file: phone.irk}
                    - {id: watch, key: irk}
                    - {id: cat, eid: {key_file: cat.eid, rotation_exponent: \(KeyedCapture.exponent), clock: \(origin)}}
                    - {id: dog, key: eid}
                    - {id: fridge, bthome: {address: "\(KeyedCapture.sensor)", key_file: fridge.bthome}}
                    - {id: mistaken, bthome: {address: "\(KeyedCapture.mistaken)", key_file: mistaken.bthome}}
                    - {id: sauna, address: "\(KeyedCapture.ruuvi)"}
                    - {id: tablet, address: "\(KeyedCapture.changing)"}
                    - {id: absent, key: irk}
                    - {id: lamp, bthome: {address: "a4:c1:38:00:55:66", key_file: lamp.bthome}}

                    """
                _ = try folder.write(Array(items.utf8), to: "items.yaml")
                configuration = try deployment.agent(
                    "kitchen", source: "replay:\(folder.file("air.btsnoop"))",
                    ["keys: keys", "window: 10s", "state: agent.sqlite"])
            }

            private static func key(_ folder: TemporaryFolder, _ name: String, _ text: String) throws {
                _ = try folder.write(Array(text.utf8), to: name)
                try setMode(0o600, of: folder.file(name))
            }

            /// Replays so many seconds; the agent's log.
            func replay(_ seconds: Int64) async throws -> String {
                var capture = capture
                try capture.write(to: deployment.folder.file("air.btsnoop"), seconds: seconds)
                let agent = try RunningProgram("whereabouts-agent", ["--config", configuration, "--speed", "max"])
                #expect(try await agent.status(within: 120) == 0, "\(agent.errors)")
                return agent.errors + agent.output
            }
        }

        private func windows(_ recorder: Recorder, _ item: String, from start: Int = 0) -> [Window] {
            recorder.messages[start...].filter { $0.topic.contains("/windows/") }
                .compactMap { try? Window(payload: $0.payload.span) }.filter { $0.item == item }
        }

        private func reading(_ telemetry: Telemetry?, _ name: String) -> Telemetry.Reading.Value? {
            telemetry?.others.first { $0.name == name }?.value
        }

        @Test(
            "Track each as one item over its addresses and identifiers, report faults, and expose no key"
        )
        func wholeRoad() async throws {
            let broker = try Broker(["max_queued_messages 0"])
            let house = try House(broker)
            let recorder = try Recorder(broker)
            #expect(try await recorder.ready())
            let fuser = try RunningProgram(
                "whereabouts-fuser",
                [
                    "--config",
                    try house.deployment.file(
                        "fuser.yaml", ["name: main", "items: items.yaml", "state: fuser.sqlite"]),
                ])
            var printed = try await house.replay(1_800)
            #expect(try await recorder.wait(20) { $0.text(topics.nodeStatus("kitchen")) == "offline" })
            // Present throughout, as one.
            for (item, id) in [("phone", "irk:phone"), ("watch", "irk:watch"), ("cat", "eid:cat")] {
                let windows = windows(recorder, item)
                #expect(windows.count == 180 && windows.allSatisfy { $0.id == id }, "\(item): \(windows.count)")
            }
            #expect(windows(recorder, "phone").allSatisfy { $0.count == 10 })
            let cat = windows(recorder, "cat")
            #expect(cat.allSatisfy { $0.telemetry == Telemetry(batteryMillivolts: 2_876, temperatureCelsius: 21.5) })
            #expect(cat.allSatisfy { $0.power == -61 })
            let fridge = windows(recorder, "fridge")
            #expect(fridge.count == 180)
            for window in fridge {
                #expect(window.telemetry?.temperatureCelsius == 5)
                #expect(reading(window.telemetry, "battery_percent") == .number(97))
                #expect(reading(window.telemetry, "door") == .flag(true))
            }
            let sauna = windows(recorder, "sauna")
            #expect(sauna.count == 180 && sauna.allSatisfy { $0.telemetry?.batteryMillivolts == 2_977 })
            #expect(sauna.allSatisfy { reading($0.telemetry, "humidity_percent") == .number(53.49) })
            #expect(sauna.allSatisfy { reading($0.telemetry, "pressure_hpa") == .number(1_000.44) })
            // The dog's clock is three days off: reported, then followed once it has continued for three identifiers.
            let dog = windows(recorder, "dog")
            #expect((60...160).contains(dog.count) && dog.allSatisfy { $0.id == "eid:dog" }, "\(dog.count)")
            #expect(printed.contains("'dog' is heard with a clock 3 days behind"))
            // Another owner's key, readings that were recorded, an address that will change.
            #expect(windows(recorder, "mistaken").allSatisfy { $0.telemetry == nil })
            #expect(!windows(recorder, "mistaken").isEmpty)
            #expect(printed.contains("'mistaken' sends what its key doesn't open"))
            #expect(printed.contains("'fridge' sends again what was sent before"))
            #expect(printed.contains("'tablet' is registered by an address that its device changes"))
            // No other transmitter is an item.
            let all = Set(
                recorder.messages.filter { $0.topic.contains("/windows/") }.map { $0.topic.split(separator: "/")[3] })
            #expect(all == ["phone", "watch", "cat", "dog", "fridge", "mistaken", "sauna", "tablet"])
            let info = recorder.messages.last { $0.topic == topics.nodeInfo("kitchen") && !$0.payload.isEmpty }
            let payload = try #require(info).payload
            let told = try NodeInfo(payload: payload.span)
            #expect(told.missingKeys == ["absent"])
            #expect(told.problems.contains { $0.hasPrefix("'lamp' has no key here") }, "\(told.problems)")
            #expect(told.problems.contains { $0.hasPrefix("'fridge' sends again") }, "\(told.problems)")

            // A recorded packet that is received after a restart is rejected; the clock is known at once.
            let start = recorder.messages.count
            printed += try await house.replay(300)
            #expect(try await recorder.wait(20) { windows($0, "phone", from: start).count == 30 })
            #expect(windows(recorder, "fridge", from: start).count == 30)
            #expect(windows(recorder, "fridge", from: start).allSatisfy { $0.telemetry == nil })
            #expect(windows(recorder, "dog", from: start).count == 30)

            let list = try Execution.run(
                Execution.path(of: "whereabouts"), ["items", "list", "--config", house.configuration, "--json"])
            let doctor = try Execution.run(
                Execution.path(of: "whereabouts"), ["doctor", "--config", house.configuration])
            let check = try Execution.run(
                Execution.path(of: "whereabouts-agent"), ["--config", house.configuration, "--check"])
            #expect(list.status == 0 && check.status == 0, "\(list.error)\(check.error)")
            printed += [list, doctor, check].map { $0.lines.joined(separator: "\n") + $0.error }.joined()
            printed += fuser.errors + fuser.output
            try expectNoKey(house, recorder, printed)
        }

        /// Searches for every key in all that was published, printed and stored.
        private func expectNoKey(_ house: House, _ recorder: Recorder, _ printed: String) throws {
            let folder = house.deployment.folder
            var places: [(String, [UInt8])] = [("what was printed", Array(printed.utf8))]
            var published: [UInt8] = []
            for message in recorder.messages { published += Array(message.topic.utf8) + [0] + message.payload + [0] }
            #expect(published.count > 100_000)
            places.append(("topics", published))
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.contains(".sqlite")
            {
                places.append((name, Array(try Data(contentsOf: URL(filePath: folder.file(name))))))
            }
            #expect(places.count >= 4, "\(places.map(\.0))")
            for (place, bytes) in places {
                let data = Data(bytes)
                for name in house.capture.keys.keys {
                    for spelling in house.capture.spellings(name) {
                        #expect(data.range(of: Data(spelling)) == nil, "the key of \(name) in \(place)")
                    }
                }
            }
            // The search finds keys that are there.
            let file = try Data(contentsOf: URL(filePath: folder.file("keys/watch.irk")))
            #expect(house.capture.spellings("watch").contains { file.range(of: Data($0)) != nil })
        }

        @Test("Register a phone by the file of its key, which stays in place, and report a node that lacks it")
        func addByFile() async throws {
            let broker = try Broker()
            let deployment = try Deployment(broker)
            let recorder = try Recorder(broker)
            #expect(try await recorder.ready())
            let file = deployment.folder.file("my-phone.txt")
            let key = "00112233445566778899aabbccddeeff"
            _ = try deployment.folder.write(Array("\(key)\n".utf8), to: "my-phone.txt")
            try setMode(0o644, of: file)
            #expect(try ItemsTests.items(broker, ["add", "phone", "--irk-file", file]).status == 2)
            try setMode(0o600, of: file)
            let added = try ItemsTests.items(broker, ["add", "phone", "--name", "Phone", "--irk-file", file])
            #expect(added.status == 0 && added.error.contains("phone.irk"), "\(added.error)")
            for words in [
                ["add", "x", "--irk-file", deployment.folder.file("none")], ["add", "x", "--irk-file", key],
                ["add", "x", "--bthome-file", file], ["add", "x", "--eid-file", file],
                ["add", "x", "--irk-file", file, "--eid-file", file],
            ] {
                let refused = try ItemsTests.items(broker, words)
                #expect(refused.status == 2 && !refused.error.contains(key), "\(words): \(refused.error)")
            }
            #expect(try await recorder.wait(10) { $0.latest[topics.itemConfig("phone")] != nil })
            let entry = recorder.text(topics.itemConfig("phone")) ?? ""
            #expect(entry.contains(#""key":"irk""#) && !entry.contains("0011"))
            let configuration = try deployment.agent("kitchen", source: "simulate:\(Deployment.flat)")
            let agent = try RunningProgram("whereabouts-agent", ["--config", configuration])
            let isTold = try await recorder.wait(20) { recorder in
                recorder.latest[topics.nodeInfo("kitchen")]
                    .flatMap { try? NodeInfo(payload: $0.payload.span) }?.missingKeys == ["phone"]
            }
            #expect(isTold, "\(agent.errors)")
            let list = try ItemsTests.items(broker, ["list"])
            #expect(
                list.error.contains("'phone' isn't known on kitchen, which lacks its key: phone.irk"), "\(list.error)")
            let doctor = try Execution.run(
                Execution.path(of: "whereabouts"), ["doctor", "--config", configuration, "--json"])
            #expect(
                doctor.lines.contains { $0.contains(#""check":"items""#) && $0.contains("phone") }, "\(doctor.lines)")
        }

        @Test("Publish as telemetry what other readers of the specification read of BTHome, encrypted too")
        func sharedVectors() async throws {
            guard let path = SharedMaterial.path("vectors/beacon-vectors.jsonl") else { return }
            let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
            let rows = lines.compactMap { VectorRow(String($0)) }
            // A file with fewer rows than before proves nothing.
            try #require(rows.count >= 45 && rows.map(\.readings.count).reduce(0, +) >= 48)
            let broker = try Broker(["max_queued_messages 0"])
            let deployment = try Deployment(broker)
            let folder = deployment.folder
            let recorder = try Recorder(broker)
            #expect(try await recorder.ready())
            try VectorRow.write(rows, to: folder.file("air.btsnoop"))
            let key = rows.compactMap(\.key).first ?? ""
            _ = try folder.write(Array(key.utf8), to: "sensor.bthome")
            try setMode(0o600, of: folder.file("sensor.bthome"))
            // The plain ones are another device's here: one with a key is not accepted in the clear.
            let items = """
                - {id: plain, address: "\(VectorRow.plain)"}
                - {id: sealed, bthome: {address: "54:48:e6:8f:80:a5", key_file: sensor.bthome}}

                """
            _ = try folder.write(Array(items.utf8), to: "items.yaml")
            let configuration = try deployment.agent("kitchen", source: "replay:\(folder.file("air.btsnoop"))")
            let agent = try RunningProgram("whereabouts-agent", ["--config", configuration, "--speed", "max"])
            #expect(try await agent.status(within: 60) == 0, "\(agent.errors)")
            #expect(try await recorder.wait(20) { $0.text(topics.nodeStatus("kitchen")) == "offline" })
            var told: [Int64: Telemetry] = [:]
            for item in ["plain", "sealed"] {
                for window in windows(recorder, item) {
                    told[window.from.microseconds / 1_000_000] = window.telemetry ?? Telemetry()
                }
            }
            for (place, row) in rows.enumerated() {
                let values = told[VectorRow.begin + Int64(place)].map(VectorRow.numbers) ?? []
                for expected in row.readings {
                    let isThere = values.contains { abs($0 - expected.value) < 0.006 }
                    #expect(isThere, "\(row.hex) \(expected.name) \(expected.value): \(values)")
                }
            }
        }
    }
}
