internal import Bytes

/// Devices that wait to be checked, each once, in order.
struct Waiting: Sendable {
    private var queue: [String] = []
    private var head = 0
    private var waiting: Set<String> = []

    var isEmpty: Bool { waiting.isEmpty }

    mutating func add(_ object: String) {
        if waiting.insert(object).inserted { queue.append(object) }
    }

    mutating func remove(_ object: String) { waiting.remove(object) }

    mutating func takeNext() -> String? {
        while head < queue.count {
            defer { head += 1 }
            if waiting.remove(queue[head]) != nil { return queue[head] }
        }
        (queue, head) = ([], 0)
        return nil
    }
}

/// Devices that each wait for a fixed time.
struct Delay: Sendable {
    let time: Duration
    private var queue: [(due: MonotonicTime, object: String)] = []
    private var head = 0
    /// Those that wait at most once.
    private var once: Set<String> = []

    init(_ time: Duration) { self.time = time }

    var next: MonotonicTime? { head < queue.count ? queue[head].due : nil }

    mutating func add(_ object: String, at now: MonotonicTime) { queue.append((now + time, object)) }

    /// Adds a device unless it already waits; if too many wait, it is left out.
    mutating func addOnce(_ object: String, at now: MonotonicTime) {
        guard once.count < DiscoveryBook.capacity, once.insert(object).inserted else { return }
        add(object, at: now)
    }

    mutating func takeDue(_ now: MonotonicTime) -> [String] {
        var taken: [String] = []
        while head < queue.count, queue[head].due <= now {
            taken.append(queue[head].object)
            head += 1
        }
        for object in taken { once.remove(object) }
        // It may never be empty, if devices are added before all of the waiting ones are due.
        if head * 2 >= queue.count {
            queue.removeFirst(head)
            head = 0
        }
        return taken
    }

    mutating func removeAll() { self = Delay(time) }
}

/// The steps that follow others after a delay. Home Assistant confirms nothing: these are the times
/// that a core of 2025.4 needed, with a reserve. It processes a document in six milliseconds, 2,000 in twelve seconds,
/// and at a start with as many it is busy for seventeen.
struct Delays: Sendable {
    /// States are published again, after few changes for Home Assistant.
    var soon = Delay(.seconds(2))
    /// States are published again, after thousands of new entities, with a reserve for slower machines.
    var late = Delay(.seconds(60))
    /// The document without the removed entities: until then the broker retains the one that removes them, for a core
    /// that has just lost its connection.
    var clean = Delay(.seconds(6))
    /// The device, after the entities of the older form are released: before that their ids would be in use.
    var migrate = Delay(.seconds(2))
    /// The topics of the older form are cleared, after the device has taken over: before that Home Assistant would
    /// remove entities.
    var leave = Delay(.seconds(3))
    /// A removal that Home Assistant may have missed is published a little after its birth message: it ignores a
    /// removal within a second of its start.
    var exhume = Delay(.seconds(2))
    /// The removal follows after Home Assistant has created the entities: it can't remove an unknown one.
    var rebury = Delay(.seconds(6))
    /// A retained device that is unwanted, and not known to be gone, is cleared.
    var absent = Delay(DiscoveryBook.patience)

    var next: MonotonicTime? {
        [
            soon.next, late.next, clean.next, migrate.next, leave.next, exhume.next, rebury.next, absent.next,
        ].compactMap { $0 }.min()
    }

    mutating func removeAll() { self = Delays() }
}
