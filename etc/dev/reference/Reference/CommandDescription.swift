import Bytes
internal import WireProtocol

/// One form of a command to a node or to a fuser.
public struct CommandDescription: Sendable {
    /// A field of it.
    public struct Field: Sendable {
        /// The key.
        public var key: String
        /// The meaning, in Markdown.
        public var meaning: String
        /// The words for its values where the decoder has none.
        public var values: String?
        /// True if this form always has it, although the action has forms without.
        public var isDistinctive = false
    }

    /// The action's name.
    public var action: String
    /// The form's name, of an action that has several; empty for none.
    public var form: String
    /// The purpose.
    public var meaning: String
    /// The fields beside `id` and `action`.
    public var fields: [Field]
    /// Commands that together have each field.
    public var samples: [PayloadSample]
    /// The reason why a payload is refused: the key that is meant, and what was expected; nil expectation where it is missing.
    var refusal: @Sendable ([UInt8]) -> (key: String, expected: String?)?

    /// True if a person needs the right to administer for it.
    var needsAdministrator: Bool {
        samples.contains { sample in
            let right = (sample.value as? NodeCommand)?.action.right ?? (sample.value as? FuserCommand)?.action.right
            return right == .administer
        }
    }

    /// The keys of the samples beside `id` and `action`.
    public var written: Set<String> {
        Set(PayloadObject(keys: [], samples: samples).types.keys).subtracting(["id", "action"])
    }

    /// The refusal of a command without a field, and the decoder's expectation of it.
    public func rule(of field: String) -> (isRequired: Bool, expected: String) {
        var expected = fields.first { $0.key == field }?.values ?? ""
        var isRequired = true
        let isDistinctive = fields.contains { $0.key == field && $0.isDistinctive }
        for sample in samples {
            guard case .object(let pairs)? = JSONTree(sample.payload) else { continue }
            guard pairs.contains(where: { $0.key == field }) else {
                isRequired = false
                continue
            }
            let without = JSONTree.object(pairs.filter { $0.key != field })
            if refusal(without.payload) == nil, !isDistinctive { isRequired = false }
            let odd = JSONTree.object(pairs.map { $0.key == field ? ($0.key, .array([])) : $0 })
            if expected.isEmpty, let fault = refusal(odd.payload), fault.key == field {
                expected = fault.expected ?? ""
            }
        }
        return (isRequired, Self.shortened(expected))
    }

    /// The decoder's words with whole numbers as such.
    private static func shortened(_ words: String) -> String {
        words.split(separator: " ").map { $0.hasSuffix(".0") ? $0.dropLast(2) : $0 }.joined(separator: " ")
    }

