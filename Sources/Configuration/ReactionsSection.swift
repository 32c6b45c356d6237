internal import Alerts
internal import CommandLine
internal import System
internal import WireProtocol

/// The keys `on_determined`, `on_enter` and `on_exit` of regions, and of items in the section `reactions`.
///
///     on_enter:
///       - publish: {topic: home/hall/light, payload: "on"}
///       - run: [logger, "{item} is back"]
///         timeout: 5s
///       - offer: {wifi: {ssid: Guests, passphrase_file: guests.passphrase}}
final class ReactionsSection {
    /// The most reactions to one crossing.
    static let bound = 10
    /// The most items with reactions.
    static let itemBound = 1000
    /// The most parts of a command, and the most bytes of a part or a payload.
    static let wordBound = 64
    static let textBound = 4096

    /// The reactions that were read.
    private(set) var found: [Reactions] = []
    private let reader: ConfigurationReader
    private let topicPrefix: String
    private var seen = UniqueNames("the item")

    init(_ reader: ConfigurationReader, topicPrefix: String) {
        self.reader = reader
        self.topicPrefix = topicPrefix
    }

    /// The section `reactions`: a list of items with their reactions.
    func items(_ node: YAMLNode) -> Bool? {
        let item: ConfigurationReader.Getter<Bool> = reader.map { map in
            let item = map.require("item", self.reader.identifier)
            self.read(map, of: .item(item ?? ""))
            if let item { self.seen.registerName(item, at: map.place("item"), self.reader) }
            return true
        }
        return reader.list(Self.itemBound, of: item)(node).map { _ in true }
    }

    /// Reads the keys of one map.
    func read(_ map: MapReader, of subject: Crossing.Subject) {
        var reactions = Reactions(subject)
        let getter = reader.list(Self.bound, of: reactionGetter(subject))
        reactions.onDetermined = map.read("on_determined", getter) ?? []
        reactions.onEnter = map.read("on_enter", getter) ?? []
        reactions.onExit = map.read("on_exit", getter) ?? []
        if map.hasAny(of: ["on_determined", "on_enter", "on_exit"]) { found.append(reactions) }
    }

    private func reactionGetter(_ subject: Crossing.Subject) -> ConfigurationReader.Getter<Reaction> {
        reader.map { map in
            let publication = map.read("publish", self.publicationGetter(subject))
            let content = map.read("offer", self.readOffer)
            let way = map.read("via", self.reader.word(["topic", "stdin"]))
            let command = map.read("run", self.commandGetter(subject))
            let timeout = map.read("timeout", self.reader.duration(.milliseconds(100)...(.seconds(3600))))
            guard self.isOne(map, way: way) else { return nil }
            let timed = command.map { command in
                var command = command
                command.timeout = timeout ?? ActionCommand.defaultTimeout
                return command
            }
            if let publication { return .publish(publication) }
            if map.has("offer") {
                if map.has("run"), timed == nil { return nil }
                return content.map { .offer(Offer($0, timed.map { .program($0) } ?? .topic)) }
            }
            return timed.map { .run($0) }
        }
    }

    /// True if the keys of a reaction are consistent.
    private func isOne(_ map: MapReader, way: String?) -> Bool {
        let given = ["publish", "run", "offer"].filter { map.has($0) }
        guard given.count == 1 || given == ["run", "offer"] else {
            let found = given.isEmpty ? "none" : given.joined(separator: " and ")
            reader.fault(map.position, "a reaction has one of publish, run, offer; found \(found)")
            return false
        }
        if map.has("via"), !map.has("offer") {
            reader.fault(map.place("via"), "'via' is for an offer")
            return false
        }
        if map.has("timeout"), !map.has("run") {
            reader.fault(map.place("timeout"), "'timeout' needs a 'run' with it")
            return false
        }
        guard map.has("offer"), map.has("run") != (way == "stdin") else { return true }
        reader.fault(map.position, "an offer via stdin needs a 'run' with it, and no other does")
        return false
    }

