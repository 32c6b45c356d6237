internal import Bytes

/// The subscriptions that the broker has denied, with the time of the next request for each of them.
///
/// The pause before a request doubles with each denial of the same filter, from `firstPause` to `longestPause`. A new
/// connection begins with the first pause again, but remembers earlier denials, so that a later grant can be reported.
/// The number of entries never exceeds the client's subscriptions.
struct DeniedSubscriptions {
    /// Seconds before a denied subscription is requested for the second time.
    static let firstPause = 1.0
    /// Seconds between two requests at most.
    static let longestPause = 60.0

    private struct Denial {
        var subscription: Subscription
        /// Seconds before the next request, if this connection denies it once more.
        var pause: Double
        /// The moment of the next request; nil while the broker owes an answer.
        var due: MonotonicTime?
        /// True if the current connection has denied it.
        var isReported: Bool
    }

    /// The denials in the order of the first one, which is the order of the program's requests.
    private var denials: [Denial] = []

    /// The moment of the next request; nil if there is none to make.
    var nextDeadline: MonotonicTime? { denials.lazy.compactMap(\.due).min() }

    /// Records a new connection, on which all subscriptions are requested anew.
    mutating func connected() {
        for index in denials.indices {
            (denials[index].pause, denials[index].due) = (Self.firstPause, nil)
            denials[index].isReported = false
        }
    }

    /// Records a denial, and schedules the next request. Returns true for the first denial on this connection.
    mutating func deny(_ subscription: Subscription, at now: MonotonicTime) -> Bool {
        let index = denials.firstIndex { $0.subscription.filter == subscription.filter } ?? denials.endIndex
        if index == denials.endIndex {
            denials.append(Denial(subscription: subscription, pause: Self.firstPause, due: nil, isReported: false))
        }
        let pause = denials[index].pause
        denials[index].subscription = subscription
        denials[index].due = now.advanced(bySeconds: pause)
        denials[index].pause = min(pause * 2, Self.longestPause)
        defer { denials[index].isReported = true }
        return !denials[index].isReported
    }

    /// Records a grant. Returns true if the filter was denied before, on this connection or an earlier one.
    mutating func grant(_ filter: String) -> Bool {
        guard let index = denials.firstIndex(where: { $0.subscription.filter == filter }) else { return false }
        denials.remove(at: index)
        return true
    }

    /// Removes and returns the subscriptions that are to be requested now.
    mutating func takeDue(at now: MonotonicTime) -> [Subscription] {
        var taken: [Subscription] = []
        for index in denials.indices {
            guard let due = denials[index].due, due <= now else { continue }
            denials[index].due = nil
            taken.append(denials[index].subscription)
        }
        return taken
    }
}
