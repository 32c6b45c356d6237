internal import Advertising
internal import Bytes

/// A kind of transmitter that sends no beacon frame, recognized by company identifier or service UUID.
///
/// Phones, computers and the tags of closed finder networks surround a beacon. The class distinguishes them from
/// transmitters that can be registered as an item.
public enum TransmitterClass: String, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// A device of Apple's Find My network, with its owner's devices around it.
    case findMyNearOwner = "find_my_near_owner"
    /// A device of Apple's Find My network that is separated from its owner's devices.
    case findMySeparated = "find_my_separated"
    /// An Apple device that announces its state to others of the same owner ("Nearby Info" and "Nearby Action").
    case appleNearby = "apple_nearby"
    /// An Apple device that sends another Continuity message: AirDrop, earphones, Siri, AirPlay, Handoff, hotspot.
    case appleContinuity = "apple_continuity"
    /// A tag or phone of Google's Find Hub network; with its key it can be registered.
    case findHub = "find_hub"
    /// A tag of any network in the common form by which separated tags can be detected.
    case unwantedTracking = "dult"
    /// A Tile.
    case tile
    /// A Samsung SmartTag, or another tag of SmartThings Find.
    case smartTag = "smart_tag"
    /// A Samsung phone, watch or earphone that is offline.
    case samsungFind = "samsung_find"
    /// A phone with exposure notifications.
    case exposureNotification = "exposure_notification"
    /// A device of Google's Fast Pair.
    case fastPair = "fast_pair"
    /// A device that offers Google's Nearby connections, such as Quick Share.
    case googleNearby = "google_nearby"
    /// A device that is ready to be paired by Windows.
    case swiftPair = "swift_pair"
    /// A computer or console of Microsoft's Connected Devices Platform, such as Windows' nearby sharing.
    case microsoftDevice = "microsoft_device"

    /// The class of one advertisement: that of the first AD structure that has one; nil if none has.
    ///
    /// Allocates nothing. Structures before a malformed one count.
    public init?(data: Span<UInt8>) {
        var found: TransmitterClass?
        try? ADStructure.forEach(in: data) { type, payload in
            if found == nil { found = TransmitterClass(adType: type, payload: payload) }
        }
        guard let found else { return nil }
        self = found
    }

    /// The class of one AD structure; nil if it has none.
    public init?(adType: UInt8, payload: Span<UInt8>) {
        let found: TransmitterClass? =
            switch adType {
            case ADType.manufacturerData: Self.ofManufacturer(payload)
            case ADType.serviceData16: Self.ofService(payload)
            case ADType.incompleteServiceUUIDs16, ADType.completeServiceUUIDs16: Self.ofServiceList(payload)
            default: nil
            }
        guard let found else { return nil }
        self = found
    }

    /// A Boolean value that is true if the transmitter's identity is permanent, so that it may be registered by its
    /// address or its frames.
    ///
    /// The others change address and content within a day, though some use random addresses of the static kind.
    public var isRegistrable: Bool {
        switch self {
        case .tile, .fastPair, .swiftPair, .microsoftDevice: true
        case .findMyNearOwner, .findMySeparated, .appleNearby, .appleContinuity, .findHub, .unwantedTracking, .smartTag,
            .samsungFind, .exposureNotification, .googleNearby:
            false
        }
    }

    /// A name for people.
    public var title: String {
        switch self {
        case .findMyNearOwner: "Apple Find My, near its owner"
        case .findMySeparated: "Apple Find My, separated"
        case .appleNearby: "Apple device (Nearby)"
        case .appleContinuity: "Apple device (Continuity)"
        case .findHub: "Google Find Hub, no key"
        case .unwantedTracking: "finder tag (DULT)"
        case .tile: "Tile"
        case .smartTag: "Samsung SmartTag"
        case .samsungFind: "Samsung Find"
        case .exposureNotification: "Exposure Notification"
        case .fastPair: "Google Fast Pair"
        case .googleNearby: "Google Nearby"
        case .swiftPair: "Microsoft Swift Pair"
        case .microsoftDevice: "Microsoft device"
        }
    }
}

extension TransmitterClass {
    private static func ofManufacturer(_ data: Span<UInt8>) -> TransmitterClass? {
        guard data.count >= 3, let company = data.littleEndian(UInt16.self, at: 0) else { return nil }
        switch company {
        case 0x004C: return ofApple(data)
        case 0x0006: return ofMicrosoft(data)
        default: return nil
        }
    }

    /// Type and length of the message that follows the company identifier (Martin et al., "Handoff All Your Privacy", PoPETs
    /// 2019; Apple, "Find My Network Accessory Specification" R1, 5.1). iBeacons are type 0x02.
    private static func ofApple(_ data: Span<UInt8>) -> TransmitterClass? {
        guard data.count >= 4 else { return nil }
        switch (data[2], data[3]) {
        case (0x12, 0x19): return .findMySeparated
        case (0x12, _): return .findMyNearOwner
        case (0x0F, _), (0x10, _): return .appleNearby
        case (0x05, _), (0x07...0x0E, _): return .appleContinuity
        default: return nil
        }
    }

    /// The byte after the company identifier (Microsoft, "Bluetooth Swift Pair"; [MS-CDP] 2.2.2.2.3).
    private static func ofMicrosoft(_ data: Span<UInt8>) -> TransmitterClass? {
        switch data[2] {
        case 0x01: .microsoftDevice
        case 0x03: .swiftPair
        default: nil
        }
    }

    private static func ofService(_ data: Span<UInt8>) -> TransmitterClass? {
        guard let uuid = data.littleEndian(UInt16.self, at: 0) else { return nil }
        if uuid == Eddystone.serviceUUID {
            return FMDNFrame(serviceData: data.extracting(2..<data.count)) == nil ? nil : .findHub
        }
        return ofService(uuid)
    }

    private static func ofServiceList(_ list: Span<UInt8>) -> TransmitterClass? {
        var place = 0
        while let uuid = list.littleEndian(UInt16.self, at: place) {
            if let found = ofService(uuid) { return found }
            place += 2
        }
        return nil
    }

    /// The class of a member service UUID (Bluetooth Assigned Numbers 3.11, which names the company). Sources for their
    /// uses: 0xFD5A and 0xFD69 in Yu et al., "Privacy Analysis of Samsung's Crowd-Sourced Bluetooth Location Tracking
    /// System" (arXiv 2210.14702) and AirGuard's detection; 0xFD6F in Apple and Google, "Exposure Notification
    /// Bluetooth Specification" 1.2; 0xFE2C in Google, "Fast Pair Service"; 0xFCB2 in
    /// draft-ietf-dult-accessory-protocol; 0xFEF3 in google/nearby; 0xFEED, 0xFEEC and 0xFD84 are Tile's.
    private static func ofService(_ uuid: UInt16) -> TransmitterClass? {
        switch uuid {
        case 0xFD5A: .smartTag
        case 0xFD69: .samsungFind
        case 0xFD6F: .exposureNotification
        case 0xFD84, 0xFEEC, 0xFEED: .tile
        case 0xFE2C: .fastPair
        case 0xFEF3: .googleNearby
        case 0xFCB2: .unwantedTracking
        default: nil
        }
    }
}
