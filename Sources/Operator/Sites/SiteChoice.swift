internal import CommandLine
internal import Configuration
internal import Sites

/// The file of sites of a command line.
enum SitesChoice {
    /// The option that names the file.
    static let option = CommandOption(
        "--sites", .text("FILE"),
        help: "the file of sites; default: \(SitesFile.usualName) beside WHEREABOUTS_CONFIG, else in /etc/whereabouts")

    /// Reads the file; throws every fault.
    static func load(
        _ arguments: Arguments, environment: [String: String], warn: (ConfigurationFault) -> Void
    ) throws(ConfigurationFaults) -> [Site] {
        try SitesFile.load(path: path(arguments, environment), environment: environment, warn: warn)
    }

    /// The path of the file.
    static func path(_ arguments: Arguments, _ environment: [String: String]) -> String {
        if let path = arguments.text("--sites") { return path }
        guard let config = environment["WHEREABOUTS_CONFIG"], !config.isEmpty else {
            return "/etc/whereabouts/\(SitesFile.usualName)"
        }
        return NamedFiles.path(of: SitesFile.usualName, besides: config)
    }
}

extension BrokerChoice {
    /// The options by which a command about one house finds its broker.
    static let houseOptions =
        options + [
            CommandOption("--site", .text("ID"), help: "the broker and the topics of this site of the file of sites"),
            SitesChoice.option,
        ]

    /// The origin of a broker that `--site` names.
    static let siteOrigin = "--site"

    /// True if a file of a program names the broker, which may say more of the house.
    var isFromFile: Bool { !["--broker", "WHEREABOUTS_MQTT_URL", Self.siteOrigin].contains(origin) }

    /// Finds the broker of a command line: that of `--site`, else as every program does. Throws every fault.
    static func find(_ arguments: Arguments, environment: [String: String]) throws -> BrokerChoice {
        guard let id = arguments.text("--site") else {
            if arguments.has("--sites") { throw fault("--sites", "needs --site with it") }
            return try find(
                config: arguments.text("--config"), broker: arguments.text("--broker"), environment: environment)
        }
        for other in ["--config", "--broker"] where arguments.has(other) {
            throw fault(other, "give either --site or \(other)")
        }
        var warnings: [ConfigurationFault] = []
        let sites = try SitesChoice.load(arguments, environment: environment) { warnings.append($0) }
        guard let site = sites.first(where: { $0.id == id }) else {
            let hint = Spelling.questionOrList(id, among: sites.map(\.id))
            throw fault(
                siteOrigin, "there is no site '\(id)' in \(SitesChoice.path(arguments, environment))\(hint)")
        }
        // As for `--broker`, with no variable of this house's own broker.
        var choice = try find(config: nil, broker: "\(site.mqtt.url)", environment: [:])
        (choice.mqtt, choice.topicPrefix) = (site.mqtt, site.topicPrefix)
        (choice.origin, choice.warnings) = (siteOrigin, warnings)
        return choice
    }

    private static func fault(_ option: String, _ words: String) -> ConfigurationFaults {
        ConfigurationFaults([ConfigurationFault(ConfigurationPosition(outside: option), words)])
    }
}
