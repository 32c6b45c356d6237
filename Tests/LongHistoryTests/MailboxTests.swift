import Bytes
import Testing

@testable import LongHistory

@Suite("Requests to the thread of a long history")
struct MailboxTests {
    private let mailbox: HistoryMailbox

    init() throws { mailbox = try HistoryMailbox() }

    private func post(batch number: UInt64) {
        mailbox.post(
            HistoryBatch(
                .events, epoch: "e", from: 0, to: number, count: 0, rows: [], days: [], connection: 1))
    }

    private func post(purge item: String) {
        mailbox.post(HistoryPurge(item: item, before: Timestamp(microseconds: 0), isWhole: true))
    }

    /// The requests in words, such as `purge keys` and `write 7`.
    private var requests: [String] {
        mailbox.takeRequests().map { request in
            switch request {
            case .write(let batch): "write \(batch.to)"
            case .purge(let purge): "purge \(purge.item)"
            }
        }
    }

    @Test("Keep the order of purges and batches, so that no batch brings back what a purge deletes")
    func order() {
        post(purge: "phone")
        post(batch: 7)
        post(purge: "keys")
        #expect(requests == ["purge phone", "write 7", "purge keys"])
        #expect(requests.isEmpty)
    }

    @Test("Hold one batch, the last, and each purge once")
    func bounds() {
        post(batch: 7)
        for _ in 0..<3 { post(purge: "keys") }
        post(batch: 8)
        #expect(requests == ["purge keys", "write 8"])
        post(purge: "keys")
        #expect(requests == ["purge keys"], "the earlier one was taken")
    }
}
