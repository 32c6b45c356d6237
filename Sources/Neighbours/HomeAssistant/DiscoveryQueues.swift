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

    init(_ time: Int64) { self.time = time }

    var next: Int64? { head < queue.count ? queue[head].due : nil }

    mutating func add(_ object: String, at now: Int64) { queue.append((now + time, object)) }

    mutating func take(_ now: Int64) -> [String] {
        var taken: [String] = []
        while head < queue.count, queue[head].due <= now {
            taken.append(queue[head].object)
            head += 1
        }
        if head == queue.count { (queue, head) = ([], 0) }
        return taken
    }

    mutating func removeAll() { (queue, head) = ([], 0) }
}

/// What is done some time after a document went out, in nanoseconds.
struct Delays: Sendable {
    /// States are told again: Home Assistant has had time to listen to them …
    var soon = Delay(2_000_000_000)
    /// … even where it had thousands of entities to make.
    var late = Delay(60_000_000_000)
    /// The document without the entities that Home Assistant was told to remove.
    var clean = Delay(6_000_000_000)
    /// The device, after the entities of the older form have let go.
    var migrate = Delay(2_000_000_000)
    /// The topics of the older form are cleared.
    var leave = Delay(3_000_000_000)
    /// What was cleared while Home Assistant may have been off is shown to it …
    var exhume = Delay(2_000_000_000)
    /// … and taken away.
    var rebury = Delay(6_000_000_000)

    var next: Int64? {
        [soon.next, late.next, clean.next, migrate.next, leave.next, exhume.next, rebury.next].compactMap { $0 }.min()
    }

    mutating func removeAll() { self = Delays() }
}
