public import Advertising
internal import Bytes

/// Which adapter is meant, as `source` says it behind `hci:`.
public enum AdapterChoice: Hashable, Sendable, CustomStringConvertible {
    /// The first that has LE and isn't blocked; the same one from then on, whatever its number becomes.
    case auto
    /// The one of a number, whichever that is at the moment.
    case index(UInt16)
    /// The one of an address, whatever its number is.
    case address(DeviceAddress)

    /// Reads `auto`, `hci0` or `aa:bb:cc:dd:ee:ff`; nil for anything else.
    public init?(_ text: String) {
        if text == "auto" {
            self = .auto
        } else if text.hasPrefix("hci"), let index = UInt16(text.dropFirst(3)), text == "hci\(index)" {
            self = .index(index)
        } else if text.utf8.count == 17, let address = DeviceAddress(text) {
            self = .address(address)
        } else {
            return nil
        }
    }

    /// The adapter that it is among those that there are; throws what is wrong with that.
    public func adapter(among adapters: [Adapter]) throws(RadioFault) -> Adapter {
        var chooser = AdapterChooser(self)
        return try chooser.choose(among: adapters, at: Timestamp(microseconds: 0))
    }

    /// As it was read.
    public var description: String {
        switch self {
        case .auto: "auto"
        case .index(let index): "hci\(index)"
        case .address(let address): address.text
        }
    }
}

/// Finds the adapter that is meant among those that there are, and remembers which one `auto` was.
struct AdapterChooser: Sendable {
    /// Microseconds for which an adapter that `auto` has chosen and that is gone is waited for before another is.
    static let patience: Int64 = 10_000_000

    let choice: AdapterChoice
    /// The address that `auto` stands for.
    private(set) var remembered: DeviceAddress?
    private var missingSince: Timestamp?

    init(_ choice: AdapterChoice) { self.choice = choice }

    /// The adapter that is meant, or what is wrong.
    mutating func choose(among adapters: [Adapter], at now: Timestamp) throws(RadioFault) -> Adapter {
        switch choice {
        case .index(let index): return try usable(adapters.first { $0.index == index })
        case .address(let address): return try usable(adapters.first { $0.address?.bits == address.bits })
        case .auto: return try first(of: adapters.sorted { $0.index < $1.index }, at: now)
        }
    }

    /// Remembers whose ears `auto` is.
    mutating func use(_ adapter: Adapter) {
        missingSince = nil
        if choice == .auto { remembered = adapter.address ?? remembered }
    }

    private mutating func first(of adapters: [Adapter], at now: Timestamp) throws(RadioFault) -> Adapter {
        if let remembered {
            if let known = adapters.first(where: { $0.address == remembered }) { return try usable(known) }
            let since = missingSince ?? now
            missingSince = since
            if now.microseconds(since: since) < Self.patience { throw .noAdapter(choice) }
        }
        guard let best = adapters.first(where: { $0.hasLE != false && $0.isBlocked != true && !$0.isHeld }) else {
            return try usable(adapters.first)
        }
        return best
    }

    private func usable(_ adapter: Adapter?) throws(RadioFault) -> Adapter {
        guard let adapter else { throw .noAdapter(choice) }
        if adapter.isBlocked == true { throw .blocked(adapter.name, isHard: adapter.isHardBlocked) }
        if adapter.hasLE == false { throw .noLE(adapter.name) }
        if adapter.isHeld { throw .held(adapter.name) }
        return adapter
    }
}