    private func publicationGetter(_ subject: Crossing.Subject) -> ConfigurationReader.Getter<Reaction.Publication> {
        let names: [String]
        switch subject {
        case .item: names = ["item", "kind"]
        case .region: names = ["region", "kind"]
        }
        return reader.map { map in
            let topic = map.require("topic") { self.readTopic($0, placeholders: names) }
            let payload = map.require("payload", self.textGetter(subject))
            let isRetained = map.read("retained", self.reader.boolean)
            guard let topic, let payload else { return nil }
            return Reaction.Publication(topic: topic, payload: payload, isRetained: isRetained ?? false)
        }
    }

    /// A topic outside this system: no wildcard, none of the broker's own, none of ours.
    private func readTopic(_ node: YAMLNode, placeholders: [String]) -> String? {
        guard let text = reader.string(node), checkPlaceholders(text, node, placeholders) else { return nil }
        guard TopicFilter.isValidTopic(text), text.utf8.count <= 256, !text.hasPrefix("$") else {
            reader.expected("a topic of at most 256 bytes without '+' and '#' that doesn't begin with '$'", node)
            return nil
        }
        guard text != topicPrefix, !text.hasPrefix(topicPrefix + "/"), !text.hasPrefix("{") else {
            reader.fault(node.position, "topics under '\(topicPrefix)/' are the program's own; choose another")
            return nil
        }
        return text
    }

    private func textGetter(_ subject: Crossing.Subject) -> ConfigurationReader.Getter<String> {
        let names: [String]
        switch subject {
        case .item: names = ReactionValues.names.filter { $0 != "region" }
        case .region: names = ReactionValues.names
        }
        return { node in
            guard let text = self.reader.string(node), self.checkPlaceholders(text, node, names) else { return nil }
            guard text.utf8.count <= Self.textBound else {
                self.reader.fault(node.position, "expected at most \(Self.textBound) bytes")
                return nil
            }
            return text
        }
    }

    private func checkPlaceholders(_ text: String, _ node: YAMLNode, _ names: [String]) -> Bool {
        for case .placeholder(let name) in Placeholders.pieces(of: text) where !names.contains(name) {
            let known = names.map { "{\($0)}" }
            let hint = Spelling.questionOrList("{\(name)}", among: known)
            reader.fault(node.position, "there is no placeholder {\(name)} here\(hint)")
            return false
        }
        return true
    }

    private func commandGetter(_ subject: Crossing.Subject) -> ConfigurationReader.Getter<ActionCommand> {
        { node in
            guard let words = self.reader.list(Self.wordBound, of: self.textGetter(subject))(node),
                case .sequence(let nodes) = node.value, words.count == nodes.count
            else { return nil }
            guard let program = words.first, ProgramSearch.isWellFormed(program), !program.contains("{") else {
                self.reader.expected(
                    "a list of a program, by its absolute path or bare name, and its arguments", nodes.first ?? node)
                return nil
            }
            do {
                _ = try ProgramSearch.path(of: program)
            } catch {
                self.reader.warn(nodes[0].position, "the program can't be run now: \(error)")
            }
            return ActionCommand(program, Array(words.dropFirst()))
        }
    }

    private func readOffer(_ node: YAMLNode) -> Offer.Content? {
        reader.map { map in
            let text = map.read("text", self.reader.string)
            let wifi = map.read("wifi", self.readWiFi)
            guard map.has("text") != map.has("wifi") else {
                self.reader.fault(map.position, "an offer has one of text, wifi")
                return nil
            }
            if let text, text.utf8.count > Self.textBound {
                self.reader.fault(map.valuePlace("text"), "expected at most \(Self.textBound) bytes")
                return nil
            }
            return wifi ?? text.map { .text($0) }
        }(node)
    }

    private func readWiFi(_ node: YAMLNode) -> Offer.Content? {
        reader.map { map in
            let name = map.require("ssid", self.reader.string)
            let file = map.read("passphrase_file", self.reader.existingFile)
            let isHidden = map.read("hidden", self.reader.boolean)
            if let name, !(1...32).contains(name.utf8.count) {
                self.reader.fault(map.valuePlace("ssid"), "expected a network's name of 1 to 32 bytes")
                return nil
            }
            if map.has("passphrase_file"), file == nil { return nil }
            return name.map { .wifi(name: $0, passphraseFile: file, isHidden: isHidden ?? false) }
        }(node)
    }
}
