internal import Bytes
internal import Store

/// The open visits of items.
struct VisitBook {
    private var open: [String: VisitRecord] = [:]

    /// A book of the visits that were open when they were stored.
    init(_ visits: [VisitRecord] = []) {
        for visit in visits where visit.to == nil {
            open[visit.item] = latestVisit(visit, open[visit.item])
        }
    }

    private func latestVisit(_ one: VisitRecord, _ other: VisitRecord?) -> VisitRecord {
        other.map { $0.from > one.from ? $0 : one } ?? one
    }

    /// All open visits.
    var visits: [VisitRecord] { open.values.sorted { $0.item < $1.item } }

    /// Moves an item to a room, `away` or an unknown place (nil) from a moment on; returns the rows to store.
    mutating func beginVisit(_ item: String, in room: String?, from: Timestamp, confidence: Double) -> [VisitRecord] {
        var rows: [VisitRecord] = []
        var from = from
        if var visit = open[item] {
            guard visit.room != room else { return [] }
            // It lasts for a moment at least: each published answer is in the history.
            from = Swift.max(from, visit.from.advanced(byMicroseconds: 1))
            visit.to = from
            rows.append(visit)
            open[item] = nil
        }
        guard let room else { return rows }
        let visit = VisitRecord(item: item, room: room, from: from, to: nil, confidence: confidence)
        open[item] = visit
        rows.append(visit)
        return rows
    }

    /// Sets the confidence, which is stored with the visit's end.
    mutating func updateVisit(_ item: String, confidence: Double) { open[item]?.confidence = confidence }

    /// Removes the part of an item's visit before a moment, or all of it.
    mutating func purgeVisits(_ item: String, before: Timestamp, isGone: Bool) {
        if isGone { open[item] = nil }
        guard let visit = open[item], visit.from < before else { return }
        open[item]?.from = before
    }
}
