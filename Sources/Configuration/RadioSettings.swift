/// The section `radio`: how an adapter listens.
public struct RadioSettings: Hashable, Sendable {
    /// Whether it asks advertisers for their scan response (`scan`).
    public enum Scan: String, CaseIterable, Sendable {
        case passive
        case active
    }

    /// How the adapter is shared (`channel`).
    public enum Channel: String, CaseIterable, Sendable {
        case shared
        case user
    }

    /// On which PHYs it listens (`phy`).
    public enum PHY: String, CaseIterable, Sendable {
        case le1M = "1m"
        case le1MAndCoded = "1m+coded"
    }

    /// Default `passive` (`scan`).
    public var scan = Scan.passive
    /// Default `shared` (`channel`).
    public var channel = Channel.shared
    /// Default `1m` (`phy`).
    public var phy = PHY.le1M
    /// After how long it goes on to the next advertising channel, 5 ms to 10 s, default 100 ms (`interval`).
    public var interval = Duration.milliseconds(100)
    /// In how many hundredths of the time it listens, 1 to 100, default 100 (`duty`).
    public var duty = 100

    /// All defaults.
    public init() {}

    static let keys = ["scan", "channel", "phy", "interval", "duty"]

    static func getter(_ reader: ConfigurationReader) -> ConfigurationReader.Getter<RadioSettings> {
        reader.map { map in
            var settings = RadioSettings()
            let scan = map.read("scan", reader.word(Scan.allCases.map(\.rawValue)))
            let channel = map.read("channel", reader.word(Channel.allCases.map(\.rawValue)))
            let phy = map.read("phy", reader.word(PHY.allCases.map(\.rawValue)))
            settings.scan = scan.flatMap(Scan.init(rawValue:)) ?? settings.scan
            settings.channel = channel.flatMap(Channel.init(rawValue:)) ?? settings.channel
            settings.phy = phy.flatMap(PHY.init(rawValue:)) ?? settings.phy
            settings.interval =
                map.read("interval", reader.duration(.milliseconds(5)...(.seconds(10)))) ?? settings.interval
            settings.duty = map.read("duty", reader.integer(1...100)) ?? settings.duty
            return settings
        }
    }
}
