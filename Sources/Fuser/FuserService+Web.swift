internal import BrokerSession
internal import Bytes
internal import Identity
internal import Metrics
internal import Store
internal import System
internal import WebInterface
internal import WireProtocol

/// Requests of the page, which are answered as those of MQTT are.
extension FuserService {
    /// The requests of a turn: what comes behind them waits for the next, so that rooms are not late.
    private static let requestsOfTurn = 4

    /// The topics that only a page needs.
    var pageFilters: [String] {
        page == nil ? [] : [topics.allNodes("health"), topics.allFloorPictures]
    }

    /// The time at which more of the page's requests may be answered; nil if none waits.
    var nextPageRequest: MonotonicTime? { page?.page.requests.nextChance(from: monotonic) }

    /// Stores the sessions that have ended early since the last call, or all of them.
    func storeEndedSessions(all: Bool = false) {
        guard let page = page?.page else { return }
        let changes = page.takeEndedSessions()
        memory.recordEndedSessions(all ? page.endedSessions : changes, at: pipeline.time(atWall: wall))
    }

    /// Answers requests of the page.
    func answerPage() {
        guard let page = page?.page else { return }
        defer { self.page?.show(pipeline.plans.plan) }
        storeEndedSessions()
        for request in page.requests.take(atMost: Self.requestsOfTurn, at: monotonic) {
            let answer = perform(request.action, of: request.sender.user)
            recordRequest(request, status: answer.status)
            request.answer(answer)
        }
    }

    private func perform(_ action: PageRequest.Action, of sender: String) -> PageRequest.Answer {
        switch action {
        case .command(let action): performCommand(action)
        case .putItem(let change): putItem(change, by: sender)
        case .removeItem(let item): removeItem(item, by: sender)
        case .importItems(let request): importItems(request, by: sender)
        case .enrol(let request): perform(request)
        case .putPlan(let plan, let revision): putPlan(plan, madeOf: revision, by: sender)
        case .putPicture(let floor, let bytes): putPicture(bytes, of: floor)
        case .truth(let request): perform(request, of: sender)
        case .setOffset(let node, let offset): setOffset(offset, of: node, by: sender)
        case .doctor(let nodes): examine(nodes)
        case .audit(let number, let limit): listChanges(before: number, limit: limit)
        case .auditTable(let since): tableOfChanges(since: since)
        case .metrics(let format): .text(format.write(metrics), type: format.contentType)
        }
    }

    private func performCommand(_ action: FuserCommand.Action) -> PageRequest.Answer {
        let now = wall
        do throws(CommandFault) {
            let answer = try performAudited(action, at: now)
            if let reason = answer.failure { return .conflict(reason) }
            return .report(FuserResult(to: FuserCommand(id: nil, action: action), answer, at: now).payload)
        } catch {
            return isUnknown(action) ? .unknown("\(error)") : .conflict("\(error)")
        }
    }

    /// True if a command that failed was about something that does not exist.
    private func isUnknown(_ action: FuserCommand.Action) -> Bool {
        switch action {
        case .why(let item), .history(let item, _, _), .purge(let item, _), .silence(let item, _),
            .learn(.start(let item, _, _, _)):
            !pipeline.knows(item)
        case .learn(.status), .learn(.stop), .learn(.undo): true
        case .learn(.list), .journal, .set, .replay, .audit: false
        }
    }

    /// The answer to a change that only the broker can keep, without a connection to it.
    static func withoutBroker(keeping object: String) -> PageRequest.Answer {
        .unavailable("the fuser has no connection to its broker, which keeps the \(object): try again later")
    }

    // MARK: Items

    /// Publishes an entry, as `whereabouts items add --replace` does: the broker retains it, and all programs follow.
    private func putItem(_ change: ItemChange, by user: String) -> PageRequest.Answer {
        guard case .item(let item) = change.content else { return .conflict("an entry without an item") }
        let registry = pipeline.registry
        for other in registry.book.checkEntries().items where other.id != item.id {
            guard let shared = other.identities.first(where: item.identities.contains) else { continue }
            return .conflict(
                "'\(item.id)' is not registered: \(shared.text) is '\(other.id)' already; remove that first, or give "
                    + "another beacon")
        }
        let now = wall
        return answer(publishing: ItemEntry(item, at: registry.entry(item.id)?.successor(at: now) ?? now), by: user)
    }

    private func removeItem(_ item: String, by user: String) -> PageRequest.Answer {
        let registry = pipeline.registry
        guard let entry = registry.entry(item), !entry.isTombstone else {
            return .unknown(
                registry.isRemoved(item) ? "'\(item)' is removed already" : "there is no item '\(item)' in the registry"
            )
        }
        return answer(publishing: ItemEntry(removed: item, at: entry.successor(at: wall)), by: user)
    }

    private func answer(publishing entry: ItemEntry, by user: String) -> PageRequest.Answer {
        guard session.isConnected else { return Self.withoutBroker(keeping: "registry") }
        publish(entry, by: user)
        return .report(ItemChange(entry).payload)
    }

    /// Publishes an entry of a user of the page.
    func publish(_ entry: ItemEntry, by user: String) {
        let payload = ItemChange(entry).payload
        let message = Message(
            topic: topics.itemConfig(entry.id), payload: signature(of: user).sign(payload), qos: .atLeastOnce,
            retained: true)
        outbox.append(message)
        var change = AuditChange("item", of: entry.id)
        change.before = pipeline.registry.entry(entry.id).map { AuditReport.value(ItemChange($0).payload) }
        (change.after, change.name) = (AuditReport.value(payload), changeName(message, isDated: true))
        audit.changes.append(change)
    }

    /// A user of this fuser's page as the author of a message.
    func signature(of user: String) -> Signature {
        Signature(user: user.isEmpty ? "page" : user, host: "fuser \(pipeline.fuser)")
    }

    // MARK: The plan

    private func putPlan(_ plan: HousePlan, madeOf revision: UInt64?, by user: String) -> PageRequest.Answer {
        guard session.isConnected else { return Self.withoutBroker(keeping: "plan") }
        if let excess = page?.excess(of: plan) { return .conflict(excess) }
        let present = pipeline.plans.plan
        if let revision, revision != present?.revision ?? 0 {
            let author = present.map { " by \($0.by)" } ?? ""
            return .outdated(
                "The plan was changed meanwhile\(author): it has revision \(present?.revision ?? 0), and yours was made of "
                    + "\(revision). Load it, and make your change anew.")
        }
        let new = pipeline.perform(at: wall, &outbox) { turn in
            pipeline.plans.replacePlan(by: plan, user: user.isEmpty ? "page" : user, turn)
        }
        var change = AuditChange("plan", of: nil)
        change.before = present.map { AuditReport.value($0.payload) }
        change.after = AuditReport.value(new.payload)
        change.name = changeName(Message(topic: topics.housePlan, payload: new.payload), isDated: true)
        audit.changes.append(change)
        return .plan(new.payload, revision: new.revision)
    }

    private func putPicture(_ bytes: [UInt8], of floor: String) -> PageRequest.Answer {
        guard session.isConnected else { return Self.withoutBroker(keeping: "pictures") }
        guard page?.page.plans.set(picture: bytes, of: floor) ?? false else {
            return .conflict("\(HousePlan.floorLimit) floors have a picture already: remove one")
        }
        let message = Message(
            topic: topics.floorPicture(floor), payload: bytes, qos: .atLeastOnce, retained: true)
        outbox.append(message)
        audit.changes.append(pictureChange(message, of: floor))
        return .report(Array("{}".utf8))
    }
}
