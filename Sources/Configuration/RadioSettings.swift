/// The section `radio`: the settings of an adapter's scan.
public struct RadioSettings: Hashable, Sendable {
    /// The kind of scan, with or without requests for scan responses (`scan`).
    public enum Scan: String, CaseIterable, Sendable {
        case passive
        case active
    }

    /// The way in which the adapter is shared (`channel`).
    public enum Channel: String, CaseIterable, Sendable {
        case shared
        case user
    }

    /// The PHYs that are scanned (`phy`).
    public enum PHY: String, CaseIterable, Sendable {
        case le1M = "1m"
        case le1MAndCoded = "1m+coded"
    }

    /// The kind of scan, default `passive` (`scan`).
    public var scan = Scan.passive
    /// The sharing, default `shared` (`channel`).
    public var channel = Channel.shared
    /// The PHYs, default `1m` (`phy`).
    public var phy = PHY.le1M
    /// The time after which it moves to the next advertising channel, 5 ms to 10 s, default 100 ms (`interval`).
    public var interval = Duration.milliseconds(100)
    /// The share of the time in which it listens, in hundredths, 1 to 100, default 100 (`duty`).
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
