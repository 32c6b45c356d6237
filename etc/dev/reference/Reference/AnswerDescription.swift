/// The answer to a command, as the documentation describes it.
public struct AnswerDescription: Sendable {
    /// The heading.
    public var name: String
    /// The commands that it answers, in Markdown.
    public var meaning: String
    /// The keys, those of the envelope included.
    public var object: PayloadObject
    /// The keys and the samples on the page: not those of the envelope, but for the first.
    var listed: PayloadObject

    private static let envelope: [PayloadKey] = [
        .init("v", "1", "Version of the payload."),
        .init("id", "", "The command's id; absent where it had none."),
        .init("action", "", "The action; absent where none could be read."),
        .init("ok", "", "Whether it was done."),
        .init("error", "", "The reason why not, in words; absent where it was done."),
        .init("at", "Unix seconds", "Time of the answer."),
    ]

    private init(_ name: String, _ meaning: String, _ keys: [PayloadKey], _ samples: [PayloadSample]) {
        (self.name, self.meaning) = (name, meaning)
        object = PayloadObject(keys: Self.envelope + keys, samples: samples + PayloadSample.envelopes)
        listed = PayloadObject(keys: keys.isEmpty ? Self.envelope : keys, samples: samples)
    }

    /// All answers.
    public static var all: [AnswerDescription] {
        [
            AnswerDescription("all", "The keys of every answer.", [], PayloadSample.envelopes),
            AnswerDescription("nearby", "To `nearby` of a node.", nearby, [.nearby]),
            AnswerDescription("replay", "To `replay` of a node or a fuser.", replay, PayloadSample.replays),
            AnswerDescription(
                "lesson", "To `learn` of a fuser about one lesson.",
                [.init("lesson", "", "The lesson.")] + PayloadKey.nested("lesson", lesson), [.lesson]),
            AnswerDescription("lessons", "To `learn` of a fuser without further fields.", taught, [.taught]),
            AnswerDescription("why", "To `why` of a fuser.", why, PayloadSample.whys),
            AnswerDescription("history", "To `history` of a fuser, about an item.", history, [.history]),
            AnswerDescription("journal", "To `history` of a fuser, about a node.", journal, [.journal]),
            AnswerDescription("purged", "To `purge` of a fuser.", purged, [.purged]),
            AnswerDescription(
                "audit", "To `audit` of a fuser.",
                [.init("audit", "", "The changes.")] + PayloadKey.nested("audit", audit), [.audit]),
        ]
    }

    private static let audit: [PayloadKey] = [
        .init("changes", "", "The changes in the order of their numbers."),
        .init("changes[].number", "", "Number with this fuser."),
        .init("changes[].at", "Unix seconds", "Time of the change; of several, that of the last."),
        .init("changes[].user", "", "The user; empty where it is not known."),
        .init("changes[].role", "`viewer`, `operator`, `admin`", "The role; empty where it is not known."),
        .init("changes[].address", "", "The address, host or gateway; empty where it is not known."),
        .init("changes[].method", "", "The page's method, `MQTT`, `reload` or `restore`."),
        .init("changes[].path", "", "The page's path, or the topic without the prefix."),
        .init("changes[].status", "as of HTTP", "200 where it was done."),
        .init("changes[].change", "", "Name of the change, the same at all fusers that saw it."),
        .init(
            "changes[].proof", "`page`, `broker`, `machine`, `sender`",
            "The proof of the user; `sender` is the sender's word, absent for none."),
        .init(
            "changes[].action",
            "`item`, `learn`, `silence`, `purge`, `settings`, `plan`, `picture`, `truth`, `restore` and others",
            "The kind of change."),
        .init(
            "changes[].subject", "",
            "The item or person, or `node/`, `fuser/` or `floor/` and the name where no item is named; absent for none."
        ),
        .init("changes[].before", "JSON as text", "The value before; absent for none."),
        .init("changes[].after", "JSON as text", "The value after; absent for none."),
        .init("changes[].erased", "Unix seconds", "Time of the purge that erased both values; else absent."),
        .init(
            "changes[].times", "",
            "The number of equal changes that it counts, with the value before the first and that after the last; absent for one."
        ),
        .init("changes[].since", "Unix seconds", "Time of the first of them; absent for one."),
        .init("next", "", "The number after which to ask for more; absent where this is all."),
    ]

