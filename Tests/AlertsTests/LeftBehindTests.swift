import Alerts
import Testing

@Suite struct LeftBehindTests {
    static let rule = AlertRule(.leftBehind, item: "keys", companions: ["phone"], interval: .seconds(300), atMost: 4)
    static let home = "0 phone inside\n0 keys inside\n"

    @Test func nothingIsToldWhenPhoneAndKeysLeaveTogether() {
        for (phone, keys) in [("100", "100"), ("100", "160"), ("150", "100")] {
            var line = AlertLine(Self.rule)
            #expect(line.play(Self.home + Self.ordered(phone, keys), until: 5000).isEmpty, "\(phone) \(keys)")
        }
    }

    static func ordered(_ phone: String, _ keys: String) -> String {
        let lines = [(Int(phone)!, "\(phone) phone exit"), (Int(keys)!, "\(keys) keys exit")]
        return lines.sorted { $0.0 < $1.0 }.map(\.1).joined(separator: "\n")
    }

    @Test func keysThatStayAreToldAfterTheGraceAndAgainUntilThePhoneReturns() {
        var line = AlertLine(Self.rule)
        #expect(
            line.play(Self.home + "100 phone exit\n900 phone enter", until: 5000) == [
                "160 left_behind-keys told 1", "460 left_behind-keys told 2", "760 left_behind-keys told 3",
                "900 left_behind-keys cleared returned",
            ])
    }

    @Test func itIsClearedWhenTheKeysLeaveToo() {
        var line = AlertLine(Self.rule)
        #expect(
            line.play(Self.home + "100 phone exit\n200 keys exit", until: 5000) == [
                "160 left_behind-keys told 1", "200 left_behind-keys cleared left",
            ])
    }

    @Test(arguments: [3600.0, -3600, 30, -30])
    func aClockThatIsSetMakesNobodyWaitLongerOrShorter(_ step: Double) throws {
        var line = AlertLine(Self.rule)
        #expect(line.play(Self.home + "10000 phone exit", until: 10_040).isEmpty)
        line.book.clockStepped(by: .seconds(step))
        #expect(try #require(line.book.nextDeadline) == AlertLine.time(10_060 + step))
        #expect(line.book.advance(to: AlertLine.time(10_059 + step)).isEmpty)
        let told = line.book.advance(to: AlertLine.time(10_060 + step))
        #expect(told.map(\.at) == [AlertLine.time(10_060 + step)])
        #expect(told.map(\.since) == [AlertLine.time(10_000 + step)])
    }

    @Test func aPhoneThatIsBackWithinTheGraceRaisesNothing() {
        var line = AlertLine(Self.rule)
        #expect(line.play(Self.home + "100 phone exit\n159 phone enter", until: 5000).isEmpty)
    }

    @Test func itIsToldNoOftenerThanAsked() {
        var line = AlertLine(Self.rule)
        #expect(line.play(Self.home + "100 phone exit", until: 50_000).count == 4)
        #expect(line.book.nextDeadline == nil && line.book.standing.map(\.told) == [4])
    }

    @Test func aSilenceHoldsItBackAndItsEndTellsItAgain() throws {
        var line = AlertLine(Self.rule)
        line.play(Self.home + "100 phone exit", until: 200)
        let silenced = line.book.silence(
            .item("keys"), until: AlertLine.time(3000), at: AlertLine.time(200))
        #expect(silenced && line.book.isSilenced(.item("keys"), at: AlertLine.time(2999)))
        #expect(
            line.play("4000 phone enter", until: 5000) == [
                "160 left_behind-keys told 1", "3000 left_behind-keys told 2", "3300 left_behind-keys told 3",
                "3600 left_behind-keys told 4", "4000 left_behind-keys cleared returned",
            ])
    }

    @Test func aSilenceCanBeTakenBackAndItsTableIsBounded() {
        var book = AlertBook(rules: [Self.rule])
        func silence(_ subject: Crossing.Subject, until end: Double, at time: Double = 0) -> Bool {
            book.silence(subject, until: AlertLine.time(end), at: AlertLine.time(time))
        }
        let taken = (0..<AlertBook.silenceBound).filter { silence(.region("r\($0)"), until: 10) }
        #expect(taken.count == AlertBook.silenceBound)
        #expect(!silence(.item("keys"), until: 10))
        #expect(silence(.region("r1"), until: 0))
        let start = AlertLine.time(0)
        #expect(!book.isSilenced(.region("r1"), at: start) && book.isSilenced(.region("r2"), at: start))
        #expect(silence(.item("keys"), until: 30, at: 11))
        #expect(book.snapshot.silences.count == 1)
    }

    @Test func everyCompanionMustHaveGone() {
        let rule = AlertRule(.leftBehind, item: "keys", companions: ["phone", "watch"])
        var line = AlertLine(rule)
        let text = Self.home + "0 watch inside\n100 phone exit\n500 watch exit\n700 phone enter"
        #expect(
            line.play(text, until: 5000) == ["560 left_behind-keys told 1", "700 left_behind-keys cleared returned"])
    }

    @Test func aStartThatFindsThePhoneOutsideIsNoDeparture() {
        var line = AlertLine(Self.rule)
        #expect(line.play("0 keys inside\n20 phone outside", until: 5000).isEmpty)
    }

    @Test func keysWhoseExitTakesLongToDecideAreWaitedFor() {
        var line = AlertLine(Self.rule)
        line.book.setExitTime(.seconds(180), of: "keys")
        #expect(line.play(Self.home + "110<100 phone exit\n275<95 keys exit", until: 5000).isEmpty)
        var other = AlertLine(Self.rule)
        other.book.setExitTime(.seconds(180), of: "keys")
        #expect(other.play(Self.home + "110<100 phone exit", until: 400) == ["340 left_behind-keys told 1"])
    }

    @Test func anAlertStandsOverARestart() {
        var line = AlertLine(Self.rule)
        line.play(Self.home + "100 phone exit", until: 200)
        line.restart(at: 250)
        #expect(
            line.play("250 keys inside\n250 phone outside\n500 phone enter", until: 5000) == [
                "160 left_behind-keys told 1", "460 left_behind-keys told 2", "500 left_behind-keys cleared returned",
            ])
    }

    @Test func whatFellDueWhileStoppedIsToldOnceAtTheStart() {
        var line = AlertLine(Self.rule)
        line.play(Self.home + "100 phone exit", until: 120)
        line.restart(at: 2000)
        #expect(
            line.play("2000 keys inside", until: 2400) == [
                "2000 left_behind-keys told 1", "2300 left_behind-keys told 2",
            ])
    }

    @Test func aPhoneThatReturnedWhileStoppedClearsIt() {
        var line = AlertLine(Self.rule)
        line.play(Self.home + "100 phone exit", until: 200)
        line.restart(at: 900)
        #expect(
            line.play("900<200 phone enter", until: 5000) == [
                "160 left_behind-keys told 1", "900 left_behind-keys cleared returned",
            ])
    }

    @Test func anAlertWhoseRuleIsGoneIsCleared() {
        var line = AlertLine(Self.rule)
        line.play(Self.home + "100 phone exit", until: 200)
        line.restart(at: 300, rules: [])
        #expect(line.notices.last == "300 left_behind-keys cleared removed" && line.book.snapshot.alerts.isEmpty)
    }

    @Test func aRestartAtAnyMomentTellsNothingTwice() {
        let crossings = ["100 phone exit", "800 phone enter", "1200 phone exit", "1210 keys exit"]
        var whole = AlertLine(Self.rule)
        whole.play(Self.home + crossings.joined(separator: "\n"), until: 3000)
        for moment in stride(from: 5.0, to: 1500, by: 35) {
            var line = AlertLine(Self.rule)
            let before = crossings.filter { Double($0.split(separator: " ")[0])! <= moment }
            line.play(Self.home + before.joined(separator: "\n"), until: moment)
            line.restart(at: moment)
            line.play(crossings.dropFirst(before.count).joined(separator: "\n"), until: 3000)
            #expect(line.notices == whole.notices, "restart at \(moment)")
        }
    }
}
