import Alerts
import Bytes
import Configuration
import WireProtocol
import Support
import System
import Testing

@Suite struct AlertsConfigurationTests {
    static let mqtt = "mqtt: {url: 'mqtt://localhost'}\n"

    static func load(_ text: String, in folder: TemporaryFolder? = nil) throws -> AgentConfiguration {
        try AgentConfiguration.load(text: "node: n\n" + text + mqtt, file: folder.map { $0.path + "/f" } ?? "f")
    }

    static func faults(_ text: String) -> [String] {
        do {
            _ = try load(text)
            return []
        } catch {
            return "\(error)".split(separator: "\n").map(String.init)
        }
    }

    @Test func alertsGiveTheirValues() throws {
        let alerts = try Self.load(
            """
            alerts:
              - left_behind: {item: keys, with: [phone, watch]}
                id: forgotten
                grace: 90s
                repeat: 10m
                at_most: 5
                hours: {from: "07:00", to: 24:00, zone: Europe/Vienna}
              - gone: {item: keys, unless_with: [phone]}
              - gone: {item: cat}

            """
        ).alerts
        let vienna = try #require(ZoneFile.rules(of: "Europe/Vienna"))
        #expect(
            alerts == [
                AlertRule(
                    id: "forgotten", .leftBehind, item: "keys", companions: ["phone", "watch"], grace: .seconds(90),
                    interval: .seconds(600), atMost: 5, hours: DailyHours(from: 25200, to: 86400, zone: vienna)),
                AlertRule(id: "gone-keys", .gone, item: "keys", companions: ["phone"], grace: .seconds(60)),
                AlertRule(.gone, item: "cat", companions: []),
            ])
    }

    @Test(arguments: [
        ("alerts: [{}]\n", "f:2:10: an alert has one of left_behind, gone; found none"),
        ("alerts: [{left_behind: {item: keys}}]\n", "f:2:24: 'with' is missing"),
        ("alerts: [{left_behind: {item: keys, with: []}}]\n", "f:2:43: expected at least one item"),
        ("alerts: [{gone: {item: keys, unless_with: [keys]}}]\n", "f:2:43: 'keys' can't go with itself"),
        (
            "alerts: [{gone: {item: keys}}, {gone: {item: keys}}]\n",
            "f:2:32: the alert 'gone-keys' is given twice, first in line 2"
        ),
        ("alerts: [{gone: {item: keys}, at_most: 3}]\n", "f:2:31: 'at_most' needs a 'repeat' with it"),
        ("alerts: [{gone: {item: keys}, repeet: 3m}]\n", "f:2:31: unknown key 'repeet'; did you mean 'repeat'?"),
        (
            "alerts: [{gone: {item: keys}, hours: {from: 7:00, to: \"22:00\"}}]\n",
            "f:2:45: expected a time of the day such as \"07:00\", found '7:00'"
        ),
        (
            "alerts: [{gone: {item: keys}, hours: {from: \"24:00\", to: \"22:00\"}}]\n",
            "f:2:45: expected a time of the day such as \"07:00\", found the text '24:00'"
        ),
        (
            "alerts: [{gone: {item: keys}, hours: {from: \"07:00\", to: \"22:00\", zone: Europe/Viena}}]\n",
            "f:2:73: expected a time zone of /usr/share/zoneinfo (package tzdata) such as Europe/Vienna, "
                + "found 'Europe/Viena'"
        ),
    ])
    func aFaultyAlertIsToldWithItsPlace(text: String, fault: String) {
        #expect(Self.faults(text) == [fault])
    }

    static let reactions = """
        regions:
          - id: office
            ibeacon: {uuid: 48534442-4C45-4144-80C0-1800FFFFFFFF}
            on_determined:
              - publish: {topic: "home/{region}/{kind}", payload: '{"by":"{item}","at":{at}}', retained: true}
            on_exit:
              - run: [/bin/echo, "{region}", "$HOME"]
                timeout: 2s
        reactions:
          - item: guest
            on_enter:
              - offer: {wifi: {ssid: Guests, passphrase_file: guests.passphrase, hidden: true}}
              - offer: {text: "https://example.org/menu"}
                via: stdin
                run: [cat]

        """

    static func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write("guests.passphrase", "correct;horse\n")
        return folder
    }

    @Test func reactionsGiveTheirValues() throws {
        let folder = try Self.folder()
        let found = try Self.load(Self.reactions, in: folder).reactions
        #expect(found.map(\.subject) == [.region("office"), .item("guest")])
        let crossing = Crossing(.region("office"), .determined(isInside: true), at: Timestamp(microseconds: 1_500_000))
        let values = ReactionValues(crossing, item: "keys")
        guard case .publish(let publication) = found[0].reactions(to: crossing.kind).first,
            case .run(let command) = found[0].onExit.first, case .offer(let wifi) = found[1].onEnter.first,
            case .offer(let menu) = found[1].onEnter.last
        else {
            Issue.record("\(found)")
            return
        }
        let message = publication.message(values)
        #expect(message.topic == "home/office/determined" && message.retained && message.qos == .atLeastOnce)
        #expect(String(decoding: message.payload, as: UTF8.self) == #"{"by":"keys","at":1.5}"#)
        let expanded = values.expand(command)
        #expect(expanded.program == "/bin/echo" && expanded.arguments == ["office", "$HOME"])
        #expect(
            expanded.variables == [
                "WHEREABOUTS_REGION": "office", "WHEREABOUTS_ITEM": "keys", "WHEREABOUTS_KIND": "determined",
                "WHEREABOUTS_STATE": "inside",
                "WHEREABOUTS_AT": "1.5",
            ])
        #expect(expanded.timeout == .seconds(2))
        #expect(try wifi.text().text == #"WIFI:T:WPA;S:Guests;P:correct\;horse;H:true;;"#)
        #expect(wifi.way == .topic && wifi.id == "topic:wifi:Guests")
        #expect(menu.way == .program(ActionCommand("cat")))
        #expect(try menu.text().text == "https://example.org/menu")
    }

    @Test func thePassphraseIsReadAtThatMomentAndShowsNowhere() throws {
        let folder = try Self.folder()
        let configuration = try Self.load(Self.reactions, in: folder)
        guard case .offer(let offer) = configuration.reactions[1].onEnter[0] else { return }
        try folder.write("guests.passphrase", "battery staple")
        let secret = try offer.text()
        #expect(secret.text.contains("battery staple"))
        var dumped = ""
        dump(configuration, to: &dumped)
        dump(secret, to: &dumped)
        #expect(!"\(configuration)\(secret)\(dumped)".contains("staple") && !dumped.contains("horse"))
        // Only the offer's name is persisted.
        let crossing = Crossing(.item("guest"), .enter, at: Timestamp(microseconds: 0))
        var ledger = VisitLedger()
        ledger.receive(crossing)
        _ = ledger.makes(offer.id, at: crossing)
        #expect(!"\(ledger.snapshot)".contains("staple"))
        try folder.write("guests.passphrase", "staple")
        #expect {
            _ = try offer.text()
        } throws: {
            !"\($0)".contains("staple") && "\($0)".contains("8 to 63")
        }
    }

    /// Runs a program that is given the secret and prints it; then looks where it could have been left.
    @Test func noFileLogOrArgumentListHoldsThePassphrase() throws {
        let folder = try Self.folder()
        guard case .offer(let offer) = try Self.load(Self.reactions, in: folder).reactions[1].onEnter[0] else { return }
        let pipe = ReadablePipe()
        let log = Log(level: .debug, style: .plain, descriptor: pipe.writing)
        let runner = try ActionRunner()
        let script = "cat /proc/$$/cmdline /proc/$$/environ > \(folder.path)/process; cat; cat /proc/$$/fd/0 >&2"
        runner.start(
            ActionCommand("/bin/sh", ["-c", script], input: try offer.text()), label: "on_enter of guest")
        let loop = try RunLoop()
        var results: [ActionResult] = []
        #expect(
            waitUntil(20) {
                _ = try? loop.wait(readable: [runner.descriptor], until: runner.nextDeadline)
                results += runner.advance()
                return !results.isEmpty
            })
        for result in results {
            #expect(result.isGood)
            result.write(to: log)
        }
        let lines = pipe.available()
        #expect(lines.contains("on_enter of guest ended with status 0") && !lines.contains("horse"))
        let grep = try #require(Execution.find("grep"))
        let outcome = try Execution.run(grep, ["-rl", "horse", folder.path])
        #expect(outcome.lines.map { $0.split(separator: "/").last } == ["guests.passphrase"])
    }

    @Test(arguments: [
        ("[{}]", "f:3:29: a reaction has one of publish, run, offer; found none"),
        (
            "[{run: [ls], publish: {topic: a, payload: b}}]",
            "f:3:29: a reaction has one of publish, run, offer; found publish and run"
        ),
        (
            "[{publish: {topic: a/+, payload: b}}]",
            "f:3:47: expected a topic of at most 256 bytes without '+' and '#' that doesn't begin with '$', found 'a/+'"
        ),
        (
            "[{publish: {topic: $SYS/a, payload: b}}]",
            "f:3:47: expected a topic of at most 256 bytes without '+' and '#' that doesn't begin with '$', "
                + "found '$SYS/a'"
        ),
        (
            "[{publish: {topic: whereabouts/items/keys/room, payload: b}}]",
            "f:3:47: topics under 'whereabouts/' are the program's own; choose another"
        ),
        (
            "[{publish: {topic: 'a/{at}', payload: b}}]",
            "f:3:47: there is no placeholder {at} here; known are {item}, {kind}"
        ),
        (
            "[{publish: {topic: a, payload: '{region}'}}]",
            "f:3:59: there is no placeholder {region} here; known are {item}, {kind}, {state}, {at}"
        ),
        (
            "[{run: [bin/ls]}]",
            "f:3:36: expected a list of a program, by its absolute path or bare name, and its arguments, found 'bin/ls'"
        ),
        ("[{run: ls}]", "f:3:35: expected a list, found 'ls'"),
        ("[{publish: {topic: a, payload: b}, timeout: 5s}]", "f:3:63: 'timeout' needs a 'run' with it"),
        ("[{run: [ls], via: stdin}]", "f:3:41: 'via' is for an offer"),
        ("[{offer: {text: a}, via: stdin}]", "f:3:29: an offer via stdin needs a 'run' with it, and no other does"),
        ("[{offer: {text: a}, run: [ls]}]", "f:3:29: an offer via stdin needs a 'run' with it, and no other does"),
        ("[{offer: {}}]", "f:3:37: an offer has one of text, wifi"),
        (
            "[{offer: {wifi: {ssid: a, passphrase_file: none}}}]",
            "f:3:71: the file 'none' does not exist"
        ),
    ])
    func aFaultyReactionIsToldWithItsPlace(reaction: String, fault: String) {
        #expect(Self.faults("reactions:\n  - {item: keys, on_enter: \(reaction)}\n") == [fault])
    }

    @Test func mangledAlertsAndReactionsAreToldAndNeverEndTheProgram() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let alerts = """
            alerts: [{left_behind: {item: keys, with: [phone]}, repeat: 9m, at_most: 5,
              hours: {from: "07:00", to: "22:00", zone: Europe/Vienna}}]

            """
        let words = [
            "[", "{", "{at}", "{", "}", ": ", "- ", "\n", "'", "~", "99999999999999999999", "/", "..", "$", "#",
        ]
        for _ in 0..<(LongProofs.areRequested ? 1500 : 300) {
            var bytes = Array(("node: n\n" + alerts + Self.reactions + Self.mqtt).utf8)
            for _ in 0...Int.random(in: 0...3, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                if Bool.random(using: &random) {
                    bytes.insert(contentsOf: words.randomElement(using: &random)!.utf8, at: place)
                } else {
                    bytes.removeSubrange(place..<min(bytes.count, place + .random(in: 1...9, using: &random)))
                }
            }
            do {
                _ = try AgentConfiguration.load(bytes: bytes, file: "f")
            } catch {
                let places = error.faults.map(\.position)
                #expect(!places.isEmpty && places.allSatisfy { $0.line >= 1 && $0.column >= 1 }, "seed \(seed)")
            }
        }
    }

    @Test func aProgramThatIsMissingIsAWarning() throws {
        let text = "reactions:\n  - {item: keys, on_exit: [{run: [no-such-program]}]}\n"
        let warnings = try Self.load(text).warnings.map(\.description)
        #expect(
            warnings == [
                "f:3:35: the program can't be run now: find no-such-program in /usr/local/bin:/usr/bin:/bin: "
                    + "No such file or directory"
            ])
    }

    @Test(arguments: ["Europe/Vienna", "UTC", "America/New_York", "Australia/Lord_Howe", "Etc/GMT+5"])
    func theMachinesZonesAreRead(name: String) throws {
        let rules = try #require(ZoneFile.rules(of: name))
        let offsets = [1_780_272_000, 1_796_083_200].map { rules.offset(at: Int64($0)) }
        let expected: [String: [Int]] = [
            "Europe/Vienna": [7200, 3600], "UTC": [0, 0], "America/New_York": [-14400, -18000],
            "Australia/Lord_Howe": [37800, 39600], "Etc/GMT+5": [-18000, -18000],
        ]
        #expect(offsets == expected[name])
    }

    @Test(arguments: [
        "", "/etc/passwd", "../../etc/localtime", "Europe", "Europe/../UTC", "zone.tab", "right/UTC", "leapseconds",
    ])
    func otherNamesAreNoZones(name: String) {
        #expect(ZoneFile.rules(of: name) == nil)
    }

    @Test("Change the clocks at the moments of the rules")
    func changes() throws {
        let rules = try #require(ZoneFile.rules(of: "Europe/Vienna"))
        // 2026-03-29T01:00:00Z and 2026-10-25T01:00:00Z.
        #expect(rules.nextChange(after: 1_767_225_600) == 1_774_746_000)
        #expect(rules.nextChange(after: 1_774_746_000) == 1_792_890_000)
        #expect(rules.offset(at: 1_774_745_999) == 3600 && rules.offset(at: 1_774_746_000) == 7200)
        #expect(rules.offset(at: 1_792_889_999) == 7200 && rules.offset(at: 1_792_890_000) == 3600)
    }

    @Test("Agree with the C library on every zone, from 1970 to 2099")
    func library() throws {
        let date = try #require(Execution.find("date"))
        let table = try WholeFile.read("/usr/share/zoneinfo/zone1970.tab", bound: 1 << 20)
        let names = String(decoding: table, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { String($0.split(separator: "\t")[2]) }
        #expect(names.count > 300)
        let moments = (0..<600).map { 1_000_000 + $0 * 6_812_345 }
        let folder = try TemporaryFolder()
        let file = try folder.write("moments", moments.map { "@\($0)\n" }.joined())
        for index in stride(from: 0, to: names.count, by: LongProofs.areRequested ? 1 : 8) {
            let name = names[index]
            let rules = try #require(ZoneFile.rules(of: name))
            let child = try ChildProcess(
                date, ["-f", file, "+%z"], environment: ["TZ=\(name)"], output: folder.file("out"))
            #expect(child.wait() == 0)
            let text = String(decoding: try WholeFile.read(folder.file("out"), bound: 65536), as: UTF8.self)
            let ours = moments.map { moment in
                let minutes = rules.offset(at: Int64(moment)) / 60
                let digits = abs(minutes) / 60 * 100 + abs(minutes) % 60
                let padded = String(repeating: "0", count: 4 - String(digits).count) + String(digits)
                return (rules.offset(at: Int64(moment)) < 0 ? "-" : "+") + padded
            }
            // "-0000" is where no one keeps a time, as in Antarctica before a station was built.
            let theirs = text.split(separator: "\n").map { $0 == "-0000" ? "+0000" : String($0) }
            #expect(theirs.count == ours.count)
            let difference = zip(moments, zip(theirs, ours)).first { $1.0 != $1.1 }
            #expect(difference == nil, "\(name): \(String(describing: difference))")
        }
    }
}