    private static let nearby: [PayloadKey] = [
        .init("beacons", "", "Unregistered beacons, the strongest first."),
        .init("beacons[].id", "", "The identity by which it would be registered."),
        .init("beacons[].ids", "", "All identities that it showed."),
        .init("beacons[].name", "", "Its name; absent where it sends none."),
        .init("beacons[].url", "", "The URL that it sends; absent for none."),
        .init("beacons[].class", "", "Kind of transmitter; absent where it is not known."),
        .init("beacons[].rssi", "", "Levels."),
        .init("beacons[].rssi.mean", "dBm", "Mean."),
        .init("beacons[].rssi.last", "dBm", "Last."),
        .init("beacons[].count", "", "How many levels that mean is of."),
        .init("beacons[].power", "dBm", "Measured power at one metre in its frame; absent for none."),
        .init("others", "", "What cannot be registered, by class, the loudest first."),
        .init("others[].class", "", "The class; absent for what shows nothing but a changing address."),
        .init("others[].addresses", "", "How many addresses were received."),
        .init("others[].rssi", "", "Level of the loudest."),
        .init("others[].rssi.mean", "dBm", "Mean."),
    ]

    private static let replay: [PayloadKey] = [
        .init("replay", "", "What is kept."),
        .init("replay.epoch", "", "The epoch that was asked for."),
        .init("replay.first_seq", "", "First number that is kept; absent where none is."),
        .init("replay.last_seq", "", "Last number of the epoch so far; absent where nothing is known of it."),
        .init("replay.next_seq", "", "From where to ask for more; absent where this was all."),
        .init(
            "replay.epochs", "",
            "The epochs of which something is known, the present one last, at most 16; absent where the one that was asked for is "
                + "one of them."),
    ]

    private static let lesson: [PayloadKey] = [
        .init("id", "", "Its id; absent while it is under way and where it was not kept."),
        .init("item", "", "The item."),
        .init("room", "", "The room."),
        .init("running", "", "Whether it is under way."),
        .init("seconds", "s", "Time that counts so far."),
        .init("limit", "s", "Time after which it ends by itself."),
        .init("packets", "", "Packets, over all nodes."),
        .init("nodes", "", "The nodes that received it, the loudest first."),
        .init("nodes[].node", "", "The node."),
        .init("nodes[].packets", "", "Its packets."),
        .init("nodes[].level", "dBm", "Median of its levels."),
    ]

    private static let taught: [PayloadKey] =
        [
            .init("lessons", "", "The lessons, the oldest first."),
            .init("lessons[].id", "", "Its id."),
            .init("lessons[].item", "", "The item."),
            .init("lessons[].room", "", "The room."),
            .init("lessons[].taught_at", "Unix seconds", "Its end."),
            .init("lessons[].seconds", "s", "Time that counts."),
            .init("lessons[].packets", "", "Packets, over all nodes."),
            .init("lessons[].walk", "", "The walk that it is a part of; absent for none."),
            .init("lessons[].left_out", "", "Nodes that are left out of it, each with the reason."),
            .init("left_out", "", "Lessons that exist and are not used; at most 500."),
            .init("left_out[].item", "", "The item."),
            .init("left_out[].room", "", "The room."),
            .init("left_out[].taught_at", "Unix seconds", "Its end."),
            .init("left_out[].seconds", "s", "Its length."),
            .init("left_out[].why", "", "The reason, in words."),
            .init("rooms", "", "All rooms."),
            .init("rooms[].id", "", "The room."),
            .init("rooms[].seconds", "s", "Time of its lessons."),
            .init("rooms[].next_to", "", "The rooms that a door leads to."),
            .init("rooms[].teach_again", "`true`", "A node that received its lessons has changed; else absent."),
            .init(
                "rooms[].right", "0 to 1",
                "Share of seconds that lessons kept back were decided right; absent while it learns."),
            .init("rooms[].taken_for", "", "The room that it is most often taken for; absent for none."),
            .init("running", "", "Lessons under way, as in [`lesson`](#answer-lesson)."),
        ] + PayloadKey.nested("running[]", lesson) + [
            .init("learning", "", "Whether the fuser is learning from them now."),
            .init("kept", "", "Whether they outlast a restart, in `state`."),
            .init("right", "0 to 1", "As in `rooms`, over all rooms; absent for fewer than two."),
        ]

