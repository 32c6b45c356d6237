/// The adapters that are plugged in, by their controllers' names.
struct AdapterTable: ~Copyable {
    private final class Slot {
        var adapter: VirtualAdapter
        init(_ adapter: consuming VirtualAdapter) { self.adapter = adapter }
    }

    private var slots: [String: Slot] = [:]

    /// In alphabetical order.
    var names: [String] { slots.keys.sorted() }

    /// Plugs an adapter in; the number it got.
    ///
    /// - Parameter elsewhere: Whether the lowest free number is left to nobody.
    mutating func plug(_ name: String, elsewhere: Bool) throws(SystemFault) -> Int {
        // The kernel gives away the lowest number: somebody else has to have it for that moment.
        let other: Slot? = elsewhere ? Slot(try VirtualAdapter(isRaw: true)) : nil
        let slot = Slot(try VirtualAdapter())
        slots[name] = slot
        return withExtendedLifetime(other) { slot.adapter.index }
    }

    /// Takes an adapter out; whether there was one.
    mutating func unplug(_ name: String) -> Bool { slots.removeValue(forKey: name) != nil }

    func index(_ name: String) -> Int? { slots[name]?.adapter.index }
    func descriptor(_ name: String) -> Int32 { slots[name]?.adapter.descriptor ?? -1 }
    func receive(_ name: String) -> [UInt8]? { slots[name]?.adapter.receive() }
    func send(_ packet: [UInt8], to name: String) -> Bool { slots[name]?.adapter.send(packet) ?? true }
}
