internal import WireProtocol

/// The reasons for a person's location, in readable form.
enum PersonText {
    static func lines(_ why: Explanation, names: NameBook) -> [String] {
        var lines = Columns.lines(
            [["  ITEM", "IS", "SPEAKS"]]
                + why.items.enumerated().map { index, item in
                    ["  \(item.item)", placeText(item, names), itemLine(item, isFirst: index == 0, why)]
                })
        if !why.mustHave.isEmpty {
            let needed = why.mustHave.joined(separator: " or ")
            lines.append("Nobody is there without \(needed).")
        }
        return lines
    }

    private static func placeText(_ item: PersonReason, _ names: NameBook) -> String {
        let room = item.room.map(names.room) ?? ""
        return switch item.state {
        case .present: "in \(room)"
        case .quiet: "quiet, in \(room)"
        case .away: "away"
        case .unknown: "not known"
        }
    }

    private static func itemLine(_ item: PersonReason, isFirst: Bool, _ why: Explanation) -> String {
        if item.state == .unknown { return "not" }
        if isFirst, why.state != .unknown { return "decides" }
        return item.isLeftBehind ? "not: it was left behind" : ""
    }
}
