import Alerts
import Testing

@Suite struct GoneTests {
    static let rule = AlertRule(.gone, item: "keys", companions: ["phone"], interval: .seconds(600))
    static let home = "0 phone inside\n0 keys inside\n"

    @Test func keysThatLeaveAloneAreToldUntilTheyReturn() {
        var line = AlertLine(Self.rule)
        #expect(
            line.play(Self.home + "100 keys exit\n1000 keys enter", until: 5000) == [
                "160 gone-keys told 1", "760 gone-keys told 2", "1000 gone-keys cleared returned",
            ])
    }

    @Test(arguments: [
        "100 keys exit\n160 phone exit", "100 phone exit\n160 keys exit", "100 keys exit\n100 phone exit",
    ])
    func inWhateverOrderTheyLeaveWithinTheGraceNothingIsTold(_ exits: String) {
        var line = AlertLine(Self.rule)
        #expect(line.play(Self.home + exits, until: 5000).isEmpty)
    }

    @Test(arguments: ["100 keys exit\n161 phone exit", "100 phone exit\n161 keys exit"])
    func beyondTheGraceTheyLeftApart(_ exits: String) {
        var line = AlertLine(Self.rule)
        #expect(line.play(Self.home + exits, until: 300).count == 1)
    }

    @Test func aPhoneThatLeftLongAgoWasNotWithThem() {
        var line = AlertLine(Self.rule)
        #expect(line.play(Self.home + "100 phone exit\n5000 keys exit", until: 5100) == ["5060 gone-keys told 1"])
    }

    @Test func aPhoneThatLeftAndCameBackWasNotWithThem() {
        var line = AlertLine(Self.rule)
        let text = Self.home + "100 phone exit\n110 phone enter\n130 keys exit"
        #expect(line.play(text, until: 500) == ["190 gone-keys told 1"])
    }

    @Test func aPhoneWhoseExitTakesLongToDecideIsWaitedFor() {
        var line = AlertLine(Self.rule)
        line.book.setExitTime(.seconds(180), of: "phone")
        #expect(line.play(Self.home + "110<100 keys exit\n310<130 phone exit", until: 5000).isEmpty)
    }

    @Test func withoutAnExitTimeALateExitTakesTheAlertBack() {
        var line = AlertLine(Self.rule)
        #expect(
            line.play(Self.home + "110<100 keys exit\n310<130 phone exit", until: 5000) == [
                "170 gone-keys told 1", "310 gone-keys cleared together",
            ])
    }

    @Test func keysThatLeftWhileStoppedAreTold() {
        var line = AlertLine(Self.rule)
        line.play(Self.home, until: 50)
        line.restart(at: 1000)
        #expect(line.play("1000<50 keys exit\n1000 phone inside", until: 1100) == ["1060 gone-keys told 1"])
        var both = AlertLine(Self.rule)
        both.play(Self.home, until: 50)
        both.restart(at: 1000)
        #expect(both.play("1000<50 keys exit\n1000<40 phone exit", until: 5000).isEmpty)
    }

    @Test func whatNoRuleNamesIsPassedOver() {
        var line = AlertLine(Self.rule)
        #expect(line.play("0 cat inside\n5 cat exit", until: 500).isEmpty && line.book.snapshot.items.isEmpty)
        _ = line.book.receive(Crossing(.region("keys"), .exit, at: AlertLine.time(600)))
        #expect(line.book.nextDeadline == nil)
    }
}
