/// Devices that wait to be looked at, each once, in order.
struct Waiting: Sendable {
    private var queue: [String] = []
    private var head = 0
    private var waiting: Set<String> = []

    var isEmpty: Bool { waiting.isEmpty }

    mutating func add(_ object: String) {
        if waiting.insert(object).inserted { queue.append(object) }
    }

    mutating func remove(_ object: String) { waiting.remove(object) }

    mutating func take() -> String? {
        while head < queue.count {
            defer { head += 1 }
            if waiting.remove(queue[head]) != nil { return queue[head] }
        }
        (queue, head) = ([], 0)
        return nil
    }
}

/// Devices that wait for so long each.
struct Delay: Sendable {
    let time: Int64
    private var queue: [(due: Int64, object: String)] = []
    private var head = 0
    /// Those that wait at most once.
    private var once: Set<String> = []

    init(_ time: Int64) { self.time = time }

    var next: Int64? { head < queue.count ? queue[head].due : nil }

    mutating func add(_ object: String, at now: Int64) { queue.append((now + time, object)) }

    /// Leaves one that waits already as it is; where too many wait it is left out.
    mutating func addOnce(_ object: String, at now: Int64) {
        guard once.count < DiscoveryBook.capacity, once.insert(object).inserted else { return }
        add(object, at: now)
    }

    mutating func take(_ now: Int64) -> [String] {
        var taken: [String] = []
        while head < queue.count, queue[head].due <= now {
            taken.append(queue[head].object)
            head += 1
        }
        for object in taken { once.remove(object) }
        // It may never be empty, where something is added before all that waits is due.
        if head * 2 >= queue.count {
            queue.removeFirst(head)
            head = 0
        }
        return taken
    }

    mutating func removeAll() { self = Delay(time) }
}

/// What is done some time after something else, in nanoseconds. Home Assistant says of nothing that it is done: these are
/// what a core of 2025.4 needed, and room. It takes a document in six milliseconds, 2,000 in twelve seconds, and as it starts
/// with as many it is busy for seventeen.
struct Delays: Sendable {
    /// States are told again, where Home Assistant has had little to do …
    var soon = Delay(2_000_000_000)
    /// … and where it had thousands of entities to make, with room for slower machines.
    var late = Delay(60_000_000_000)
    /// The document without the entities that Home Assistant was told to remove: until then the broker retains the one that
    /// says so, for a core whose line breaks just now.
    var clean = Delay(6_000_000_000)
    /// The device, after the entities of the older form have let go: else their ids would be taken.
    var migrate = Delay(2_000_000_000)
    /// The topics of the older form are cleared, after the device has taken over: else Home Assistant would remove entities.
    var leave = Delay(3_000_000_000)
    /// What was cleared while Home Assistant may have been off is shown to it a little after its birth message: of what is
    /// cleared a second after its start it takes no notice …
    var exhume = Delay(2_000_000_000)
    /// … and taken away when it has made the entities: what it doesn't know yet it can't remove.
    var rebury = Delay(6_000_000_000)
    /// What stands, and nobody wants or says that it is gone, goes all the same.
    var absent = Delay(DiscoveryBook.patience)

    var next: Int64? {
        [
            soon.next, late.next, clean.next, migrate.next, leave.next, exhume.next, rebury.next, absent.next,
        ].compactMap { $0 }.min()
    }

    mutating func removeAll() { self = Delays() }
}
