import WireProtocol
import Testing

@testable import BrokerSession

@Suite struct SubscriptionBookTests {
    /// Expects that the program learns now that it has all that it needs, or doesn't.
    private func expect(
        _ book: inout SubscriptionBook, completes expected: Bool, _ location: SourceLocation = #_sourceLocation
    ) {
        let isComplete = book.takeCompletion()
        #expect(isComplete == expected, sourceLocation: location)
    }

    @Test("Report all required subscriptions after the last answer, and again after each denial")
    func completion() {
        var book = SubscriptionBook(["items", "homeassistant/status"], optional: ["homeassistant/status"])
        book.connected()
        expect(&book, completes: false)
        book.recordDenial("items", "Not authorized")
        book.recordDenial("homeassistant/status", "Not authorized")
        for filter in ["items", "homeassistant/status"] { book.recordAnswer(filter) }
        #expect(book.isLacking)
        expect(&book, completes: false)
        #expect(book.denials.map(\.filter) == ["homeassistant/status", "items"])
        let grants = [book.recordGrant("items"), book.recordGrant("items")]
        #expect(grants == [true, false])
        #expect(!book.isLacking, "the rest can be done without")
        expect(&book, completes: true)
        expect(&book, completes: false)
        // Until the answers of a new connection the last ones count.
        book.recordDenial("items", "Quota exceeded")
        book.disconnected()
        book.connected()
        #expect(book.isLacking)
        expect(&book, completes: false)
        _ = book.recordGrant("items")
        expect(&book, completes: false)
        book.recordAnswer("items")
        expect(&book, completes: true)
    }

    @Test("Wait for no answer of a subscription that the program can do without, or has ended")
    func optional() {
        var book = SubscriptionBook(["items", "plan", "windows/3a"], optional: ["plan"])
        expect(&book, completes: false)
        book.connected()
        book.recordAnswer("items")
        expect(&book, completes: false)
        book.end(["windows/3a"])
        #expect(book.isRequiredAnswered && !book.isAnswered)
        expect(&book, completes: true)
        // One that is added is answered on the next connection as well.
        book.begin(["windows/3b"])
        book.disconnected()
        book.connected()
        book.recordAnswer("items")
        #expect(!book.isRequiredAnswered)
        book.recordAnswer("windows/3b")
        expect(&book, completes: true)
    }

    @Test("Wait for the answer of each that is added later, unless it ends, or the connection does")
    func added() {
        var book = SubscriptionBook(["items"])
        book.begin(["plan"])
        book.connected()
        #expect(!book.isEachAnswered)
        book.recordAnswers()
        #expect(book.isEachAnswered)
        book.begin(["pictures", "lessons"])
        #expect(book.isAnswered && !book.isEachAnswered)
        book.recordAnswer("pictures")
        #expect(!book.isEachAnswered)
        book.end(["lessons"])
        #expect(book.isEachAnswered)
        book.begin(["pictures"])
        book.disconnected()
        book.connected()
        book.recordAnswers()
        #expect(book.isEachAnswered)
    }

    @Test("Take for incomplete what a required subscription may lack, but not an optional one")
    func completeness() {
        var book = SubscriptionBook(["items", "commands"], optional: ["commands", "pictures"])
        #expect(book.isComplete)
        book.connected()
        #expect(!book.isComplete)
        book.recordAnswer("items")
        #expect(book.isComplete)
        book.begin(["windows/3b", "pictures"])
        #expect(!book.isComplete)
        book.recordAnswer("windows/3b")
        book.recordDenial("windows/3b", "Unspecified error")
        #expect(!book.isComplete)
        _ = book.recordGrant("windows/3b")
        #expect(book.isComplete)
        book.disconnected()
        book.connected()
        #expect(!book.isComplete)
    }

    @Test("Name the filter and the reason of a problem, and count many denials")
    func sentences() {
        let denials = (0..<6).map { SubscriptionDenial(filter: "t/\($0)", reason: "Not authorized") }
        let sentences = SubscriptionDenial.sentences(denials)
        #expect(sentences.count == SubscriptionDenial.namedLimit + 1)
        #expect(sentences[0].hasPrefix("the broker denies the subscription t/0: Not authorized; "))
        #expect(sentences[4] == "the broker denies the subscription of 2 more topic filters")
        #expect(sentences.allSatisfy(SubscriptionDenial.isSentence))
        #expect(!SubscriptionDenial.isSentence("'keys': no key file"))
        #expect(SubscriptionDenial.sentences([]).isEmpty)
    }
}
