internal import BrokerSession
internal import Bytes
internal import Store

/// The true rooms of items, as people mark them while they walk with one.
extension FuserMemory {
    /// The most marks of an item that are looked at.
    private static let markBound = 1000
    /// The most such portions that are deleted at once.
    private static let rounds = 100
    /// The most visits that a walk is measured by.
    private static let visitBound = 10_000

    /// Records that an item is in a room from a time on; nil ends its walk. A mark that says what holds already is none.
    func markTruth(
        _ item: String, in room: String?, from time: Timestamp, by user: String, at now: Timestamp
    ) throws(StoreError) {
        let last = try store.truth(of: item, limit: Self.markBound).last { $0.at <= time }
        let holds = last.map { $0.at.advanced(by: TruthWalk.longestStay) > time } ?? false
        guard room == nil ? last?.room != nil : !(holds && last?.room == room) else { return }
        state.commitBatch(at: now) { batch in
            batch.set(.truth(TruthRecord(item: item, at: time, room: room, user: user)))
        }
    }

    /// Deletes an item's marks; returns their number.
    func forgetTruth(_ item: String, at now: Timestamp) throws(StoreError) -> Int {
        var count = 0
        for _ in 0..<Self.rounds {
            let marks = try store.truth(of: item, limit: Self.markBound)
            if marks.isEmpty { break }
            count += marks.count
            state.commitBatch(at: now) { batch in
                for mark in marks { batch.set(.forgetTruth(item: item, at: mark.at)) }
            }
        }
        return count
    }

    /// The table of an item's walks.
    func truthTable(of item: String, at now: Timestamp) throws(StoreError) -> String {
        TruthWalk.table(TruthWalk.walks(of: try store.truth(of: item, limit: Self.markBound), at: now), of: item)
    }

    /// The marks of an item, with its last walk and what the answers were worth in it, as JSON.
    func truthReport(of item: String, at now: Timestamp) throws(StoreError) -> [UInt8] {
        let marks = try store.truth(of: item, limit: Self.markBound)
        var json = JSONWriter()
        json.beginObject()
        json.field("item", item)
        json.field("now", now)
        json.beginArray("marks")
        for mark in marks {
            json.beginObject()
            json.field("t", mark.at)
            if let room = mark.room { json.field("room", room) } else { json.field("room", json: Array("null".utf8)) }
            json.field("by", mark.user)
            json.endObject()
        }
        json.endArray()
        if let walk = TruthWalk.walks(of: marks, at: now).last {
            json.beginObject("walk")
            json.field("from", walk.from)
            json.field("to", walk.to)
            json.field("open", walk.isOpen)
            json.endObject()
            let visits = try store.visits(of: item, from: walk.from, to: walk.to, limit: Self.visitBound)
            let answers = TruthScore.Answer.answers(visits.map { ($0.room, $0.from, $0.to) })
            Self.write(TruthScore(walk.stays, answers), to: &json)
        }
        json.endObject()
        return json.bytes
    }

    private static func write(_ score: TruthScore, to json: inout JSONWriter) {
        json.beginObject("score")
        json.field("accuracy", score.accuracy, decimals: 4)
        json.field("settled", score.settled, decimals: 4)
        json.field("flaps", score.flaps)
        json.field("lag_p50", score.lag?.seconds, decimals: 3)
        json.field("seconds", score.duration.seconds, decimals: 3)
        json.endObject()
    }
}