    private static let why: [PayloadKey] =
        [
            .init("why", "", "The explanation."),
            .init("why.item", "", "The item or person."),
            .init("why.at", "Unix seconds", "Time of the question, on the clock of the house."),
            .init("why.state", TopicDescription.itemStates, "The state."),
            .init("why.room", "", "The room; absent while away or unknown."),
            .init(
                "why.confidence", "0 to 1",
                "Probability that the room is right. A room that is kept while another is more probable gets half of both."
            ),
            .init("why.since", "Unix seconds", "Begin of this answer."),
            .init("why.previous", "", "The room before it; absent for none."),
            .init("why.last_heard", "Unix seconds", "Last packet; absent before the first."),
            .init("why.runner_up", "", "The next most probable room, against which weights count."),
            .init("why.trust", "0 to 1", "How far lessons decide; absent without lessons."),
            .init(
                "why.loudness_db", "dB", "How much louder it is received than what was taught; absent without lessons."),
            .init(
                "why.plan", "0 to 1", "How far the house's plan decides beside the nearest node; absent without one."),
            .init(
                "why.cloned", "",
                "The evidence that several transmitters send the item's identity; absent unless that is suspected."),
            .init("why.rooms", "", "Probability of each room."),
            .init("why.rooms.<room>", "0 to 1", "That of one room, by its id."),
            .init("why.nodes", "", "The nodes, those of most weight first."),
            .init("why.nodes[].node", "", "The node."),
            .init("why.nodes[].room", "", "Its room; absent where that is not known."),
            .init(
                "why.nodes[].state", "`heard`, `silent`, `deaf`, `missing`, `offline`",
                "`deaf`: it listens, and nothing of this item comes through. `missing`: its scans are missing."),
            .init(
                "why.nodes[].weight", "natural logarithm of odds",
                "What it adds for the room against `runner_up`; absent where it has no say."),
            .init("why.nodes[].level", "dBm", "Mean level; absent where it received nothing."),
            .init(
                "why.nodes[].heard", "Unix seconds",
                "Time of its last reading, that of its distance too; absent where none is known."),
            .init(
                "why.nodes[].changed_db", "dB",
                "How much louder it receives the item than when it was taught; absent where that may be chance."),
            .init("why.items", "", "Of a person, in place of nodes: the items, the deciding one first."),
        ] + TopicDescription.personReason("why.items[]") + [
            .init("why.must_have", "", "Of a person: the items of which one must be there; absent for any.")
        ]

    private static let history: [PayloadKey] = [
        .init("history", "", "The visits."),
        .init("history.item", "", "The item."),
        .init("history.now", "Unix seconds", "Time in the house."),
        .init("history.visits", "", "Visits by their begin."),
        .init("history.visits[].room", "", "The room, or `away`."),
        .init("history.visits[].from", "Unix seconds", "Begin."),
        .init("history.visits[].to", "Unix seconds", "End; absent while it lasts."),
        .init(
            "history.visits[].confidence", "0 to 1", "Probability that the room is right, on average over the visit."),
        .init("history.next", "Unix seconds", "From when on to ask for more; absent where this is all."),
    ]

    private static let journal: [PayloadKey] =
        [
            .init("journal", "", "The rows."),
            .init("journal.node", "", "The node."),
            .init(
                "journal.events", "",
                "Events as on their [topic](topics.md#nodesnodeevents), and rows of `kind` `lost` in place of events that will not "
                    + "come."),
            .init("journal.events[].first_seq", "", "Of `lost`: the first number."),
            .init("journal.events[].last_seq", "", "Of `lost`: the last number; absent where it is not known."),
            .init("journal.next", "", "The row after which to ask for more; absent where this is all."),
        ]
        + PayloadKey.nested(
            "journal.events[]",
            [.init("v", "1", "Version of the payload.")]
                + TopicDescription.nodeEvent.map { key in
                    key.path == "reason"
                        ? PayloadKey(
                            key.path, "`fell_out`, `epoch_lost`, `not_told`, `unanswered`",
                            "Of `lost`: why they will not come.")
                        : key
                })

    private static let purged: [PayloadKey] = [
        .init("purged", "", "What was forgotten."),
        .init("purged.visits", "", "Visits."),
        .init("purged.events", "", "Events of which only the number is left."),
        .init("purged.lessons", "", "Lessons."),
        .init("purged.messages", "", "Retained messages."),
        .init(
            "purged.waits", "",
            "`postgresql` where the [long history](../history.md) is yet to delete its rows; else absent."),
    ]
}
