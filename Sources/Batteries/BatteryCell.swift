/// A kind of battery, with the course of its level while it is used up.
public enum BatteryCell: String, CaseIterable, Hashable, Sendable {
    /// A lithium coin cell of 3 V, the battery of most tags.
    case cr2032
    /// Two alkaline cells of 1.5 V in series (LR6, LR03).
    case twoAlkaline = "2xaa"
    /// Any battery whose charge the transmitter states in per cent.
    case percent

    /// The beginning of the tags of an item by which its battery is named, such as `battery-2xaa`.
    public static let tagPrefix = "battery-"

    /// The battery that an item's tags name; the coin cell if they name none.
    public init(tags: [String]) {
        self = Self.allCases.first { $0 != .percent && tags.contains(Self.tagPrefix + $0.rawValue) } ?? .cr2032
    }

    /// Levels with the share of the charge that is left, from full to empty; lines between them.
    ///
    /// - The coin cell: 42 % at 2.9 V, 18 % at 2.74 V, 6 % at 2.44 V and none at 2.1 V (Nordic nRF5 SDK, `app_util.h`,
    ///   `battery_level_in_percent`). Datasheets agree with its shape: 3 V nominal, flat for most of the time, an end of
    ///   2.0 V (IEC 60086-2 CR2032; Energizer CR2032: 235 mAh to 2.0 V at 15 kΩ).
    /// - Alkaline cells fall almost evenly from 1.6 V to 0.8 V each (Energizer alkaline handbook, discharge at low
    ///   drain). A transmitter ends earlier: at about 2 V for both, where their voltage collapses under its pulses.
    private var curve: [(level: Double, charge: Double)] {
        switch self {
        case .cr2032: [(3000, 1), (2900, 0.42), (2740, 0.18), (2440, 0.06), (2100, 0)]
        case .twoAlkaline: [(3200, 1), (2000, 0)]
        case .percent: [(100, 1), (0, 0)]
        }
    }

    /// The share of the charge that is left at a level.
    func charge(at level: Double) -> Double {
        var upper = curve[0]
        guard level < upper.level else { return upper.charge }
        for lower in curve.dropFirst() {
            if level >= lower.level {
                let share = (level - lower.level) / (upper.level - lower.level)
                return lower.charge + share * (upper.charge - lower.charge)
            }
            upper = lower
        }
        return 0
    }

    /// The levels below which a battery is empty, is low, and declines. A coin cell bends at about 2.6 V.
    var limits: (empty: Double, low: Double, declining: Double) {
        switch self {
        case .cr2032: (2150, 2500, 2700)
        case .twoAlkaline: (2000, 2120, 2300)
        case .percent: (3, 10, 20)
        }
    }

    /// The highest level that a new one has.
    var highest: Double {
        switch self {
        case .cr2032, .twoAlkaline: 3500
        case .percent: 100
        }
    }

    /// The smallest rise of the level that shows a new battery, where the item sends its temperature, and where not: a
    /// cold coin cell that warms up rises, too.
    func rise(knowsTemperature: Bool) -> Double {
        switch self {
        case .cr2032, .twoAlkaline: knowsTemperature ? 120 : 220
        case .percent: 20
        }
    }

    /// The fineness of levels: steps of 10 mV or 1 %, and what differs between batteries of one kind.
    var deviation: Double {
        switch self {
        case .cr2032, .twoAlkaline: 12
        case .percent: 1
        }
    }

    /// The charge that a third of the deviation stands for, at a level.
    func step(at level: Double) -> Double {
        (charge(at: level + deviation / 3) - charge(at: level - deviation / 3)) / 2
    }
}
