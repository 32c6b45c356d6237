internal import Bytes
internal import Store
internal import WebInterface
internal import WireProtocol

/// Requests of the page about the true rooms of items.
extension FuserService {
    func perform(_ request: TruthRequest, of user: String) -> PageRequest.Answer {
        let now = pipeline.time(atWall: wall)
        do throws(StoreError) {
            switch request {
            case .mark(let item, let room, let ago):
                guard pipeline.knows(item) else { return .unknown("\(pipeline.unknown(item))") }
                if let room, let fault = pipeline.fault(ofRoom: room) { return .conflict("\(fault)") }
                try memory.markTruth(item, in: room, from: now.advanced(by: -ago), by: user, at: now)
                return .report(try truthReport(of: item, at: now))
            case .report(let item):
                guard try isKnown(item) else { return .unknown("\(pipeline.unknown(item))") }
                return .report(try truthReport(of: item, at: now))
            case .table(let item):
                guard try isKnown(item) else { return .unknown("\(pipeline.unknown(item))") }
                return .table(Array(try memory.truthTable(of: item, at: now).utf8), name: "truth.csv")
            case .forget(let item):
                let count = try memory.forgetTruth(item, at: now)
                guard count > 0 else { return .unknown("no true room of '\(item)' is recorded") }
                return .report(Array("{\"item\":\"\(item)\",\"forgotten\":\(count)}".utf8))
            }
        } catch {
            return .conflict("\(error)")
        }
    }

    /// An item that was removed still has its marks.
    private func isKnown(_ item: String) throws(StoreError) -> Bool {
        if pipeline.knows(item) { return true }
        return try !memory.store.truth(of: item, limit: 1).isEmpty
    }

    private func truthReport(of item: String, at now: Timestamp) throws(StoreError) -> [UInt8] {
        // The answer of this moment belongs to it.
        storeAndPublish(isAsked: true)
        return try memory.truthReport(of: item, at: now)
    }
}
