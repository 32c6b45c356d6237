internal import BrokerSession
internal import Bytes
internal import Identity
internal import Store
internal import WebInterface
internal import WireProtocol

/// The audit: each change that this fuser makes or sees is recorded, with who made it and from where.
///
/// Each fuser has an audit of its own. A change that several of them see has the same name at all, and a reader merges them.
extension FuserService {
    /// The audit of a run.
    struct Audit {
        /// The changes of the request that is being carried out.
        var changes: [AuditChange] = []
        /// The last sign of life of the run before, or the beginning of this one: a later entry is news.
        let since: Timestamp
        /// The values that the broker retained last, as far as this fuser knows.
        var values: AuditedValues
        /// The refusals of the last minute.
        var refusals = AuditedRefusals()
        /// The changes of the day that are counted.
        var repetitions = AuditedRepetitions()

        /// The most equal changes within a minute that have names of their own.
        static let repetitions = 100
    }

    /// Records what is done for a request of the page; a request without values of its own has one row all the same.
    func recordRequest(_ request: PageRequest, status: Int) {
        defer { audit.changes.removeAll() }
        guard request.action.isWrite || !audit.changes.isEmpty else { return }
        let changes = audit.changes.isEmpty ? [request.action.auditedChange(at: pipeline.fuser)] : audit.changes
        record(changes, by: AuditOrigin(request.sender), status: status, at: wall)
        // Before the answer, which is not sent with the messages of the turn.
        persistAudit()
    }

    /// Records a command that came over MQTT and changed something, or was refused.
    func recordCommand(_ message: Message, _ sender: CommandSender?, _ action: FuserCommand.Action, status: Int) {
        defer { audit.changes.removeAll() }
        let change = action.auditedChange(at: pipeline.fuser)
        guard status == 403 || !audit.changes.isEmpty || change != nil else { return }
        let changes = audit.changes.isEmpty ? [change ?? AuditChange(action.name, of: nil)] : audit.changes
        record(changes, by: origin(of: message, sender), status: status, at: wall)
    }

    /// Records changes, or what was refused: that once a minute. Changes that are repeated too often are counted.
    func record(_ changes: [AuditChange], by origin: AuditOrigin, status: Int, at time: Timestamp) {
        let (now, wall) = (monotonic, self.wall)
        let rows = changes.map { AuditRecord($0, by: origin, status: status, at: time) }.filter { row in
            status < 400 ? audit.repetitions.admit(row, at: wall) : audit.refusals.admit(row, at: now)
        }
        memory.record(rows, at: houseTime)
    }

    /// Records the changes of an item that were counted, so that a purge erases their values.
    func recordRepetitions(of item: String) {
        memory.record(audit.repetitions.takeRows(of: item), at: houseTime)
        persistAudit()
    }

    /// Writes the rows that wait: before they are read or erased, and before anything is published of what they tell.
    func persistAudit() { memory.persistAudit(at: houseTime) }

    /// The sentences about what the audit does not list.
    var auditProblems: [String] {
        let lost = memory.store.statistics.lostAudit
        let (rows, limit, limitOfUser) = (
            StoreLimits.auditRows, AuditedRepetitions.limit, AuditedRepetitions.limitOfUser
        )
        let deletion =
            "rows were deleted before `history.audit` was over, since \(rows) later ones came (\(lost) so far); see in "
            + "`whereabouts audit` who changes so much"
        let counting =
            "changes are counted in a row a day, since somebody makes more than \(limit) equal ones or \(limitOfUser) in "
            + "all; see in `whereabouts audit` who makes them"
        return [lost > 0 ? deletion : nil, audit.repetitions.isCounting ? counting : nil].compactMap { words in
            words.map { ProgramChecks.auditPrefix + $0 }
        }
    }

    /// True if the audit has a change of this name, or has counted it.
    private func hasChange(_ name: String) -> Bool { audit.repetitions.hasName(name) || memory.hasChange(name) }

    /// The name of a change that a message of this fuser makes, and that comes back with it.
    func changeName(_ message: Message, isDated: Bool) -> String {
        AuditReport.name(of: path(message.topic), message.payload, at: isDated ? nil : wall)
    }

    /// The first free name of a change from one value to another that has certainly happened: it may have happened before.
    /// Fusers that saw the same changes within a minute name them alike.
    func freeName(_ topic: String, _ change: AuditChange, at time: Timestamp) -> String {
        var name = ""
        for number in 0..<Audit.repetitions {
            let values = "\(number)\n\(change.before ?? "")\n\(change.after ?? "")"
            name = AuditReport.name(of: path(topic), Array(values.utf8), at: time)
            if !hasChange(name) { break }
        }
        return name
    }

    private var houseTime: Timestamp { pipeline.time(atWall: wall) }
    private func path(_ topic: String) -> String { String(topic.dropFirst(topics.prefix.count + 1)) }

