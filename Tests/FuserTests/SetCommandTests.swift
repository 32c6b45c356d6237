import BrokerSession
import Bytes
import Configuration
import HouseTracking
import Support
import System
import Testing
import WireProtocol

@testable import Fuser

/// Settings that a `set` command changes, over the fuser's file.
@Suite struct SetCommandTests {
    private static let log = Log(level: .error, style: .plain, descriptor: 2)
    private let topics = Topics()

    /// A file that can be written anew.
    private final class File {
        var lines: [String]

        init(_ lines: String...) { self.lines = lines }

        func load() throws -> FuserConfiguration {
            try FuserConfiguration.load(
                text: (["mqtt: {url: \"mqtt://localhost\"}"] + lines).joined(separator: "\n") + "\n",
                file: "fuser.yaml")
        }

        func configuration(_ overrides: FuserOverrides = FuserOverrides()) throws -> ConfigurationInForce {
            ConfigurationInForce(ConfigurationReload(try load(), read: load), overrides)
        }
    }

    private static func memory(_ folder: TemporaryFolder?, at seconds: Double) throws -> PersistentState {
        try FuserMemory(
            path: folder?.file("fuser.sqlite"), history: .seconds(86400), at: Fused.time(seconds), log: log
        ).state
    }

    private static func changes(
        _ awayAfter: SettingChange<Duration>? = nil, _ detectsClones: SettingChange<Bool>? = nil
    ) -> FuserChanges {
        var changes = FuserChanges()
        (changes.awayAfter, changes.detectsClones) = (awayAfter, detectsClones)
        return changes
    }

    @Test("A setting by command counts over the file, also after it was read anew, until null gives it back")
    func precedence() throws {
        let file = File("away_after: 2m", "rooms: [{id: kitchen}]")
        var configuration = try file.configuration()
        #expect(configuration.settings == FuserSettings(awayAfter: .seconds(120), detectsClones: true))
        configuration.applyChanges(Self.changes(.override(.seconds(90)), .override(false)))
        #expect(configuration.current.awayAfter == .seconds(90) && !configuration.current.detectsClones)
        #expect(configuration.settings.overridden == ["away_after", "detect_clones"])
        file.lines = ["away_after: 3m", "rooms: [{id: kitchen}, {id: hall}]"]
        configuration.readAnew(Self.log)
        #expect(configuration.current.rooms.map(\.id) == ["kitchen", "hall"])
        #expect(configuration.settings.awayAfter == .seconds(90) && !configuration.settings.detectsClones)
        // A faulty file changes nothing.
        file.lines = ["away_after: never"]
        configuration.readAnew(Self.log)
        #expect(configuration.current.rooms.count == 2 && configuration.settings.awayAfter == .seconds(90))
        // One setting alone is given back: that of the file which was read last.
        configuration.applyChanges(Self.changes(.restore))
        #expect(configuration.settings.awayAfter == .seconds(180) && !configuration.settings.detectsClones)
        #expect(configuration.settings.overridden == ["detect_clones"])
        configuration.applyChanges(Self.changes(nil, .restore))
        #expect(configuration.settings == FuserSettings(awayAfter: .seconds(180), detectsClones: true))
    }

    @Test("Settings are kept over a restart with a state, and none without one")
    func persistence() throws {
        let folder = try TemporaryFolder()
        let kept = FuserOverrides().applying(Self.changes(.override(.milliseconds(90_500)), .override(false)))
        do {
            let memory = try Self.memory(folder, at: 0)
            #expect(memory.overrides() == FuserOverrides())
            memory.persist(kept, at: Fused.time(1))
            #expect(memory.overrides() == kept)
        }
        do {
            let memory = try Self.memory(folder, at: 10)
            let configuration = try File("away_after: 2m").configuration(memory.overrides())
            #expect(configuration.current.awayAfter == .milliseconds(90_500))
            #expect(configuration.settings.overridden == ["away_after", "detect_clones"])
            memory.persist(kept.applying(Self.changes(.restore)), at: Fused.time(11))
        }
        do {
            let memory = try Self.memory(folder, at: 20)
            let left: FuserOverrides = memory.overrides()
            #expect(left.keys == ["detect_clones"])
            memory.persist(FuserOverrides(), at: Fused.time(21))
        }
        #expect(try Self.memory(folder, at: 30).overrides() == FuserOverrides())
        let passing = try Self.memory(nil, at: 0)
        passing.persist(kept, at: Fused.time(1))
        #expect(passing.overrides() == kept && !passing.isLasting)
        #expect(try Self.memory(nil, at: 10).overrides() == FuserOverrides())
    }

    @Test("Another silence by command counts from the next interval on, and null gives the file's back")
    func effect() throws {
        var configuration = try File("away_after: 1h").configuration()
        var fused = Fused(settings: Household.Settings(configuration.current, epoch: "00000001"))
        fused.info("stove", room: "kitchen")
        func live(_ seconds: ClosedRange<Int>, hears items: [String]) {
            for second in seconds {
                fused.interval("stove", Double(second), items, level: -50)
                fused.advance(to: Double(second) + 0.5)
            }
        }
        func change(_ changes: FuserChanges, at seconds: Double) {
            let old = configuration.current
            configuration.applyChanges(changes)
            fused.pipeline.use(configuration.current, instead: old, at: Fused.time(seconds), &fused.outbox)
        }
        func state() throws -> Location.State {
            let message = try #require(fused.outbox.last { $0.topic == topics.location("keys") })
            return try Location(payload: message.payload.span).state
        }
        live(1...20, hears: ["keys"])
        live(21...60, hears: [])
        #expect(try state() != .away)
        change(Self.changes(.override(.seconds(10))), at: 60.6)
        live(61...63, hears: [])
        #expect(try state() == .away)
        live(64...80, hears: ["keys"])
        #expect(try state() == .present)
        change(Self.changes(.restore), at: 80.6)
        live(81...120, hears: [])
        #expect(try state() != .away)
    }
}
