public import Alerts
internal import Bytes
public import System
public import WireProtocol

/// The reactions to one item or region.
public struct Reactions: Hashable, Sendable {
    /// The item or region.
    public var subject: Crossing.Subject
    /// The reactions to its determination as inside or outside (`on_determined`).
    public var onDetermined: [Reaction] = []
    /// The reactions to its arrival (`on_enter`).
    public var onEnter: [Reaction] = []
    /// The reactions to its departure (`on_exit`).
    public var onExit: [Reaction] = []

    /// Reactions of a subject, none yet.
    public init(_ subject: Crossing.Subject) {
        self.subject = subject
    }

    /// The reactions to a crossing.
    public func reactions(to kind: Crossing.Kind) -> [Reaction] {
        switch kind {
        case .determined: onDetermined
        case .enter: onEnter
        case .exit: onExit
        }
    }

    /// The topics that they publish on, with all placeholders replaced, in order.
    public var topics: [String] {
        let moments = [(onDetermined, Crossing.Kind.determined(isInside: true)), (onEnter, .enter), (onExit, .exit)]
        return moments.flatMap { reactions, kind in
            // Topics don't contain the time.
            let values = ReactionValues(Crossing(subject, kind, at: Timestamp(microseconds: 0)))
            return reactions.compactMap { reaction in
                if case .publish(let publication) = reaction { values.expand(publication.topic) } else { nil }
            }
        }
    }

    /// True if an offer is published on a topic.
    public var offersByTopic: Bool {
        (onDetermined + onEnter + onExit).contains { reaction in
            if case .offer(let offer) = reaction { offer.way == .topic } else { false }
        }
    }
}

/// One reaction.
public enum Reaction: Hashable, Sendable {
    /// A message is published.
    case publish(Publication)
    /// A program is run.
    case run(ActionCommand)
    /// An offer is made, once a visit.
    case offer(Offer)

    /// A message with placeholders.
    public struct Publication: Hashable, Sendable {
        /// The whole topic.
        public var topic: String
        /// The payload.
        public var payload: String
        /// True if the broker is to retain it.
        public var isRetained: Bool

        /// A message from its parts.
        public init(topic: String, payload: String, isRetained: Bool = false) {
            self.topic = topic
            self.payload = payload
            self.isRetained = isRetained
        }

        /// The message of a crossing (QoS 1).
        public func message(_ values: ReactionValues) -> Message {
            Message(
                topic: values.expand(topic), text: values.expand(payload), qos: .atLeastOnce, retained: isRetained)
        }
    }
}

/// The values of `{item}`, `{region}`, `{kind}`, `{state}` and `{at}` in a reaction's texts, and in its program's
/// environment.
public struct ReactionValues: Hashable, Sendable {
    /// The names of the placeholders.
    public static let names = ["item", "region", "kind", "state", "at"]

    private var values: [String: String]

    /// The values of a crossing. `item` is the item that crossed a region, if it is one.
    public init(_ crossing: Crossing, item: String? = nil) {
        var json = JSONWriter()
        json.value(crossing.at)
        let state = crossing.kind.isInside ? "inside" : "outside"
        values = ["kind": crossing.kind.word, "state": state, "at": json.text]
        switch crossing.subject {
        case .item(let id): values["item"] = id
        case .region(let id):
            values["region"] = id
            values["item"] = item
        }
    }

    /// A text with its placeholders replaced; by nothing if there is no value.
    public func expand(_ text: String) -> String {
        guard text.utf8.contains(0x7B) else { return text }
        var result = ""
        for piece in Placeholders.pieces(of: text) {
            switch piece {
            case .text(let text): result += text
            case .placeholder(let name): result += values[name] ?? ""
            }
        }
        return result
    }

    /// A command of a crossing: its arguments with their placeholders replaced, and `WHEREABOUTS_ITEM` and the like in
    /// its environment.
    public func expand(_ command: ActionCommand) -> ActionCommand {
        var command = command
        command.arguments = command.arguments.map(expand)
        for (name, value) in values { command.variables["WHEREABOUTS_\(name.uppercased())"] = value }
        return command
    }
}

/// Placeholders in texts: a word of small letters in braces. Any other brace is text, so that JSON needs no escapes.
enum Placeholders {
    enum Piece: Hashable {
        case text(String)
        case placeholder(String)
    }

    static func pieces(of text: String) -> [Piece] {
        var pieces: [Piece] = []
        var plain = Substring()
        var rest = text[...]
        while let brace = rest.firstIndex(of: "{") {
            let word = rest[rest.index(after: brace)...].prefix { ("a"..."z").contains($0) }
            plain += rest[..<brace]
            if !word.isEmpty, word.endIndex < rest.endIndex, rest[word.endIndex] == "}" {
                pieces += [.text(String(plain)), .placeholder(String(word))]
                plain = ""
                rest = rest[rest.index(after: word.endIndex)...]
            } else {
                plain += "{"
                rest = rest[rest.index(after: brace)...]
            }
        }
        plain += rest
        return pieces + [.text(String(plain))]
    }
}
