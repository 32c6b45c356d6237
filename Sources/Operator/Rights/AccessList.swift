internal import Configuration
internal import Identity
internal import Integrations
internal import WireProtocol

/// The users of a fleet's broker, and their rights.
struct AccessList {
    /// A role under one prefix.
    struct Grant: Hashable {
        var role: AccessRole
        var topics: Topics
        /// The discovery topics of Home Assistant, by publisher.
        var discovery: [DiscoveryPlace] = []
        /// Its needs beside its role: other systems' topics.
        var neighbours: [AccessRule] = []

        /// The rules that it allows.
        var rules: [AccessRule] { role.rules(topics) + role.rules(discovery) + neighbours }
        /// A name of its own among all prefixes: the default prefix is left out.
        var name: String { topics == Topics() ? role.name : "\(topics.prefix.replacing("/", with: "_"))-\(role.name)" }
    }

    /// A user of the broker.
    struct User: Hashable {
        var name: String
        var grants: [Grant]
        /// The client ids of its programs; nil for one that has another id each time, as a person's commands do.
        var clientIDs: [String?] = []

        /// The only client id that it connects with; nil if there are several.
        var onlyClientID: String? {
            guard let first = clientIDs.first, clientIDs.allSatisfy({ $0 == first }) else { return nil }
            return first
        }

        /// The rules of all its roles together, each once.
        var rules: [AccessRule] {
            var seen: Set<AccessRule> = []
            return grants.flatMap(\.rules).filter { seen.insert($0).inserted }
        }
    }

    /// All users, in the order in which they were named.
    private(set) var users: [User] = []
    /// Remarks, a sentence each.
    private(set) var remarks: [String] = []

    /// The list of a fleet.
    ///
    /// - Parameters:
    ///   - programs: configurations, by their files.
    ///   - people: users and their roles, under each prefix of the fleet.
    init(_ programs: [(file: String, ProgramConfiguration)], people: [(user: String, role: AccessRole)]) {
        var owners: [String: String] = [:]
        let espresense = NeighbourRights.espresenseRoots(of: programs.map(\.1))
        for (file, program) in programs {
            let grant = Grant(
                role: program.role, topics: Topics(prefix: program.topicPrefix), discovery: program.discovery,
                neighbours: NeighbourRights.rules(of: program, espresense: espresense))
            let user = program.user
            if program.mqtt.username == nil {
                remarks.append("\(file) names no user: '\(user)' is taken, as a certificate of 'enroll' has it")
            }
            if let other = owners.updateValue(file, forKey: user), other != file {
                remarks.append(
                    "\(other) and \(file) share the user '\(user)': each of the two may write as the other; give each its own"
                )
            }
            add(grant, to: user, clientID: program.clientID)
        }
        var prefixes: [Topics] = []
        for topics in programs.map({ Topics(prefix: $0.1.topicPrefix) }) where !prefixes.contains(topics) {
            prefixes.append(topics)
        }
        for (user, role) in people {
            for topics in prefixes {
                var places: [DiscoveryPlace] = []
                for place in programs.filter({ $0.1.topicPrefix == topics.prefix }).flatMap(\.1.discovery)
                where !places.contains(place) {
                    places.append(place)
                }
                let isAdmin = role == .admin
                add(
                    Grant(role: role, topics: isAdmin ? Topics() : topics, discovery: isAdmin ? [] : places), to: user,
                    clientID: nil)
            }
        }
    }

    private mutating func add(_ grant: Grant, to user: String, clientID: String?) {
        if let index = users.firstIndex(where: { $0.name == user }) {
            if !users[index].grants.contains(grant) { users[index].grants.append(grant) }
            users[index].clientIDs.append(clientID)
        } else {
            users.append(User(name: user, grants: [grant], clientIDs: [clientID]))
        }
    }

    /// The users that cannot be bound to one client id, and so can use any other's.
    var unboundUsers: [String] { users.filter { $0.onlyClientID == nil }.map(\.name) }
}

extension ProgramConfiguration {
    /// The user that its broker knows it as.
    fileprivate var user: String {
        if let name = mqtt.username { return name }
        return switch self {
        case .agent(let agent): Member.node(agent.node, room: nil).name
        case .fuser(let fuser): Member.fuser(fuser.name).name
        }
    }

    /// The id that it connects with, always the same.
    fileprivate var clientID: String {
        if let id = mqtt.clientID { return id }
        let topics = Topics(prefix: topicPrefix)
        return switch self {
        case .agent(let agent): topics.clientID("agent", agent.node)
        case .fuser(let fuser): topics.clientID("fuser", fuser.name)
        }
    }

    /// Its discovery topics; none if it publishes no discovery.
    fileprivate var discovery: [DiscoveryPlace] {
        let prefix =
            switch self {
            case .agent(let agent): agent.discoveryPrefix
            case .fuser(let fuser): fuser.discoveryPrefix
            }
        return prefix.map { [DiscoveryPlace(prefix: $0, topicPrefix: topicPrefix)] } ?? []
    }

    fileprivate var role: AccessRole {
        switch self {
        case .agent(let agent):
            var topics: [String] = []
            for topic in agent.reactions.flatMap(\.topics) where !topics.contains(topic) { topics.append(topic) }
            return .node(
                agent.node, publishes: topics, offers: agent.reactions.contains(where: \.offersByTopic),
                regions: agent.regions.map(\.id))
        case .fuser(let fuser): return .fuser(fuser.name, shards: fuser.shards.range)
        }
    }
}

/// The form of mosquitto's `acl_file` (mosquitto.conf(5)).
extension AccessList {
    /// The file, line by line.
    var mosquittoLines: [String] {
        var lines = [
            "# Made by `whereabouts acl`. In mosquitto.conf: allow_anonymous false, acl_file, and password_file;",
            "# or, for certificates, require_certificate true and use_identity_as_username true.",
        ]
        for user in users {
            lines += ["", "# \(user.grants.map(\.name).joined(separator: ", "))", "user \(user.name)"]
            lines += user.rules.map { "topic \($0.right.rawValue) \($0.filter)" }
        }
        return lines
    }
}