    /// All commands to a node.
    public static var toNode: [CommandDescription] {
        func command(
            _ action: String, _ meaning: String, _ fields: [Field], _ samples: [NodeCommand.Action]
        ) -> CommandDescription {
            CommandDescription(
                action: String(action.prefix { $0 != " " }), form: String(action.drop { $0 != " " }.dropFirst()),
                meaning: meaning, fields: fields,
                samples: samples.map { .of(NodeCommand(id: "7", action: $0)) },
                refusal: { payload in
                    do throws(CommandRefusal) {
                        _ = try NodeCommand(payload: payload.span)
                        return nil
                    } catch {
                        return Self.parts(error.fault)
                    }
                })
        }
        var changes = NodeChanges()
        (changes.window, changes.publishesAll) = (.override(.milliseconds(500)), .override(true))
        (changes.exitAfter, changes.offset) = (.override(.seconds(30)), .restore)
        let duration = "How long; 0 ends it."
        return [
            command("rescan", "Sets up the adapter's scan anew.", [], [.rescan]),
            command(
                "replay",
                "Publishes kept events again, with `replayed`, at most 1,000 of them. Answer: "
                    + "[`replay`](#answer-replay).",
                [
                    Field("epoch", "The epoch. One of which nothing is kept is answered with `ok` false."),
                    Field("from_seq", "The first number."),
                ], [.replay(epoch: PayloadSample.epoch, fromSeq: 12)]),
            command(
                "set",
                "Changes settings from the next border of an interval on, over the configuration file, and keeps them in `state`. "
                    + "`null` gives a setting back to the file. At least one must be there.",
                [
                    Field("window", "Length of an interval, in whole milliseconds."),
                    Field("publish", "The beacons that are published."),
                    Field("exit_after", "Silence after which regions without their own `exit_after` are left."),
                    Field("offset_db", "Decibels added to every level."),
                ], [.set(changes)]),
            command(
                "determine", "Publishes states anew, as `determined` events.",
                [Field("region", "The region; all where it is absent.")],
                [.determine(region: "office"), .determine(region: nil)]),
            command(
                "nearby",
                "Listens, and answers with the strongest unregistered beacons and a count of what cannot be registered. Answer: "
                    + "[`nearby`](#answer-nearby).",
                [Field("for", "How long; 5 s where it is absent.")], [.nearby(for: .seconds(5))]),
            command(
                "silence",
                "Holds back alerts, and the reactions to the item or region. One of `item`, `region`, `all`.",
                [
                    Field("item", "The item.", "an id"), Field("region", "The region.", "an id"),
                    Field("all", "All that the node knows now.", "true"), Field("for", duration),
                ],
                [
                    .silence(.item("keys"), for: .hours(1)), .silence(.region("office"), for: .hours(1)),
                    .silence(.all, for: .hours(1)),
                ]),
            command(
                "advertise",
                "Advertises with the adapter of the scan. Answered when it is on the air, or within 5 s with the reason why not. "
                    + "Four at once; the same frame again changes its time.",
                [
                    Field("frame", "AD structures, as `whereabouts advertise --print` prints them."),
                    Field("seconds", "How long."), Field("stop", "Ends all, in place of the two.", "true"),
                ],
                [.advertise(.start(data: [2, 1, 6], for: .seconds(60))), .advertise(.stop)]),
            command(
                "clock",
                "Reports that the node's clock is wrong, as a fuser does. The node logs it and lists it in `problems` of its `info`.",
                [Field("offset", "What is to be added to the clock; 0 where it is right again.")],
                [.clock(offset: .milliseconds(2500))]),
            command(
                "log", "Sets the log level until the node ends.", [Field("level", "The level.")],
                [.log(level: "debug")]),
            command(
                "upgrade",
                "Has the machine's helper install a version of the Debian packages, where it [is enabled](../fleet.md#versions); "
                    + "accepted on `administer/<user>` alone. Answered when the helper has taken it, or within 10 s with the reason "
                    + "why not. The outcome is in [`info`](topics.md#nodesnodeinfo).",
                [Field("version", "The version, not below the installed one.")], [.upgrade(version: "0.1.0-990")]),
        ]
    }

