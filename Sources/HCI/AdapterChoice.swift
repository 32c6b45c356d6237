public import Advertising
internal import Bytes

/// The choice of an adapter, as written after `hci:` in `source`.
public enum AdapterChoice: Hashable, Sendable, CustomStringConvertible {
    /// The adapter of the previous run, otherwise the first one that has LE and isn't blocked. From then on the same
    /// adapter, even if its number changes.
    case auto
    /// The adapter that has this number at the moment.
    case index(UInt16)
    /// The adapter with this address, under any number.
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

    /// The chosen one of `adapters`; throws the reason why it can't be used.
    public func adapter(among adapters: [Adapter]) throws(RadioFault) -> Adapter {
        var chooser = AdapterChooser(self)
        return try chooser.choose(among: adapters, at: Timestamp(microseconds: 0))
    }

    /// The choice in the form in which it is read.
    public var description: String {
        switch self {
        case .auto: "auto"
        case .index(let index): "hci\(index)"
        case .address(let address): address.text
        }
    }
}

/// Finds the chosen adapter among those present, and remembers the one that `auto` chose.
struct AdapterChooser: Sendable {
    /// The time for which a missing adapter that `auto` chose is awaited before another is chosen.
    static let patience: Duration = .seconds(10)

    let choice: AdapterChoice
    /// The address that `auto` stands for.
    private(set) var remembered: DeviceAddress?
    /// True if that adapter was used since the start, and not only in an earlier run.
    private var isUsed = false
    private var missingSince: Timestamp?

    /// - Parameter address: the address that `auto` stood for in an earlier run.
    init(_ choice: AdapterChoice, remembering address: DeviceAddress? = nil) {
        self.choice = choice
        remembered = choice == .auto ? address : nil
    }

    /// The chosen adapter; throws the reason if there is none.
    mutating func choose(among adapters: [Adapter], at now: Timestamp) throws(RadioFault) -> Adapter {
        switch choice {
        case .index(let index): return try requireUsable(adapters.first { $0.index == index })
        case .address(let address): return try requireUsable(adapters.first { $0.address?.bits == address.bits })
        case .auto: return try firstUsable(of: adapters.sorted { $0.index < $1.index }, at: now)
        }
    }

    /// Remembers the adapter that `auto` uses.
    mutating func use(_ adapter: Adapter) {
        missingSince = nil
        guard choice == .auto else { return }
        remembered = adapter.address ?? remembered
        isUsed = true
    }

    private mutating func firstUsable(of adapters: [Adapter], at now: Timestamp) throws(RadioFault) -> Adapter {
        if let remembered {
            let known = adapters.first { $0.address?.bits == remembered.bits }
            // An unusable adapter of an earlier run must not prevent the use of another.
            if let known, isUsed || isUsable(known) { return try requireUsable(known) }
            let since = missingSince ?? now
            missingSince = since
            if now.duration(since: since) < Self.patience {
                guard let known else { throw .noAdapter(adapters.isEmpty ? choice : .address(remembered)) }
                return try requireUsable(known)
            }
        }
        guard let best = adapters.first(where: isUsable) else {
            return try requireUsable(adapters.first)
        }
        return best
    }

    private func isUsable(_ adapter: Adapter) -> Bool {
        adapter.hasLE != false && adapter.isBlocked != true && !adapter.isHeld
    }

    private func requireUsable(_ adapter: Adapter?) throws(RadioFault) -> Adapter {
        guard let adapter else { throw .noAdapter(choice) }
        if adapter.isBlocked == true { throw .blocked(adapter.name, isHard: adapter.isHardBlocked) }
        if adapter.hasLE == false { throw .noLE(adapter.name) }
        if adapter.isHeld { throw .held(adapter.name) }
        return adapter
    }
}
