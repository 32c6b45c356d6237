public import Advertising
public import BeaconFrames
public import Bytes

/// What is known by keys, while the registry has any.
extension IdentityResolver {
    /// Whose an Eddystone-EID or Find Hub frame is; nil for others', and for other frames.
    public mutating func identity(of frame: BeaconFrame, at time: Timestamp) -> BeaconID? {
        switch frame {
        case .eddystoneEID(let frame): ring?.identity(of: frame, at: time)
        case .fmdn(let frame): ring?.identity(of: frame, at: time)
        default: nil
        }
    }

    /// The frame in the clear that a report of an item held; nil where it tells nothing that is to be believed.
    ///
    /// Frames that nobody has encrypted are given as they are, but for those of a device that has a key, be it here or not:
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
        default: return frame
        }
    }

    /// What is wrong with keys at a moment, by item.
    public mutating func findings(at time: Timestamp) -> [String: KeyFinding] { ring?.findings(at: time) ?? [:] }

    /// What is to be known again of keys after a restart, as far as it has changed since the last call, by item.
    public mutating func takeKeyChanges() -> [String: KeyMemory] { ring?.takeChanges() ?? [:] }

    /// Lets the next ``takeKeyChanges()`` give all of it, as for a new store.
    public mutating func rememberAllKeys() { ring?.rememberAll() }
}