    func origin(of message: Message, _ sender: CommandSender?) -> AuditOrigin {
        AuditOrigin(message, path: path(message.topic), sender: sender)
    }

    /// Records the changes that were counted, once their day or the program is over. Notes once that all that the broker retains
    /// was read, and stores the values that have changed.
    func storeAudit(isLast: Bool) {
        let counted = isLast ? audit.repetitions.takeRows() : audit.repetitions.takeClosed(at: wall)
        memory.record(counted, at: houseTime)
        // A change whose value is known is not recorded any more.
        persistAudit()
        let isKnown = pipeline.registry.isRead && pipeline.publication.isComplete
        if isKnown, !audit.values.isRead, !session.lacksSubscription {
            audit.values.noteRead(page == nil || !session.denials.isEmpty ? [.entries] : [.entries, .pictures])
        }
        // After a kill the value of a change that was counted and not written is news.
        if let changes = audit.values.takeChanges(except: audit.repetitions.subjects) {
            memory.persist(changes, at: houseTime)
        }
    }

    // MARK: What others publish

    /// Receives an entry of the registry, and records the change that it makes.
    func receiveEntry(_ message: Message, of item: String, at time: Timestamp) {
        let (before, isFollowed) = (pipeline.registry.entry(item), pipeline.registry.book.entries[item] != nil)
        let seen = audit.values[item]
        pipeline.receive(message, at: time, &outbox)
        audit.values.note(pipeline.registry.book.entries[item]?.auditedDigest, of: item)
        guard let after = pipeline.registry.entry(item), after != before else { return }
        var change = AuditChange("item", of: item)
        change.before = before.map { AuditReport.value(ItemChange($0).payload) }
        change.after = AuditReport.value(ItemChange(after).payload)
        change.name = changeName(message, isDated: true)
        if message.retained, !isFollowed {
            // An entry of the time before this run. The items file is no witness of what was there.
            change.before = memory.lastValue(of: item, by: "item")
            guard isNews(after, change, seen) else { return }
            // An old entry may have been put back as it was.
            if change.before != nil || seen != nil, hasChange(change.name) {
                change.name = freeName(message.topic, change, at: wall)
            }
        } else if before == nil {
            change.before = memory.lastValue(of: item, by: "item")
        }
        recordOnce(change, by: origin(of: message, nil), at: recordedTime(after.at, of: message, at: time))
    }

    /// True if the broker retained an entry that is neither the last in the audit nor the last that this fuser saw, whatever its
    /// date. At the first start the date decides; so it does of an unknown item that was removed.
    private func isNews(_ entry: ItemEntry, _ change: AuditChange, _ seen: String?) -> Bool {
        if let recorded = change.before, isValue(recorded, of: entry, change) { return false }
        if let seen { return seen != entry.auditedDigest }
        return change.before != nil || entry.at > audit.since
            || (audit.values.knowsAll(.entries) && !entry.isTombstone)
    }

    /// True if a value in the audit is an entry's.
    private func isValue(_ recorded: String, of entry: ItemEntry, _ change: AuditChange) -> Bool {
        guard let known = try? ItemChange.read(Array(recorded.utf8).span, item: entry.id) else {
            return recorded == change.after
        }
        // An entry without a date was dated when it was received.
        let isDated = entry.at.microseconds > 0
        return known.entry(at: isDated ? known.at ?? entry.at : entry.at) == entry
    }

    /// The time of a change: the date in a retained message, if that is between the last run and now. The date is the
    /// writer's word, and another one would hide the row from questions about these days.
    private func recordedTime(_ date: Timestamp, of message: Message, at time: Timestamp) -> Timestamp {
        message.retained && date > audit.since && date < time ? date : time
    }

    /// Receives a plan, and records the change that it makes.
    func receivePlan(_ message: Message, at time: Timestamp) {
        let before = pipeline.plans.plan
        pipeline.receive(message, at: time, &outbox)
        guard let after = pipeline.plans.plan, after != before else { return }
        // The plan that a fuser finds at its first start.
        let isFirst = message.retained && before == nil && !audit.values.knowsAll(.entries)
        guard !isFirst || after.at > audit.since else { return }
        var change = AuditChange("plan", of: nil)
        change.before = before.map { AuditReport.value($0.payload) }
        change.after = AuditReport.value(after.payload)
        change.name = changeName(message, isDated: true)
        var origin = origin(of: message, nil)
        if origin.proof.isEmpty { (origin.user, origin.proof) = (after.by, "sender") }
        recordOnce(change, by: origin, at: recordedTime(after.at, of: message, at: time))
    }

