import Foundation
import WireProtocol
import Store
import Support
import Testing

extension Live {
    /// The recipe of docs/protocol/event-delivery.md against a real broker. A fuser, and a subscriber in another language
    /// that was written from that text alone, must end with the same events. A user of either would lose history otherwise.
    @Suite(
        .serialized,
        .enabled(
            if: FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/paho/mqtt/client.py"),
            "python3-paho-mqtt is not installed"))
    struct Contract {
        /// Schedules: one a day, twenty in a long proof, or those requested.
        static let seeds: [UInt64] = {
            let asked = (ProcessInfo.processInfo.environment["WHEREABOUTS_SEED"] ?? "").split(separator: "-")
                .compactMap { UInt64($0) }
            if let first = asked.first, let last = asked.last, first <= last { return Array(first...last) }
            return Array(0..<(Live.isFull ? 20 : 1))
        }()
        /// Seconds within which all is repaired: a lost request is repeated after 10 and 20 of them.
        static let patience = 120.0

        @Test(
            "End with the same events at a fuser and a subscriber of the documented recipe, over any faults",
            arguments: seeds)
        func schedule(seed: UInt64) async throws {
            var generator = SeededGenerator(seed: seed)
            let (isPersistent, isOld) = (seed % 2 == 1, seed / 2 % 2 == 1)
            let stage = try ContractStage(persistence: isPersistent, isOld: isOld, seed: seed)
            #expect(try await stage.recorder.ready())
            try stage.heal()
            #expect(try await stage.recorder.wait(30) { _ in (stage.node?.last ?? 0) > 3 }, "\(logs(stage))")
            var sights: [ContractFault: ContractSight] = [:]
            var story: [String] = []
            for number in 0..<(Live.isFull ? 6 : 3) {
                let fault = ContractFault.allCases[Int.random(in: 0..<ContractFault.allCases.count, using: &generator)]
                let (before, seconds) = (
                    stage.recorder.messages.count, Double.random(in: 0.5...(Live.isFull ? 8 : 3), using: &generator)
                )
                story.append("\(fault.rawValue), \(Int(seconds * 10)) tenths of a second")
                let end = try fault.begin(stage, &generator)
                stage.recorder.publish(
                    Message(
                        topic: "whereabouts/items/new-\(number)/config",
                        text: #"{"v":1,"id":"new-\#(number)","address":"aa:bb:cc:dd:ee:0\#(number)"}"#,
                        qos: .atLeastOnce,
                        retained: true))
                _ = try await stage.recorder.wait(seconds)
                try end()
                _ = try await stage.recorder.wait(1)
                sights[fault, default: ContractSight()].add(stage.recorder.messages[before...])
            }
            try stage.heal()
            let words =
                "seed \(seed)\(Live.isFull ? " of WHEREABOUTS_FULL=1" : ""): \(story), MQTT \(isOld ? "3.1.1" : "5"), persistence \(isPersistent)"
            let began = ContinuousClock.now
            let isRepaired = try await repaired(stage)
            #expect(isRepaired, "\(words)\n\(logs(stage))")
            guard isRepaired else { return }
            try judge(stage, words)
            print("\(words): repaired after \((ContinuousClock.now - began) / .seconds(1)) s")
            print(ContractSight.row(["fault", "times", "status", "events, told again", "windows", "registry"]))
            for (fault, sight) in sights.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                print(sight.row(fault.rawValue))
            }
        }

        /// True if both have all that the node has published, up to the moment of the call.
        private func repaired(_ stage: ContractStage) async throws -> Bool {
            // A scan from after the end of the faults.
            let before = stage.recorder.messages.count
            guard
                try await stage.recorder.wait(
                    90, for: { seen in seen.count("whereabouts/nodes/hall/scan", from: before) > 2 })
            else { return false }
            guard let aim = stage.node else { return false }
            let end = ContinuousClock.now + .seconds(Self.patience)
            while ContinuousClock.now < end {
                _ = try await stage.recorder.wait(2)
                let rows = [(try? stage.fuserRows()) ?? [], (try? stage.subscriberRows()) ?? []]
                let online = ["nodes/hall", "fuser/main"].map { stage.recorder.text("whereabouts/\($0)/status") }
                if rows.allSatisfy({ $0.contains { $0.epoch == aim.epoch && $0.seq >= aim.last } }),
                    online == ["online", "online"]
                {
                    return true
                }
            }
            return false
        }

        private func judge(_ stage: ContractStage, _ words: String) throws {
            // Journals first: their contents were stored before.
            let (fuser, subscriber) = (try stage.fuserRows(), try stage.subscriberRows())
            let moves = try stage.subscriberRows("fuser/main")
            let node = try stage.kept("agent")
            #expect(faults(moves, try stage.kept("fuser")) == [], "events of items, \(words)")
            for (name, rows) in [("fuser", fuser), ("subscriber", subscriber)] {
                #expect(faults(rows, node) == [], "\(name), \(words)")
            }
            // Both have the same of the events that the node retains; of a lost state each has those that arrived in
            // time.
            let mutual = node.extents.map(\.epoch)
            let texts = [fuser, subscriber].map { rows in
                rows.filter { mutual.contains($0.epoch) && $0.reason == nil }.map { "\($0.seq) \($0.what)" }
            }
            let count = min(texts[0].count, texts[1].count)
            #expect(count > 3 && texts[0].prefix(count) == texts[1].prefix(count), "\(words)")
        }

        /// The violations of the contract in a journal, compared with the publisher's store.
        private func faults(
            _ rows: [Row], _ node: (extents: [LedgerExtent], events: [String: [UInt64: String]])
        ) -> [String] {
            var faults: [String] = []
            for epoch in Set(rows.map(\.epoch)) {
                var (taken, isOver): (UInt64, Bool) = (0, false)
                let extent = node.extents.first { $0.epoch == epoch }
                for row in rows where row.epoch == epoch {
                    if row.seq != taken + 1, !isOver { faults.append("\(epoch): \(row.seq) behind \(taken)") }
                    if let reason = row.reason {
                        if let extent, let first = extent.firstSeq, (row.last ?? .max) >= first {
                            faults.append("\(epoch): \(row.seq) is given up (\(reason)), and it is kept")
                        }
                        if !["fell_out", "epoch_lost"].contains(reason) { faults.append("\(epoch): \(reason)") }
                        isOver = row.last == nil
                        taken = max(taken, row.last ?? taken)
                    } else {
                        if row.seq <= taken { faults.append("\(epoch): \(row.seq) is doubled") }
                        if extent != nil, node.events[epoch]?[row.seq] != row.what {
                            faults.append("\(epoch): \(row.seq) is \(row.what)")
                        }
                        taken = max(taken, row.seq)
                    }
                }
                if extent == nil, !isOver { faults.append("\(epoch) is lost, and nobody says so") }
            }
            return faults
        }

        private func logs(_ stage: ContractStage) -> String {
            ContractStage.names.map { "\($0): \(stage.programs[$0]?.errors.suffix(1500) ?? "not there")" }
                .joined(separator: "\n")
        }
    }
}
