internal import Bytes
internal import WireProtocol

extension EventLedger {
    /// One publisher's events: of an epoch, and while that is being closed, of the next ones.
    struct Publisher: Sendable {
        /// An epoch with events that are still expected.
        struct Stream: Sendable {
            let epoch: String
            /// The number up to which all events were delivered or lost.
            var taken: UInt64
            /// The highest number that is known to exist.
            var seen: UInt64
            /// Events that wait for one before them.
            var held: [UInt64: Event] = [:]
            /// The number of consecutive answers without an event.
            var rounds = 0
            /// A Boolean value that is true if the publisher has left the epoch and its last number is known.
            var isFinal = false
        }

        let name: String
        /// The epochs in their order. Events are delivered from the first one.
        private(set) var streams: [Stream] = []
        /// Ended epochs, with the last number that was delivered or lost; the latest last.
        private var closed: [(epoch: String, seq: UInt64)] = []
        /// The request that waits for an answer.
        private(set) var request: LedgerRequest?
        /// The time of the next request, the first or a repetition; nil if nothing is missing, or the publisher is
        /// unreachable.
        private(set) var askAt: MonotonicTime?
        /// The time of the publisher's last sign of life.
        var heard = MonotonicTime.distantPast
        private var asked = MonotonicTime.distantPast
        /// The highest known number at the time of the request.
        private var askedSeen: UInt64 = 0
        /// A Boolean value that is true if any of the requested events was received since the request.
        private var hasCome = false
        private var tries = 0
        /// The last position that was returned for storage.
        private var kept: LedgerPosition?

        init(_ name: String) { self.name = name }

        /// The number of events that wait.
        var held: Int { streams.reduce(0) { $0 + $1.held.count } }

        /// A Boolean value that is true if events are missing.
        var isOpen: Bool { streams.count > 1 || (streams.first.map { $0.seen > $0.taken } ?? false) }

        var positions: [LedgerPosition] {
            closed.map { LedgerPosition(publisher: name, epoch: $0.epoch, seq: $0.seq, isClosed: true) }
                + (position.map { [$0] } ?? [])
        }

        private var position: LedgerPosition? {
            streams.first.map { LedgerPosition(publisher: name, epoch: $0.epoch, seq: $0.taken) }
        }

        mutating func restore(_ position: LedgerPosition) {
            if position.isClosed {
                closed.append((position.epoch, position.seq))
            } else {
                streams = [Stream(epoch: position.epoch, taken: position.seq, seen: position.seq)]
                kept = position
            }
        }

        // MARK: Input

        mutating func receive(
            _ event: Event, epoch: String, seq: UInt64, isRoom: Bool, _ limits: LedgerLimits,
            _ actions: inout [Action]
        ) {
            if epoch == request?.epoch, seq <= askedSeen { hasCome = true }
            guard let index = index(of: epoch, reaching: seq, limits, &actions), seq > streams[index].taken,
                streams[index].held[seq] == nil
            else { return }
            streams[index].seen = max(streams[index].seen, seq)
            if index == 0, seq == streams[0].taken + 1 {
                deliverEvent(event, &actions)
            } else if isRoom, streams[index].held.count < limits.held {
                streams[index].held[seq] = event
            } else {
                guard let highest = streams[index].held.keys.max(), seq < highest else { return }
                streams[index].held[highest] = nil
                streams[index].held[seq] = event
            }
        }

        mutating func receivePosition(epoch: String, last: UInt64, _ limits: LedgerLimits, _ actions: inout [Action]) {
            guard let index = index(of: epoch, reaching: last, limits, &actions) else { return }
            streams[index].seen = max(streams[index].seen, last)
        }

        /// The index of an epoch, which may begin here; nil for an ended one and a number that is not new.
        private mutating func index(
            of epoch: String, reaching seq: UInt64, _ limits: LedgerLimits, _ actions: inout [Action]
        ) -> Int? {
            if let index = streams.firstIndex(where: { $0.epoch == epoch }) { return index }
            let past = closed.last { $0.epoch == epoch }?.seq
            // A publisher may return to an epoch, as after a kill while its disk rejected writes.
            if let past, seq <= past { return nil }
            while streams.count >= max(1, limits.epochs) { giveUp(.unanswered, limits, &actions) }
            streams.append(Stream(epoch: epoch, taken: past ?? 0, seen: past ?? 0))
            return streams.count - 1
        }

        // MARK: Asking

        mutating func requestReplay(
            _ id: UInt64, at now: MonotonicTime, _ limits: LedgerLimits, _ actions: inout [Action]
        ) {
            askAt = nil
            guard isOpen, let head = streams.first else { return }
            if tries >= limits.tries { return giveUp(.unanswered, limits, &actions) }
            // An absent publisher gets a further request only after a sign of life.
            if tries >= limits.blindTries, heard <= asked {
                request = nil
                return
            }
            // It lives, and none of its answers arrives.
            if tries == limits.blindTries, heard > asked { actions.append(.renew(of: name)) }
            let next = LedgerRequest(publisher: name, id: id, epoch: head.epoch, fromSeq: head.taken + 1)
            request = next
            (asked, askedSeen, hasCome) = (now, head.seen, false)
            askAt = now + min(limits.longestTimeout, limits.timeout * (1 << min(tries, 32)))
            tries += 1
            actions.append(.ask(next))
        }