    /// All commands to a fuser.
    public static var toFuser: [CommandDescription] {
        func command(
            _ action: String, _ meaning: String, _ fields: [Field], _ samples: [FuserCommand.Action]
        ) -> CommandDescription {
            CommandDescription(
                action: String(action.prefix { $0 != " " }), form: String(action.drop { $0 != " " }.dropFirst()),
                meaning: meaning, fields: fields,
                samples: samples.map { .of(FuserCommand(id: "7", action: $0)) },
                refusal: { payload in
                    do throws(CommandRefusal) {
                        _ = try FuserCommand(payload: payload.span)
                        return nil
                    } catch {
                        return Self.parts(error.fault)
                    }
                })
        }
        var changes = FuserChanges()
        (changes.awayAfter, changes.detectsClones) = (.override(.seconds(90)), .restore)
        let (from, to) = (PayloadSample.from, PayloadSample.to)
        let item = Field("item", "The item.")
        let lesson = "Answer: [`lesson`](#answer-lesson)."
        return [
            command(
                "learn begin", "Begins a lesson: the item is in the room from now on. \(lesson)",
                [
                    item, Field("room", "The room."), Field("start", "Must be there.", "true"),
                    Field("for", "How long; at most half an hour where it is absent."),
                    Field(
                        "walk",
                        "An id of yours: lessons with the same one were given on one way through the house, in order."),
                ],
                [.learn(.start(item: "keys", room: "kitchen", for: .seconds(60), walk: "walk-1"))]),
            command(
                "learn status", "Reports the lesson under way, or the item's last one. \(lesson)",
                [Field("item", "The item.", isDistinctive: true)],
                [.learn(.status(item: "keys"))]),
            command(
                "learn end", "Ends the lesson and keeps it, or forgets it. \(lesson)",
                [
                    item, Field("stop", "Ends it.", "true"), Field("discard", "Forgets it as well.", "true"),
                ],
                [.learn(.stop(item: "keys", keeps: true)), .learn(.stop(item: "keys", keeps: false))]),
            command(
                "learn undo", "Forgets a lesson.", [Field("undo", "The lesson's id.", isDistinctive: true)],
                [.learn(.undo("7"))]),
            command("learn list", "Lists what was taught. Answer: [`lessons`](#answer-lessons).", [], [.learn(.list)]),
            command(
                "why", "Explains why an item or a person is in its room. Answer: [`why`](#answer-why).", [item],
                [.why(item: "keys")]),
            command(
                "history item",
                "Lists visits, at most 500 an answer: ask again from `next` on. Answer: [`history`](#answer-history).",
                [
                    item, Field("from", "Visits that lasted then or later."),
                    Field("to", "Visits that had begun by then."),
                ],
                [.history(item: "keys", from: from, to: to)]),
            command(
                "history node",
                "Lists the events of a node, at most 200 rows an answer: ask again with `next` as `after`. Answer: "
                    + "[`journal`](#answer-journal).",
                [
                    Field("node", "The node."), Field("region", "Events of this region alone."),
                    Field("from", "Events of then or later."), Field("to", "Events of then or earlier."),
                    Field("after", "The row after which to begin."),
                ],
                [.journal(node: "kitchen", region: "office", from: from, to: to, after: 200)]),
            command(
                "purge",
                "Forgets visits, lessons, events of nodes and what kept events say of an item. Their numbers stay. What is "
                    + "forgotten is overwritten in the file. Of an item that was not received since, its whereabouts, its alerts and "
                    + "its retained topics are forgotten as well. Its entry in the registry stays. Answer: [`purged`](#answer-purged).",
                [item, Field("before", "Only what lies before; until now where it is absent.")],
                [.purge(item: "keys", before: to)]),
            command(
                "audit",
                "Lists the changes that were made, at most 200 an answer: ask again with `next` as `after`. Answer: "
                    + "[`audit`](#answer-audit).",
                [
                    Field("from", "Changes of then or later."), Field("to", "Changes before."),
                    Field("after", "The number after which to begin."),
                ],
                [.audit(from: from, to: to, after: 200)]),
            command(
                "silence", "Holds back the alerts of this fuser about an item or a person.",
                [item, Field("for", "How long; 0 ends it.")], [.silence(item: "keys", for: .hours(1))]),
            command(
                "set",
                "Changes settings at once, over the configuration file, and keeps them in `state`. `null` gives a setting "
                    + "back to the file. At least one must be there. Give fusers that stand in for each other the same. The "
                    + "[claim](topics.md#fuserfuserclaim) shows them.",
                [
                    Field("away_after", "Silence after which an item is `away`."),
                    Field("detect_clones", "Whether it warns of items whose identity several transmitters send."),
                ], [.set(changes)]),
            command(
                "replay",
                "Publishes kept events of all items again, with `replayed`; at most 1,000 an answer: ask again from `next_seq` on. "
                    + "Answer: [`replay`](#answer-replay).",
                [
                    Field("epoch", "The epoch; the present one where it is absent."),
                    Field("from_seq", "The first number."),
                ],
                [.replay(epoch: PayloadSample.epoch, fromSeq: 12)]),
        ]
    }

    private static func parts(_ fault: CommandFault) -> (key: String, expected: String?) {
        switch fault {
        case .badValue(let key, let expected): (key, expected)
        case .missing(let key, _): (key, nil)
        default: ("", nil)
        }
    }
}

extension CommandDescription.Field {
    fileprivate init(_ key: String, _ meaning: String, _ values: String? = nil, isDistinctive: Bool = false) {
        (self.key, self.meaning, self.values) = (key, meaning, values)
        self.isDistinctive = isDistinctive
    }
}
