import Alerts
import Testing

@Suite struct VisitLedgerTests {
    let guest = Crossing.Subject.item("guest")

    func crossing(_ kind: Crossing.Kind, _ seconds: Double = 0) -> Crossing {
        Crossing(guest, kind, at: AlertLine.time(seconds))
    }

    func offer(_ kind: Crossing.Kind, _ name: String, _ ledger: inout VisitLedger) -> Bool {
        let crossing = crossing(kind)
        ledger.receive(crossing)
        return ledger.makes(name, at: crossing)
    }

    @Test func anOfferIsMadeOnceAVisit() {
        var ledger = VisitLedger()
        #expect(offer(.enter, "wifi", &ledger))
        #expect(!offer(.enter, "wifi", &ledger))
        #expect(!offer(.determined(isInside: true), "wifi", &ledger))
        #expect(offer(.enter, "menu", &ledger))
    }

    @Test func onlyARealExitArmsItAgain() {
        var ledger = VisitLedger()
        #expect(offer(.enter, "wifi", &ledger))
        #expect(!offer(.determined(isInside: false), "wifi", &ledger))
        #expect(!offer(.determined(isInside: true), "wifi", &ledger))
        ledger.receive(crossing(.exit))
        #expect(offer(.enter, "wifi", &ledger))
    }

    @Test func aRestartMakesNoneASecondTime() {
        var ledger = VisitLedger()
        #expect(offer(.determined(isInside: true), "wifi", &ledger))
        var next = VisitLedger(ledger.snapshot)
        #expect(!offer(.determined(isInside: true), "wifi", &next))
        #expect(!offer(.enter, "wifi", &next))
        next.receive(crossing(.exit))
        var last = VisitLedger(next.snapshot)
        #expect(offer(.enter, "wifi", &last))
    }

    @Test func anOfferOfTheExitIsMadeOnceAfterAVisit() {
        var ledger = VisitLedger()
        #expect(!offer(.exit, "bye", &ledger))
        #expect(offer(.enter, "wifi", &ledger))
        #expect(offer(.exit, "bye", &ledger) && !offer(.exit, "bye", &ledger))
        var next = VisitLedger(ledger.snapshot)
        #expect(!offer(.exit, "bye", &next))
    }

    @Test func aFullLedgerCountsWhatItDrops() {
        var ledger = VisitLedger()
        for number in 0...VisitLedger.bound {
            let crossing = Crossing(.item("i\(number)"), .enter, at: AlertLine.time(0))
            ledger.receive(crossing)
            let isMade = ledger.makes("wifi", at: crossing)
            #expect(isMade == (number < VisitLedger.bound))
        }
        #expect(ledger.dropped == 1 && ledger.snapshot.count == VisitLedger.bound)
    }
}
