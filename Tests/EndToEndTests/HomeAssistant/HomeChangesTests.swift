import Foundation
import Support
import Testing

extension Live.Home {
    /// The changes of a house in the course of years: in the end Home Assistant has the entities that a user wants, and
    /// no more.
    @Suite(.enabled(if: Live.isFull, "\(Live.Home.full)")) struct InTime {
        /// A house in which all is shown.
        private func settled(_ wish: HouseWish = HouseWish()) async throws -> ServedHouse {
            let house = try await ServedHouse()
            try await house.core.start()
            try house.startFuser()
            for node in ["kitchen", "living"] { try house.startAgent(node) }
            try await house.expect(wish, "the beginning")
            return house
        }

        /// The entities of ours by unique id, as the registry has them.
        private func entities(_ report: Report) -> [String: String] {
            Dictionary(report.ours.map { ($0.uniqueID, $0.entityID) }) { one, _ in one }
        }

        @Test("Keep the entities with their states over restarts and losses of core, broker, node and fuser")
        func restarts() async throws {
            var wish = HouseWish()
            wish.fusers = ["main", "spare"]
            let house = try await ServedHouse()
            try await house.core.start()
            for fuser in wish.fusers { try house.startFuser(fuser) }
            for node in ["kitchen", "living"] { try house.startAgent(node) }
            let first = try await house.expect(wish, "the beginning")
            // A user's choices are preserved.
            try house.core.set("sensor.anna_s_keys_room", ["new_entity_id": "sensor.keys", "name": "Where"])
            let cat = try #require(first.device("whereabouts_item_cat"))
            try house.core.move(device: cat.id, to: "Basket")
            wish.areas["whereabouts_item_cat"] = "Basket"
            let known = entities(try house.core.report())

            try house.stopCore()
            let recorder = try Recorder(house.broker, ["test/ready", "homeassistant/status"])
            #expect(try await recorder.ready())
            try await house.core.start()
            try await house.expectAgain(wish, known, "core restarted")

            // It reports the end of its start; a broker that is lost before is its own fault in its log.
            #expect(try await recorder.wait(60) { $0.text("homeassistant/status") == "online" })
            try house.broker.restart()
            try await house.expectAgain(wish, known, "broker restarted, and all that it retained lost")

            house.stop("living")
            wish.nodesOff = ["living"]
            try await house.expectAgain(wish, known, "node stopped")
            try house.startAgent("living")
            wish.nodesOff = []
            try await house.expectAgain(wish, known, "node back")

            let before = try house.core.report().changes
            house.kill("fuser main")
            wish.fusersOff = ["main"]
            try await house.expectAgain(wish, known, "fuser killed, its standby has taken over")
            // Through the standby's patience of ten seconds, and on.
            try await Task.sleep(for: .seconds(15))
            let changes = try house.core.changes(from: before)
            house.expectNoFlaps(changes) { $0.entity.contains("fuser_main") }
            #expect(changes.contains { $0.entity == "sensor.keys" }, "the standby tells of the keys")
            try house.startFuser("main")
            wish.fusersOff = []
            try await house.expectAgain(wish, known, "fuser back")
        }

        @Test("Follow changed names, keep ids, and leave nothing of removed items behind")
        func edits() async throws {
            var wish = HouseWish()
            let house = try await settled(wish)
            let known = entities(try house.core.report())

            try house.items(
                "add", "keys", "--name", "The big bunch", "--ibeacon", "48534442-4c45-4144-80c0-1800fffffff0,100,1",
                "--replace")
            wish.items["keys"] = "The big bunch"
            try await house.expectAgain(wish, known, "item renamed")

            try house.items("remove", "drill")
            wish.items["drill"] = nil
            let rest = known.filter { !$0.key.hasPrefix("whereabouts_item_drill_") }
            try await house.expectAgain(wish, rest, "item removed")

            try house.startAgent("attic")
            try house.items(
                "add", "trunk", "--name", "Trunk", "--ibeacon", "48534442-4c45-4144-80c0-1800fffffff0,300,1")
            wish.rooms["attic"] = "Attic"
            wish.nodes["attic"] = "attic"
            wish.items["trunk"] = "Trunk"
            let report = try await house.expect(wish, "room added")
            #expect(entities(report).filter { rest[$0.key] != nil } == rest)
            #expect(report.state("whereabouts_item_trunk_room") == "attic")
            let options = report.states["sensor.anna_s_keys_room"]?.attributes.options
            #expect(options.map(Set.init) == ["attic", "kitchen", "living", "away"])

            house.stop("attic")
            try house.forget("node", "attic")
            wish.nodes["attic"] = nil
            wish.rooms["attic"] = nil
            try house.items("remove", "trunk")
            wish.items["trunk"] = nil
            try await house.expectAgain(wish, rest, "node forgotten, its room with it")
        }

        @Test(
            "Apply any change made while everything was off",
            arguments: [true, false])
        func changedWhileOff(isCoreOff: Bool) async throws {
            var wish = HouseWish()
            wish.regions = ["kitchen": ["tools", "pets"]]
            let house = try await ServedHouse()
            try await house.core.start()
            try house.startFuser()
            try house.startAgent("kitchen", ["regions: [{id: tools, item: drill}, {id: pets, item: cat}]"])
            try house.startAgent("living")
            try await house.expect(wish, "the beginning")

            if isCoreOff { try house.stopCore() }
            house.stopAll()
            try house.items("remove", "drill")
            try house.items(
                "add", "keys", "--name", "The big bunch", "--ibeacon", "48534442-4c45-4144-80c0-1800fffffff0,100,1",
                "--replace")
            try house.startAgent("kitchen", ["regions: [{id: pets, item: cat}]", "room: galley"])
            try house.startAgent("living")
            try house.startFuser("main", ["rooms: [{id: galley, name: Galley}, {id: living, name: Parlour}]"])
            if isCoreOff {
                // Long enough for all to be published without a subscriber.
                try await Task.sleep(for: .seconds(8))
                try await house.core.start()
            }
            wish.items = ["keys": "The big bunch", "cat": "The cat"]
            wish.rooms = ["galley": "Galley", "living": "Parlour"]
            wish.nodes = ["kitchen": "galley", "living": "living"]
            wish.regions = ["kitchen": ["pets"]]
            // A device that was there stays in its area: Home Assistant suggests an area once.
            wish.areas = ["whereabouts_room_living": "Living", "whereabouts_node_living": "Living"]
            wish.areas["whereabouts_node_kitchen"] = "Kitchen"
            // A room that is no longer named stays for half a minute: its node may be late.
            try await house.expect(wish, "changed while off, the core \(isCoreOff ? "too" : "on")", within: 75)
        }

        @Test("Remove all entities when the output is switched off")
        func switchedOff() async throws {
            let house = try await settled()
            house.stopAll()
            try house.startFuser("main", ["outputs: {home_assistant: false}"])
            for node in ["kitchen", "living"] { try house.startAgent(node, ["outputs: {home_assistant: false}"]) }
            var wish = HouseWish()
            (wish.items, wish.rooms, wish.nodes, wish.fusers) = ([:], [:], [:], [])
            try await house.expect(wish, "switched off")
        }

        @Test("Show the same if started before Home Assistant or after it")
        func order() async throws {
            let after = try await settled()
            let one = try after.core.report()
            let before = try await ServedHouse()
            try before.startFuser()
            for node in ["kitchen", "living"] { try before.startAgent(node) }
            try await Task.sleep(for: .seconds(10))
            try await before.core.start()
            let other = try await before.expect(HouseWish(), "started before Home Assistant")
            #expect(entities(one) == entities(other))
            func names(_ report: Report) -> [String] {
                report.devices.map { "\($0.identifiers) \($0.name ?? "") \($0.area ?? "")" }.sorted()
            }
            #expect(names(one) == names(other))
        }
    }
}

extension ServedHouse {
    /// Waits until all is as wished, with the very entities that there were before.
    func expectAgain(
        _ wish: HouseWish, _ known: [String: String], _ step: String,
        _ location: SourceLocation = #_sourceLocation
    ) async throws {
        let report = try await expect(wish, step, location)
        let now = Dictionary(report.ours.map { ($0.uniqueID, $0.entityID) }) { one, _ in one }
        let lost = known.filter { now[$0.key] != $0.value }
        let new = now.filter { known[$0.key] != $0.value }
        #expect(lost.isEmpty && new.isEmpty, "\(step)", sourceLocation: location)
    }

    /// Runs `whereabouts forget`.
    func forget(_ kind: String, _ name: String) throws {
        let outcome = try Execution.run(
            Execution.path(of: "whereabouts"), ["forget", kind, name, "--broker", broker.url])
        guard outcome.status == 0 else { throw CoreFault(description: outcome.error) }
    }
}
