import Configuration
import Testing

@Suite struct RadioConfigurationTests {
    static func load(_ radio: String) throws -> RadioSettings {
        try AgentConfiguration.load(text: "node: n\nmqtt: {url: 'mqtt://h'}\n\(radio)\n", file: "f").radio
    }

    @Test func aRadioIsSetAsItsSectionSays() throws {
        let radio = try Self.load("radio: {scan: active, interval: 60ms, duty: 40, phy: 1m+coded, channel: user}")
        #expect(radio.scan == .active && radio.interval == .milliseconds(60) && radio.duty == 40)
        #expect(radio.phy == .le1MAndCoded && radio.channel == .user)
    }

    @Test func withoutOneItOnlyListensAllTheTimeBesideOthers() throws {
        for text in ["", "radio: {}"] { #expect(try Self.load(text) == RadioSettings()) }
        #expect(RadioSettings().scan == .passive && RadioSettings().duty == 100 && RadioSettings().channel == .shared)
    }

    @Test func everyFaultOfARadioIsToldWithItsPlace() {
        let text = "radio:\n  scan: loud\n  duty: 0\n  interval: 20s\n  phy: 2m\n  chanel: user"
        do {
            _ = try Self.load(text)
            Issue.record("it was taken")
        } catch let faults as ConfigurationFaults {
            #expect(faults.faults.map(\.position.line) == [4, 5, 6, 7, 8])
            #expect(faults.description.contains("one of passive, active"))
            #expect(faults.description.contains("did you mean 'channel'?"))
        } catch {
            Issue.record("\(error)")
        }
    }
}
