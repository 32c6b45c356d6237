internal import Identity
internal import BrokerSession
internal import CommandLine
internal import Configuration
internal import System
internal import WireProtocol

/// The registry for the `items` commands: as the broker retains it, beside the items file.
struct ItemsDesk {
    /// The most topics that are read back one by one; beyond, the whole registry.
    private static let singleBound = 50

    /// Messages that are acknowledged before the next ones are sent.
    private static let batch = 500

    let topics: Topics
    /// The author of what is written.
    let author: Author
    let exchange: Exchange
    private var follower: RegistryFollower
    /// The persons of a fuser's file: they are no entries of the registry.
    let persons: [Person]
    /// The moment for what is written now.
    let now = WallClock.now()

    /// Finds the broker and the items file by a command's options. Connects to nothing yet.
    init(_ arguments: Arguments, environment: [String: String]) throws {
        let choice = try BrokerChoice.find(arguments, environment: environment)
        let log = Log(environment: environment)
        Program.logWarnings(choice.warnings, log)
        topics = Topics(prefix: choice.topicPrefix)
        author = Author(of: choice.mqtt, environment: environment)
        follower = RegistryFollower(topics: topics)
        let file = Self.fileItems(of: choice, environment, log)
        follower.book.apply(file: file.items)
        persons = file.persons
        // Failures are reported by the command itself.
        log.level = .error
        exchange = try Exchange(
            choice.mqtt, topics: topics, name: "items", log: log, marks: choice.fuser.map(topics.fuserReplies))
    }

    /// The items file of the configuration that named the broker; faults in other keys are ignored.
    private static func fileItems(of choice: BrokerChoice, _ environment: [String: String], _ log: Log) -> (
        items: [Item], persons: [Person]
    ) {
        guard choice.isFromFile else { return ([], []) }
        do throws(ConfigurationFaults) {
            switch try ProgramConfiguration.load(path: choice.origin, environment: environment) {
            case .agent(let agent): return (agent.items, [])
            case .fuser(let fuser): return (fuser.items, fuser.persons)
            }
        } catch {
            log.warning("its items file is left aside: \(error.faults.first.map { "\($0)" } ?? choice.origin)")
            return ([], [])
        }
    }

    /// The known entries.
    var book: RegistryBook { follower.book }
    /// The broker's retained entries, by id.
    var retained: [String: ItemChange] { follower.retained }
    /// Invalid entries on the broker, in the order of their ids.
    var refusals: [ItemRefusal] { follower.refusals.values.sorted { $0.id < $1.id } }

    /// Reads the broker's retained entries, or throws where it does not show that these are all.
    mutating func read() throws {
        if let doubt = try readEntries() { throw doubt }
    }

    /// Reads the broker's retained entries for a table. Prints a remark where the broker does not show that these are all, as
    /// to a viewer, who may not write the message that shows it.
    mutating func readForTable() throws {
        guard let doubt = try readEntries() else { return }
        var errors = StandardOutput(descriptor: 2)
        errors.line(
            doubt.isRefusal
                ? "the list may lack entries: this user may not read or write what would show its end"
                : "the list may lack entries: the broker did not show its end")
        errors.flush()
    }

    /// Reads entries, and returns the reason for which some may be missing.
    private mutating func readEntries() throws -> ProgramFault? {
        let progress = Progress("reading the registry")
        defer { progress.end() }
        let (messages, doubt) = try exchange.retainedSoFar([follower.filter])
        for message in messages {
            var message = message
            // A change that arrives during the reading was written by another client at this moment; it counts like the
            // others.
            message.retained = true
            follower.receive(message, at: now)
        }
        return doubt
    }

    /// Publishes entries, waits until they are acknowledged, and reads back whether the broker retains them.
    mutating func write(_ entries: [ItemEntry], clearing cleared: [String] = []) throws {
        var messages = entries.map { entry in
            Message(
                topic: topics.itemConfig(entry.id), payload: author.signature.sign(ItemChange(entry).payload),
                qos: .atLeastOnce, retained: true)
        }
        messages += cleared.map {
            Message.clearing(topics.itemConfig($0))
        }
        guard !messages.isEmpty else { return }
        let progress = Progress("writing the registry", total: Double(messages.count))
        defer { progress.end() }
        for start in stride(from: 0, to: messages.count, by: Self.batch) {
            try exchange.publish(Array(messages[start...].prefix(Self.batch)))
            progress.advance(to: Double(min(messages.count, start + Self.batch)))
        }
        progress.begin("reading the registry back")
        let filters = messages.count > Self.singleBound ? [topics.allItems("config")] : messages.map(\.topic)
        var kept: [String: [UInt8]] = [:]
        for message in try exchange.retained(filters, isWhole: true) { kept[message.topic] = message.payload }
        let lost = messages.filter { kept[$0.topic] ?? [] != $0.payload }
        if let first = lost.first {
            let more = lost.count > 1 ? " and \(lost.count - 1) more" : ""
            throw ProgramFault(
                kept[first.topic] == nil
                    ? "the broker did not keep \(first.topic)\(more): may this user write there?"
                    : "the broker holds something else on \(first.topic)\(more): it refused, or another wrote meanwhile"
            )
        }
        for entry in entries { follower.book.merge(entry) }
    }

    /// The item of each identity. To be read once for many.
    var owners: [BeaconID: String] {
        var owners: [BeaconID: String] = [:]
        for item in book.checkEntries().items {
            for identity in item.identities { owners[identity] = item.id }
        }
        return owners
    }

    /// Prints the faults of the registry.
    func tellProblems() {
        var errors = StandardOutput(descriptor: 2)
        for refusal in refusals { errors.line("\(refusal)") }
        for refusal in book.checkEntries().refusals { errors.line("\(refusal)") }
        var book = book
        for difference in book.takeDifferences() { errors.line("\(difference)") }
        errors.flush()
    }
}
