internal import Bytes
internal import Sites
internal import System
internal import WireProtocol

/// A site of the list.
enum SiteRow {
    /// The sites as a table.
    static func table(_ sites: [SitesReading.Asked], at now: Timestamp) -> [String] {
        Columns.lines(
            [["SITE", "NAME", "STATUS", "FUSERS", "NODES", "ITEMS", "PERSONS", "ALERTS", "LAST MESSAGE", "NOTES"]]
                + sites.map { asked in
                    let (site, figures) = (asked.site, asked.figures)
                    guard figures.status != .unreachable else {
                        return [
                            site.id, site.name, figures.status.rawValue, "", "", "", "", "", "", notes(on: asked),
                        ]
                    }
                    return [
                        site.id, site.name, figures.status.rawValue,
                        "\(figures.fusersOnline) of \(figures.fusers)", "\(figures.nodesOnline) of \(figures.nodes)",
                        "\(figures.itemsPresent) present, \(figures.itemsAway) away",
                        "\(figures.personsPresent) present, \(figures.personsAway) away", "\(figures.alerts)",
                        figures.lastMessage.map { age(of: $0, at: now) } ?? "never", notes(on: asked),
                    ]
                })
    }

    /// The row of a site as JSON.
    static func json(_ asked: SitesReading.Asked) -> String {
        var json = JSONWriter()
        asked.figures.write(asked.site, to: &json)
        return json.text
    }

    /// The line about a site that was not wholly searched.
    static func gap(_ asked: SitesReading.Asked) -> String {
        let words =
            switch asked.figures.status {
            case .unreachable: "not searched"
            case .silent: "silent, and not wholly searched"
            case .online, .connecting: "not wholly searched"
            }
        return "\(asked.site.id) is \(words): \(notes(on: asked))"
    }

    private static func age(of time: Timestamp, at now: Timestamp) -> String {
        let seconds = max(0, Int(now.seconds(since: time)))
        return seconds < 172_800 ? AgeText.text(seconds) : String(LocalTime.text(time).prefix(16))
    }

    private static func notes(on asked: SitesReading.Asked) -> String {
        let figures = asked.figures
        guard figures.status != .unreachable else { return DisplayText.safe(figures.problem ?? "") }
        var notes: [String] = []
        if asked.isCutOff { notes.append("not all of it came in time: give a longer --timeout") }
        if figures.status == .silent {
            notes.append(
                figures.fusers + figures.nodes + figures.items == 0
                    ? "nothing of a house is there: check topic_prefix, and the rights of this user"
                    : figures.fusersOnline == 0 ? "no fuser is online" : "its fuser says nothing")
        }
        let left = figures.leftOut
        let counts = [
            (left.items, "items beyond the limit"), (left.names, "names"), (left.messages, "messages"),
            (left.unreadable, "unreadable messages"),
        ]
        let words = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        if !words.isEmpty { notes.append("left out: \(words.joined(separator: ", "))") }
        return notes.joined(separator: "; ")
    }
}

/// An item or a person that was found.
enum FoundRow {
    /// The found items and persons as a table.
    static func table(_ found: [(Site, FoundItem)]) -> [String] {
        guard !found.isEmpty else { return [] }
        return Columns.lines(
            [["SITE", "ID", "NAME", "ROOM", "SINCE", "SURE"]]
                + found.map { site, item in
                    [
                        site.id, item.id, DisplayText.safe(item.name ?? ""), room(of: item),
                        item.since.map { String(LocalTime.text($0).prefix(16)) } ?? "",
                        item.confidence.map { NumberText.text($0 * 100, decimals: 0) + " %" } ?? "",
                    ]
                })
    }

    /// A row as JSON.
    static func json(_ site: Site, _ item: FoundItem) -> String {
        var json = JSONWriter()
        item.write(of: site, to: &json)
        return json.text
    }

    private static func room(of item: FoundItem) -> String {
        item.room.map { item.state == .quiet ? "\($0), quiet" : $0 } ?? item.state.rawValue
    }
}
