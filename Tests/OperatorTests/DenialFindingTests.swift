import WireProtocol
import Testing

@testable import Operator

@Suite struct DenialFindingTests {
    @Test("Report a denied topic with the broker's reason and the remedy, and leave other problems to their checks")
    func findings() {
        let denial = SubscriptionDenial(filter: "whereabouts/items/+/config", reason: "Not authorized")
        let problems = ["'keys': no key file"] + SubscriptionDenial.sentences([denial])
        let findings = BrokerCheck.denials(problems)
        #expect(
            findings.map(\.reason) == [
                "the broker denies the subscription whereabouts/items/+/config: Not authorized"
            ])
        #expect(findings.first?.mend?.contains("access list") == true)
        #expect(findings.first?.verdict == .warning)
        // A fuser that serves nothing for it is at fault.
        #expect(BrokerCheck.denials(problems, isStopped: true).map(\.verdict) == [.fault])
    }
}
