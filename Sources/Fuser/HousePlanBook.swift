internal import Bytes
internal import WireProtocol

/// The plan that people drew of the house: kept, shared with the other fusers by the broker, and handed to all components.
final class HousePlanBook: FuserComponent {
    /// The plan in force; nil before there was one.
    private(set) var plan: HousePlan?
    /// The plan that the broker retains; nil for none.
    private var retained: HousePlan?
    private var isUnstored = false

    /// The plan of an earlier run, which its components have already.
    init(_ plan: HousePlan?) { self.plan = plan }

    /// Puts a plan in force that a user made of one that is the newest; it gets the next revision.
    func replacePlan(by draft: HousePlan, user: String, _ turn: Turn) -> HousePlan {
        var draft = draft
        (draft.revision, draft.at, draft.by) = ((plan?.revision ?? 0) + 1, turn.wall, user)
        putInForce(draft, turn)
        publishPlan(turn)
        return draft
    }

    func connected(_ turn: Turn) { retained = nil }

    func receive(_ message: HouseMessage, _ turn: Turn) {
        guard case .plan(let message) = message else { return }
        guard !message.payload.isEmpty else {
            retained = nil
            return
        }
        let received: HousePlan
        do throws(PayloadFault) {
            received = try HousePlan(payload: message.payload.span)
        } catch {
            return turn.diagnostics.reject(message, "\(error)")
        }
        retained = received
        if received.isNewer(than: plan) {
            putInForce(received, turn)
        } else if received != plan {
            // The broker holds what is out of date, as after a restart from a copy.
            publishPlan(turn)
        }
    }

    /// The broker may have lost the plan.
    func retainedMessagesKnown(_ turn: Turn) { if plan != nil, retained == nil { publishPlan(turn) } }

    private func putInForce(_ plan: HousePlan, _ turn: Turn) {
        self.plan = plan
        isUnstored = true
        turn.emit { $0.housePlanChanged(plan, turn) }
    }

    private func publishPlan(_ turn: Turn) {
        guard let plan else { return }
        retained = plan
        turn.publication.sendMessage(
            Message(
                topic: turn.identity.topics.housePlan, payload: plan.payload, qos: .atLeastOnce, retained: true))
    }

    func store(in effects: inout FuserEffects, _ request: StoreRequest, _ turn: Turn) {
        guard isUnstored, let plan else { return }
        isUnstored = false
        effects.plan = String(decoding: plan.payload, as: UTF8.self)
    }

    func storeEverything(_ turn: Turn) { isUnstored = plan != nil }
}