    /// Records a command to a node that changes it, or that the node refuses for lack of the right.
    func recordCommand(_ message: Message, to node: String, _ sender: CommandSender?) {
        guard let command = try? NodeCommand(payload: message.payload.span), command.action.isAudited else { return }
        // A purge of an item erases what names it.
        var change = AuditChange(command.action.auditName, of: command.action.item ?? "node/\(node)")
        if case .set = command.action { change.before = audit.values["node/\(node)"] }
        change.after = command.auditedValue
        change.name = changeName(message, isDated: false)
        // The node decides by the same rule; the outcome of what it accepts is in its `info`.
        let status = CommandSender.refuses(sender, command.action.name, command.action.right) ? 403 : 202
        recordOnce(change, by: origin(of: message, sender), status: status, at: wall)
    }

    /// Records a change of a node's settings, which its `info` shows. Those that the broker retained are compared with the last
    /// that this fuser saw, and with the last in its audit.
    func recordSettings(_ message: Message, of node: String) {
        let subject = "node/\(node)"
        let before = audit.values[subject]
        let after = (try? NodeInfo(payload: message.payload.span))?.auditedSettings
        audit.values.note(after, of: subject)
        guard let before, let after, before != after,
            !message.retained || memory.lastValue(of: subject, by: "settings") != after
        else { return }
        var change = AuditChange("settings", of: subject)
        (change.before, change.after) = (before, after)
        change.name = freeName(message.topic, change, at: wall)
        recordOnce(change, by: AuditOrigin(gateway: node), at: wall)
    }

    /// Records a change, unless it is there already: what this fuser publishes comes back, and what the broker retains comes
    /// with each connection.
    func recordOnce(_ change: AuditChange, by origin: AuditOrigin, status: Int = 200, at time: Timestamp) {
        guard !hasChange(change.name) else { return }
        record([change], by: origin, status: status, at: time)
    }
}

extension NodeCommand.Action {
    /// True if it changes a node; requests, and what fusers send by themselves, change nothing.
    fileprivate var isAudited: Bool {
        switch self {
        case .set, .silence, .advertise, .log, .rescan, .upgrade: true
        case .replay, .determine, .nearby, .clock: false
        }
    }

    /// The item that it names; nil for none.
    fileprivate var item: String? { if case .silence(.item(let item), _) = self { item } else { nil } }

    /// The kind of change.
    fileprivate var auditName: String { if case .set = self { "settings" } else { name } }
}

extension NodeCommand {
    /// The command without its id, as JSON.
    var auditedValue: String { AuditReport.value(NodeCommand(id: nil, action: action).payload) }
}

extension ItemEntry {
    /// A digest of its content, whatever its date; nil for a removal.
    fileprivate var auditedDigest: String? {
        isTombstone ? nil : AuditReport.digest(ItemChange(id: id, content: content, at: nil).payload)
    }
}

extension NodeInfo {
    /// The settings that a command can change, as JSON.
    fileprivate var auditedSettings: String {
        AuditChange.json { json in
            json.field("window", window, decimals: 3)
            json.field("publish", publishesAll ? "all" : "registered")
            json.field("exit_after", exitAfter, decimals: 6)
            json.field("offset_db", offset)
        }
    }
}

extension FuserSettings {
    /// The settings in force, as JSON.
    var audited: String {
        AuditChange.json { json in
            json.field("away_after", awayAfter.seconds, decimals: 6)
            json.field("detect_clones", detectsClones)
        }
    }
}

extension FuserCommand.Action {
    /// The change that it makes at a fuser, without values; nil for a question.
    func auditedChange(at fuser: String) -> AuditChange? {
        switch self {
        case .learn(.start(let item, _, _, _)), .learn(.stop(let item, _)): AuditChange("learn", of: item)
        case .learn(.undo): AuditChange("learn", of: nil)
        case .purge(let item, _): AuditChange("purge", of: item)
        case .silence(let item, _): AuditChange("silence", of: item)
        case .set: AuditChange("settings", of: "fuser/\(fuser)")
        case .learn(.status), .learn(.list), .why, .history, .journal, .replay, .audit: nil
        }
    }
}

extension PageRequest.Action {
    /// The change that it makes at a fuser, without values.
    fileprivate func auditedChange(at fuser: String) -> AuditChange {
        switch self {
        case .command(let action): action.auditedChange(at: fuser) ?? AuditChange(action.name, of: nil)
        case .putItem(let change): AuditChange("item", of: change.id)
        case .removeItem(let item): AuditChange("item", of: item)
        case .importItems: AuditChange("import", of: nil)
        case .enrol: AuditChange("enrol", of: nil)
        case .putPlan: AuditChange("plan", of: nil)
        case .putPicture(let floor, _): AuditChange("picture", of: "floor/\(floor)")
        case .truth(.forget(let item)), .truth(.mark(let item, _, _)), .truth(.report(let item)),
            .truth(.table(let item)):
            AuditChange("truth", of: item)
        case .setOffset(let node, _): AuditChange("settings", of: "node/\(node)")
        case .doctor, .audit, .auditTable, .metrics: AuditChange("", of: nil)
        }
    }
}
