public import Advertising
public import BeaconFrames
public import Bytes

/// Resolution by keys, if the registry has any.
extension IdentityResolver {
    /// The identity of an Eddystone-EID or Find Hub frame; nil for others', and for other frames.
    public mutating func identity(of frame: BeaconFrame, at time: Timestamp) -> BeaconID? {
        switch frame {
        case .eddystoneEID(let frame): ring?.identity(of: frame, at: time)
        case .fmdn(let frame): ring?.identity(of: frame, at: time)
        case .iBeacon, .altBeacon, .eddystoneUID, .eddystoneURL, .eddystoneTLM, .eddystoneETLM, .btHome, .ruuviTag5:
            nil
        }
    }

    /// The decrypted frame of an item's report; nil if its contents can't be trusted.
    ///
    /// Plain frames are returned unchanged, except those of a device that has a key, present on this node or not:
    /// anybody can send them from its address.
    public mutating func open(
        _ frame: BeaconFrame, of item: String, from address: DeviceAddress, at time: Timestamp
    ) -> BeaconFrame? {
        let place = currentRegistry.place(ofItem: item).map { Int($0) }
        if let place, currentRegistry.items[place].key == .bthome {
            return ring?.open(frame, ofSensor: item, from: address, at: time).map { .btHome($0) }
        }
        switch frame {
        case .eddystoneETLM(let frame): return ring?.open(frame, of: item, at: time).map { .eddystoneTLM($0) }
        case .fmdn(let frame): return ring?.open(frame, of: item).map { .fmdn($0) }
        case .btHome(let frame): return frame.isEncrypted ? nil : .btHome(frame)
        case .iBeacon, .altBeacon, .eddystoneUID, .eddystoneURL, .eddystoneTLM, .eddystoneEID, .ruuviTag5: return frame
        }
    }

    /// The current problems with keys, by item.
    public mutating func findings(at time: Timestamp) -> [String: KeyFinding] { ring?.findings(at: time) ?? [:] }

    /// The state of keys to remember over a restart, as far as it has changed since the last call, by item.
    public mutating func takeKeyChanges() -> [String: KeyMemory] { ring?.takeChanges() ?? [:] }

    /// Marks the whole state as changed, as for a new store: the next ``takeKeyChanges()`` returns all of it.
    public mutating func rememberAllKeys() { ring?.rememberAll() }
}
