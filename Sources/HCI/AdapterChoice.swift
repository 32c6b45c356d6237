public import Advertising
internal import Bytes

/// Which adapter is meant, as `source` says it behind `hci:`.
public enum AdapterChoice: Hashable, Sendable, CustomStringConvertible {
    /// The one it was before, else the first that has LE and isn't blocked; the same one from then on, whatever its number
    /// becomes.
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
    /// Whether that was used since the start, and not in an earlier run alone.
    private var isUsed = false
    private var missingSince: Timestamp?

    /// - Parameter address: what `auto` stood for in an earlier run.
    init(_ choice: AdapterChoice, remembering address: DeviceAddress? = nil) {
        self.choice = choice
        remembered = choice == .auto ? address : nil
    }

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
        guard choice == .auto else { return }
        remembered = adapter.address ?? remembered
        isUsed = true
    }

    private mutating func first(of adapters: [Adapter], at now: Timestamp) throws(RadioFault) -> Adapter {
        if let remembered {
            let known = adapters.first { $0.address?.bits == remembered.bits }
            // One of an earlier run that is of no use any more is no reason to hear nothing.
            if let known, isUsed || isUsable(known) { return try usable(known) }
            let since = missingSince ?? now
            missingSince = since
            if now.microseconds(since: since) < Self.patience {
                guard let known else { throw .noAdapter(adapters.isEmpty ? choice : .address(remembered)) }
                return try usable(known)
            }
        }
        guard let best = adapters.first(where: isUsable) else {
            return try usable(adapters.first)
        }
        return best
    }

    private func isUsable(_ adapter: Adapter) -> Bool {
        adapter.hasLE != false && adapter.isBlocked != true && !adapter.isHeld
    }

    private func usable(_ adapter: Adapter?) throws(RadioFault) -> Adapter {
        guard let adapter else { throw .noAdapter(choice) }
        if adapter.isBlocked == true { throw .blocked(adapter.name, isHard: adapter.isHardBlocked) }
        if adapter.hasLE == false { throw .noLE(adapter.name) }
        if adapter.isHeld { throw .held(adapter.name) }
        return adapter
    }
}
