public import Advertising
public import Bytes

/// A beacon frame of any format that this package supports. It holds no references.
///
///     BeaconFrame.decode(data: advertisement) { frame in … }
public enum BeaconFrame: Hashable, Sendable, BitwiseCopyable {
    /// An iBeacon.
    case iBeacon(IBeacon)
    /// An AltBeacon.
    case altBeacon(AltBeacon)
    /// An Eddystone-UID frame.
    case eddystoneUID(EddystoneUID)
    /// An Eddystone-URL frame.
    case eddystoneURL(EddystoneURL)
    /// An Eddystone-TLM frame in the clear.
    case eddystoneTLM(EddystoneTLM)
    /// An encrypted Eddystone-TLM frame.
    case eddystoneETLM(EddystoneETLM)
    /// An Eddystone-EID frame.
    case eddystoneEID(EddystoneEID)
    /// A frame of Google's Find Hub Network.
    case fmdn(FMDNFrame)
    /// A BTHome frame of version 2.
    case btHome(BTHome)
    /// A RuuviTag's readings in data format 5.
    case ruuviTag5(RuuviTag5)

    /// Reads one AD structure; nil if it holds no supported frame.
    public init?(adType: UInt8, payload: Span<UInt8>) {
        switch adType {
        case ADType.manufacturerData: self.init(manufacturerData: payload)
        case ADType.serviceData16:
            guard payload.count >= 2 else { return nil }
            if payload[0] == 0xAA, payload[1] == 0xFE {
                self.init(eddystoneServiceData: payload.extracting(2..<payload.count))
            } else {
                guard let frame = BTHome(service: payload) else { return nil }
                self = .btHome(frame)
            }
        default: return nil
        }
    }

    /// Reads manufacturer data that begins with the company identifier; nil if it is no supported frame.
    public init?(manufacturerData data: Span<UInt8>) {
        if let beacon = IBeacon(manufacturerData: data) {
            self = .iBeacon(beacon)
        } else if let beacon = AltBeacon(manufacturerData: data) {
            self = .altBeacon(beacon)
        } else if let readings = RuuviTag5(manufacturerData: data) {
            self = .ruuviTag5(readings)
        } else {
            return nil
        }
    }

    /// Reads the service data of UUID 0xFEAA, without the UUID; nil if it is no supported frame.
    public init?(eddystoneServiceData data: Span<UInt8>) {
        guard let type = data.byte(at: 0) else { return nil }
        switch type {
        case Eddystone.uid:
            guard let frame = EddystoneUID(serviceData: data) else { return nil }
            self = .eddystoneUID(frame)
        case Eddystone.url:
            guard let frame = EddystoneURL(serviceData: data) else { return nil }
            self = .eddystoneURL(frame)
        case Eddystone.tlm:
            if let frame = EddystoneTLM(serviceData: data) {
                self = .eddystoneTLM(frame)
            } else if let frame = EddystoneETLM(serviceData: data) {
                self = .eddystoneETLM(frame)
            } else {
                return nil
            }
        case Eddystone.eid:
            guard let frame = EddystoneEID(serviceData: data) else { return nil }
            self = .eddystoneEID(frame)
        case Eddystone.fmdn, Eddystone.fmdnProtection:
            guard let frame = FMDNFrame(serviceData: data) else { return nil }
            self = .fmdn(frame)
        default: return nil
        }
    }

    /// Passes each frame in the AD structures of one advertisement to the closure, in order. Allocates nothing.
    ///
    /// Returns the fault of the structures, or nil; frames in whole structures before the fault were passed.
    @discardableResult
    public static func decode(data: Span<UInt8>, _ body: (BeaconFrame) -> Void) -> AdvertisingFault? {
        do throws(AdvertisingFault) {
            try ADStructure.forEach(in: data) { type, payload in
                if let frame = BeaconFrame(adType: type, payload: payload) { body(frame) }
            }
            return nil
        } catch {
            guard let frame = EddystoneETLM(data: data, withFaultAt: error.offset) else { return error }
            body(.eddystoneETLM(frame))
            return nil
        }
    }

    /// The expected signal strength at one metre, in dBm; nil for frames that don't contain it.
    public var powerAtOneMetre: Int? {
        switch self {
        case .iBeacon(let frame): frame.powerAtOneMetre
        case .altBeacon(let frame): frame.powerAtOneMetre
        case .eddystoneUID(let frame): frame.powerAtOneMetre
        case .eddystoneURL(let frame): frame.powerAtOneMetre
        case .eddystoneEID(let frame): frame.powerAtOneMetre
        case .eddystoneTLM, .eddystoneETLM, .fmdn, .btHome, .ruuviTag5: nil
        }
    }

    /// The whole advertising data to send it: flags, and manufacturer data or service list and service data.
    public var advertisingData: [UInt8] {
        switch self {
        case .iBeacon(let frame): frame.advertisingData
        case .altBeacon(let frame): frame.advertisingData
        case .eddystoneUID(let frame): frame.advertisingData
        case .eddystoneURL(let frame): frame.advertisingData
        case .eddystoneTLM(let frame): frame.advertisingData
        case .eddystoneETLM(let frame): frame.advertisingData
        case .eddystoneEID(let frame): frame.advertisingData
        case .fmdn(let frame): frame.advertisingData
        case .btHome(let frame): frame.advertisingData
        case .ruuviTag5(let frame): frame.advertisingData
        }
    }

    /// Writes the frame as an object whose `type` names the format.
    public func write(to json: inout JSONWriter) {
        switch self {
        case .iBeacon(let frame): frame.write(to: &json)
        case .altBeacon(let frame): frame.write(to: &json)
        case .eddystoneUID(let frame): frame.write(to: &json)
        case .eddystoneURL(let frame): frame.write(to: &json)
        case .eddystoneTLM(let frame): frame.write(to: &json)
        case .eddystoneETLM(let frame): frame.write(to: &json)
        case .eddystoneEID(let frame): frame.write(to: &json)
        case .fmdn(let frame): frame.write(to: &json)
        case .btHome(let frame): frame.write(to: &json)
        case .ruuviTag5(let frame): frame.write(to: &json)
        }
    }
}
