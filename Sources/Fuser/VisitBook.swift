internal import Bytes
internal import Store

/// The open visits of items.
struct VisitBook {
    /// A visit that lasts, with the confidence of its answers so far.
    private struct Open {
        var record: VisitRecord
        /// The begin of the time that is averaged; nil until the first answer of this run.
        var begin: Timestamp?
        /// The time of the latest answer, up to which `sum` counts.
        var latest: Timestamp
        /// Confidence times seconds.
        var sum = 0.0

        /// A visit, whose confidence is that of its latest answer.
        init(_ record: VisitRecord, isRestored: Bool) {
            self.record = record
            begin = isRestored ? nil : record.from
            latest = record.from
        }

        /// Takes an answer from a moment on.
        mutating func update(_ confidence: Double, at now: Timestamp) {
            if begin == nil {
                (begin, latest) = (now, now)
            } else if now > latest {
                sum += record.confidence * latest.duration(to: now).seconds
                latest = now
            }
            record.confidence = confidence
        }

        /// The visit with the average of its confidence up to a moment.
        func averaged(at now: Timestamp) -> VisitRecord {
            var visit = self
            visit.update(record.confidence, at: now)
            guard let begin, visit.latest > begin else { return record }
            visit.record.confidence = visit.sum / begin.duration(to: visit.latest).seconds
            return visit.record
        }
    }

    private var open: [String: Open] = [:]

    /// A book of the visits that were open when they were stored.
    init(_ visits: [VisitRecord] = []) {
        for visit in visits where visit.to == nil {
            if let other = open[visit.item], other.record.from >= visit.from { continue }
            open[visit.item] = Open(visit, isRestored: true)
        }
    }

    /// All open visits, with the average of their confidence up to a moment.
    func visits(at now: Timestamp) -> [VisitRecord] {
        open.values.map { $0.averaged(at: now) }.sorted { $0.item < $1.item }
    }

    /// The average confidence of an item's open visit up to a moment; nil without one.
    func confidence(of item: String, at now: Timestamp) -> Double? { open[item]?.averaged(at: now).confidence }

    /// Moves an item to a room, `away` or an unknown place (nil) from a moment on; returns the rows to store.
    mutating func beginVisit(_ item: String, in room: String?, from: Timestamp, confidence: Double) -> [VisitRecord] {
        var rows: [VisitRecord] = []
        var from = from
        if let visit = open[item] {
            guard visit.record.room != room else { return [] }
            // It lasts for a moment at least: each published answer is in the history.
            from = Swift.max(from, visit.record.from.advanced(byMicroseconds: 1))
            var ended = visit.averaged(at: from)
            ended.to = from
            rows.append(ended)
            open[item] = nil
        }
        guard let room else { return rows }
        let visit = VisitRecord(item: item, room: room, from: from, to: nil, confidence: confidence)
        open[item] = Open(visit, isRestored: false)
        rows.append(visit)
        return rows
    }

    /// Takes the confidence of an item's answer from a moment on. The visit's end stores the average.
    mutating func updateVisit(_ item: String, confidence: Double, at now: Timestamp) {
        open[item]?.update(confidence, at: now)
    }

    /// Removes the part of an item's visit before a moment, or all of it.
    mutating func purgeVisits(_ item: String, before: Timestamp, isGone: Bool) {
        if isGone { open[item] = nil }
        guard let visit = open[item], visit.record.from < before else { return }
        open[item]?.record.from = before
    }
}
