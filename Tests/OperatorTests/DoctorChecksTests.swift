import Agent
import Bytes
import Configuration
import Foundation
import HCI
import WireProtocol
import Support
import Testing

@testable import MQTT
import BrokerSession
@testable import Operator
import System

/// Each check by itself, on machines in various states.
@Suite struct DoctorChecksTests {
    @Test func aClockThatWasNeverSetIsAFault() {
        let finding = ClockCheck.clockFinding(Timestamp(microseconds: 60_000_000), isSynchronized: false)
        #expect(finding.verdict == .fault)
        #expect(finding.reason.contains("1970"))
        #expect(finding.mend?.hasPrefix("set it: date -s") == true)
        #expect(finding.mend?.contains("timedatectl") == true)
    }

    @Test func aClockThatNobodyKeepsIsOdd() {
        let now = Timestamp(microseconds: 1_780_000_000_000_000)
        #expect(ClockCheck.clockFinding(now, isSynchronized: false).verdict == .warning)
        #expect(ClockCheck.clockFinding(now, isSynchronized: true).verdict == .ok)
        #expect(ClockCheck.clockFinding(now, isSynchronized: nil).verdict == .ok)
    }

    @Test func aFolderThatTakesTheStateIsRight() throws {
        let folder = try TemporaryFolder()
        #expect(DiskCheck.run(state: folder.file("agent.sqlite")).verdict == .ok)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty, "it leaves nothing behind")
    }

    @Test func aFolderThatIsNotThereIsAFaultWithItsName() throws {
        let folder = try TemporaryFolder()
        let finding = DiskCheck.run(state: folder.file("missing/agent.sqlite"))
        #expect(finding.verdict == .fault)
        #expect(finding.reason.contains(folder.file("missing")))
        #expect(finding.mend?.hasPrefix("make the folder") == true)
    }

    @Test func aPlaceThatTakesNoFilesIsAFault() {
        // No user can write there, not even root.
        let finding = DiskCheck.run(state: "/proc/agent.sqlite")
        #expect(finding.verdict == .fault)
    }

    @Test func noStateIsOdd() {
        #expect(DiskCheck.run(state: nil).verdict == .warning)
    }

    @Test func whatTheRadioNeedsIsNamed() {
        let finding = PermissionCheck.permissionFinding(missing: [.rawSockets])
        #expect(finding.verdict == .fault)
        #expect(finding.reason == "this process lacks CAP_NET_RAW")
        #expect(PermissionCheck.permissionFinding(missing: []).verdict == .ok)
    }