        mutating func receiveAnswer(
            _ report: ReplayReport?, at now: MonotonicTime, _ limits: LedgerLimits, _ actions: inout [Action]
        ) {
            guard let asked = request, streams.first?.epoch == asked.epoch else { return }
            request = nil
            guard let report, report.epoch == asked.epoch else {
                askAt = now + limits.timeout / 2
                return
            }
            tries = 0
            guard let last = report.last else { return giveUp(.epochLost, limits, &actions) }
            let bound = min(last, limits.highest)
            streams[0].seen = max(streams[0].seen, bound)
            if streams.count > 1 { streams[0].isFinal = true }
            reportLoss(upTo: min((report.first ?? bound + 1) - min(1, report.first ?? 1), bound), .fellOut, &actions)
            drain(&actions)
            let told = min(report.next.map { $0 - min(1, $0) } ?? bound, bound)
            if streams[0].taken >= told, streams[0].taken < bound, streams[0].taken >= asked.fromSeq {
                askAt = now
                return
            }
            guard streams[0].seen > streams[0].taken else { return }
            streams[0].rounds += 1
            askAt = now + min(limits.longestTimeout, limits.patience * (1 << min(streams[0].rounds, 16)))
            // If no event at all is received, the route may be blocked for a while.
            let isOpen = hasCome || streams[0].taken >= told
            if !isOpen, streams[0].rounds % limits.stallRounds == 0 { actions.append(.renew(of: name)) }
            guard streams[0].rounds >= (isOpen ? limits.rounds : limits.blindRounds) else { return }
            streams[0].rounds = 0
            if streams[0].taken < told {
                reportLoss(upTo: min(told, (streams[0].held.keys.min() ?? .max) - 1), .notTold, &actions)
            } else {
                // The publisher has no number that high: the message that contained it was wrong.
                streams[0].seen = max(bound, streams[0].taken)
                streams[0].held = streams[0].held.filter { $0.key <= bound }
            }
        }

        // MARK: The order

        /// Delivers the events in order, closes ended epochs, and decides on the next request.
        mutating func deliverEvents(at now: MonotonicTime, _ limits: LedgerLimits, _ actions: inout [Action]) {
            drain(&actions)
            while streams.count > 1, streams[0].isFinal, streams[0].seen <= streams[0].taken {
                closeEpoch(limits, &actions)
                drain(&actions)
            }
            if let position, position != kept, position.seq > 0 || kept != nil {
                kept = position
                actions.append(.keep(position))
            }
            if !isOpen {
                (request, askAt, tries) = (nil, nil, 0)
            } else if askAt == nil, request == nil, tries < limits.blindTries || heard > asked {
                askAt = now + limits.patience
            }
        }

        private mutating func deliverEvent(_ event: Event, _ actions: inout [Action]) {
            streams[0].taken += 1
            streams[0].rounds = 0
            streams[0].seen = max(streams[0].seen, streams[0].taken)
            actions.append(.take(event, of: name, epoch: streams[0].epoch, seq: streams[0].taken))
        }

        private mutating func drain(_ actions: inout [Action]) {
            while let head = streams.first, let event = head.held[head.taken + 1] {
                streams[0].held[head.taken + 1] = nil
                deliverEvent(event, &actions)
            }
        }

        /// Reports the missing events up to a number as lost, and delivers the received ones in between.
        private mutating func reportLoss(upTo bound: UInt64, _ reason: LedgerLoss.Reason, _ actions: inout [Action]) {
            while true {
                drain(&actions)
                let head = streams[0]
                guard head.taken < bound else { return }
                let end = min(bound, (head.held.keys.min() ?? .max) - 1)
                let loss = LedgerLoss(epoch: head.epoch, first: head.taken + 1, last: end, reason: reason)
                actions.append(.lose(loss, of: name))
                streams[0].taken = end
            }
        }

        /// Gives up the missing events, and the epoch too if it is lost or the publisher has another one.
        private mutating func giveUp(
            _ reason: LedgerLoss.Reason, _ limits: LedgerLimits, _ actions: inout [Action]
        ) {
            let isOver = reason == .epochLost || streams.count > 1 || streams.count >= limits.epochs
            reportLoss(upTo: streams[0].seen, reason, &actions)
            (request, askAt, tries) = (nil, nil, 0)
            guard isOver else { return }
            let (epoch, first) = (streams[0].epoch, streams[0].taken + 1)
            actions.append(.lose(LedgerLoss(epoch: epoch, first: first, last: nil, reason: reason), of: name))
            closeEpoch(limits, &actions)
        }

        /// Closes the first epoch: the waiting events of the next are delivered.
        private mutating func closeEpoch(_ limits: LedgerLimits, _ actions: inout [Action]) {
            let head = streams.removeFirst()
            (request, askAt, tries) = (nil, nil, 0)
            closed.removeAll { $0.epoch == head.epoch }
            closed.append((head.epoch, head.taken))
            actions.append(
                .keep(LedgerPosition(publisher: name, epoch: head.epoch, seq: head.taken, isClosed: true)))
            if streams.isEmpty, let kept {
                actions.append(.forget(kept))
                self.kept = nil
            }
            // An epoch that continues is no longer closed.
            if let next = streams.first, let index = closed.firstIndex(where: { $0.epoch == next.epoch }) {
                forget(index, &actions)
            }
            while closed.count > limits.closed { forget(0, &actions) }
        }

        private mutating func forget(_ index: Int, _ actions: inout [Action]) {
            let (epoch, seq) = closed.remove(at: index)
            actions.append(.forget(LedgerPosition(publisher: name, epoch: epoch, seq: seq, isClosed: true)))
        }
    }
}