    @Test func anAgentsOwnWordsOfItsRadioCount() {
        var radio = RadioStatus(state: "scanning")
        #expect(
            ProgramChecks.radioFinding(radio)
                == .ok(.radio, "the agent is scanning").of(.radioGood, ["state": "scanning"]))
        (radio.state, radio.problem, radio.mend) = ("waiting", "adapter_blocked", "rfkill unblock bluetooth")
        #expect(
            ProgramChecks.radioFinding(radio)
                == .fault(.radio, "the agent is waiting: adapter_blocked", mend: "rfkill unblock bluetooth")
                .of(.radioIll, ["problem": "adapter_blocked", "state": "waiting"]))
    }

    @Test func anAdapterThatIsDownIsOddSinceTheAgentTakesItUp() {
        let down = AdapterCheck.finding(of: Adapter(index: 0))
        #expect(down.verdict == .warning && down.reason == "hci0 is down")
        #expect(down.mend == "the agent takes it up by itself; by hand: hciconfig hci0 up")
        #expect(AdapterCheck.finding(of: Adapter(index: 0, isUp: true)).verdict == .ok)
    }

    @Test func anAdapterThatIsNotThereIsAFaultWithItsName() throws {
        var findings: [Finding] = []
        try RadioCheck(.hci(adapter: "02:00:00:00:00:01"), agent: nil).run { findings.append($0) }
        let adapter = try #require(findings.first { $0.check == .adapter })
        #expect(adapter.verdict == .fault)
        #expect(adapter.mend != nil)
    }

    @Test func whereNoConfigurationIsItSaysWhereItLooked() throws {
        let folder = try TemporaryFolder()
        let patient = Patient(config: nil, environment: [:], defaultFiles: [folder.file("agent.yaml")])
        #expect(patient.findings.map(\.verdict) == [.fault])
        #expect(patient.findings.first?.reason.contains(folder.file("agent.yaml")) == true)
        #expect(patient.mqtt == nil)
    }

    @Test func everyFaultOfAConfigurationIsToldAndTheBrokerIsLookedAtAllTheSame() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("agent.yaml")
        try "node: Kitchen\nmqtt: {url: mqtt://broker.lan}\nwindow: 1h\n".write(
            toFile: path, atomically: true, encoding: .utf8)
        let patient = Patient(config: path, environment: [:])
        #expect(patient.findings.map(\.verdict) == [.fault, .fault])
        #expect(patient.findings.map(\.exitStatus) == [2, 2])
        #expect(patient.findings.first?.reason.hasPrefix("\(path):1:7") == true)
        #expect(patient.mqtt?.url.description == "mqtt://broker.lan:1883")
        #expect(!patient.isKnown)
    }

    @Test func aFusersFileIsKnownAsOne() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("fuser.yaml")
        try "name: main\nmqtt: {url: mqtt://broker.lan}\n".write(toFile: path, atomically: true, encoding: .utf8)
        let patient = Patient(config: path, environment: [:])
        #expect(patient.findings.map(\.verdict) == [.ok])
        #expect(patient.publisher?.statusTopic == "whereabouts/fuser/main/status")
        #expect(patient.source == nil)
    }

    @Test("Examine the broker of a person's file, and no program")
    func personsFile() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(
            Array("# For commands\nmqtt: {url: mqtt://broker.lan}\ntopic_prefix: house\n".utf8), to: "whereabouts.yaml")
        let patient = Patient(config: path, environment: [:])
        #expect(patient.findings.map(\.verdict) == [.ok])
        #expect(patient.findings.first?.reason == "\(path) is right: a person's file, for commands; it runs no program")
        #expect(patient.mqtt?.url.description == "mqtt://broker.lan:1883")
        #expect(patient.publisher == nil && patient.source == nil && !patient.isKnown)
        // The same keys are a fuser's if the file is named so.
        let fuser = try folder.write(Array("mqtt: {url: mqtt://broker.lan}\n".utf8), to: "fuser.yaml")
        #expect(Patient(config: fuser, environment: [:]).publisher?.statusTopic == "whereabouts/fuser/main/status")
        let wrong = try folder.write(Array("mqtt: {url: http://broker.lan}\n".utf8), to: "anna.yaml")
        #expect(Patient(config: wrong, environment: [:]).findings.map(\.verdict) == [.fault])
    }

    @Test func everyCauseHasAMendOfItsOwn() throws {
        let settings = MQTTSettings(url: try BrokerURL("mqtt://broker.lan"))
        let causes: [MQTTError.Cause] = [
            .unknownHost, .refused, .unreachable, .silent, .credentials, .security(mend: nil), .other,
        ]
        #expect(Set(causes.map { ProgramChecks.connectionMend($0, settings) }).count == causes.count)
    }
}

@Suite struct DenialFindingTests {
    @Test("Report a denied topic with the broker's reason and the remedy, and leave other problems to their checks")
    func findings() {
        let denial = SubscriptionDenial(filter: "whereabouts/items/+/config", reason: "Not authorized")
        let problems = ["'keys': no key file"] + SubscriptionDenial.sentences([denial])
        let findings = ProgramChecks.denials(problems)
        #expect(
            findings.map(\.reason) == [
                "the broker denies the subscription whereabouts/items/+/config: Not authorized"
            ])
        #expect(findings.first?.mend?.contains("access list") == true)
        #expect(findings.first?.verdict == .warning)
        // A fuser that serves nothing for it is at fault.
        #expect(ProgramChecks.denials(problems, isStopped: true).map(\.verdict) == [.fault])
    }
}
