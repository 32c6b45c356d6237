/// The commands that these controllers know (Core Vol 4 Part E 7), by opcode.
enum Opcode: UInt16, CaseIterable {
    case setEventMask = 0x0C01
    case reset = 0x0C03
    case setEventFilter = 0x0C05
    case readLocalName = 0x0C14
    case writeAcceptTimeout = 0x0C16
    case readClass = 0x0C23
    case readVoiceSetting = 0x0C25
    case readInquiryCodeCount = 0x0C38
    case readInquiryCodes = 0x0C39
    case readLocalVersion = 0x1001
    case readSupportedCommands = 0x1002
    case readLocalFeatures = 0x1003
    case readBufferSize = 0x1005
    case readAddress = 0x1009

    case leSetEventMask = 0x2001
    case leReadBufferSize = 0x2002
    case leReadLocalFeatures = 0x2003
    case leSetRandomAddress = 0x2005
    case leSetAdvertisingParameters = 0x2006
    case leReadAdvertisingPower = 0x2007
    case leSetAdvertisingData = 0x2008
    case leSetScanResponseData = 0x2009
    case leSetAdvertisingEnable = 0x200A
    case leSetScanParameters = 0x200B
    case leSetScanEnable = 0x200C
    case leReadFilterListSize = 0x200F
    case leClearFilterList = 0x2010
    case leRandom = 0x2018
    case leReadSupportedStates = 0x201C

    case leSetSetRandomAddress = 0x2035
    case leSetExtendedAdvertisingParameters = 0x2036
    case leSetExtendedAdvertisingData = 0x2037
    case leSetExtendedScanResponseData = 0x2038
    case leSetExtendedAdvertisingEnable = 0x2039
    case leReadMaximumAdvertisingDataLength = 0x203A
    case leReadNumberOfSets = 0x203B
    case leRemoveSet = 0x203C
    case leClearSets = 0x203D
    case leSetExtendedScanParameters = 0x2041
    case leSetExtendedScanEnable = 0x2042

    /// Where Read Local Supported Commands tells it: octet and bit (Core Vol 4 Part E 6.27).
    var place: (octet: Int, bit: Int)? {
        switch self {
        case .setEventMask: (5, 6)
        case .reset: (5, 7)
        case .readLocalVersion: (14, 3)
        // Those of classic Bluetooth are asked for unseen.
        case .readSupportedCommands, .setEventFilter, .readLocalName, .writeAcceptTimeout, .readClass,
            .readVoiceSetting, .readInquiryCodeCount, .readInquiryCodes:
            nil
        case .readLocalFeatures: (14, 5)
        case .readBufferSize: (14, 7)
        case .readAddress: (15, 1)
        case .leSetEventMask: (25, 0)
        case .leReadBufferSize: (25, 1)
        case .leReadLocalFeatures: (25, 2)
        case .leSetRandomAddress: (25, 4)
        case .leSetAdvertisingParameters: (25, 5)
        case .leReadAdvertisingPower: (25, 6)
        case .leSetAdvertisingData: (25, 7)
        case .leSetScanResponseData: (26, 0)
        case .leSetAdvertisingEnable: (26, 1)
        case .leSetScanParameters: (26, 2)
        case .leSetScanEnable: (26, 3)
        case .leReadFilterListSize: (26, 6)
        case .leClearFilterList: (26, 7)
        case .leRandom: (27, 7)
        case .leReadSupportedStates: (28, 3)
        case .leSetSetRandomAddress: (36, 1)
        case .leSetExtendedAdvertisingParameters: (36, 2)
        case .leSetExtendedAdvertisingData: (36, 3)
        case .leSetExtendedScanResponseData: (36, 4)
        case .leSetExtendedAdvertisingEnable: (36, 5)
        case .leReadMaximumAdvertisingDataLength: (36, 6)
        case .leReadNumberOfSets: (36, 7)
        case .leRemoveSet: (37, 0)
        case .leClearSets: (37, 1)
        case .leSetExtendedScanParameters: (37, 5)
        case .leSetExtendedScanEnable: (37, 6)
        }
    }

    /// How many bytes of parameters it must have at least.
    var parameterLength: Int {
        switch self {
        case .setEventMask, .leSetEventMask: 8
        case .leSetRandomAddress: 6
        case .leSetAdvertisingParameters: 15
        case .leSetAdvertisingData, .leSetScanResponseData: 32
        case .leSetAdvertisingEnable, .leRemoveSet: 1
        case .leSetScanParameters: 7
        case .leSetScanEnable, .leSetExtendedAdvertisingEnable: 2
        case .leSetSetRandomAddress: 7
        case .leSetExtendedAdvertisingParameters: 25
        case .leSetExtendedAdvertisingData, .leSetExtendedScanResponseData: 4
        case .leSetExtendedScanParameters: 3
        case .leSetExtendedScanEnable: 6
        default: 0
        }
    }

    /// Which of the two families of commands it belongs to, that must not be mixed between resets
    /// (Core Vol 4 Part E 3.1.1); nil for neither.
    var family: Family? {
        switch self {
        case .leSetAdvertisingParameters, .leReadAdvertisingPower, .leSetAdvertisingData, .leSetScanResponseData,
            .leSetAdvertisingEnable, .leSetScanParameters, .leSetScanEnable:
            .legacy
        case .leSetSetRandomAddress, .leSetExtendedAdvertisingParameters, .leSetExtendedAdvertisingData,
            .leSetExtendedScanResponseData, .leSetExtendedAdvertisingEnable, .leReadMaximumAdvertisingDataLength,
            .leReadNumberOfSets, .leRemoveSet, .leClearSets, .leSetExtendedScanParameters, .leSetExtendedScanEnable:
            .extended
        default: nil
        }
    }

    enum Family { case legacy, extended }

    /// Whether a controller of this model knows it.
    func isKnown(to model: ControllerModel) -> Bool {
        if family == .extended { return model.kind == .extended }
        switch self {
        case .readBufferSize, .setEventFilter, .readLocalName, .writeAcceptTimeout, .readClass, .readVoiceSetting,
            .readInquiryCodeCount, .readInquiryCodes:
            return model.kind == .classic
        default: return rawValue < 0x2000 || model.kind != .classic
        }
    }
}

/// The error codes that these controllers answer with (Core Vol 1 Part F 1.3).
enum HCIStatus: UInt8 {
    case success = 0x00
    case unknownCommand = 0x01
    case memoryFull = 0x07
    case commandDisallowed = 0x0C
    case unsupportedParameter = 0x11
    case invalidParameters = 0x12
    case advertisingTimeout = 0x3C
    case unknownAdvertisingIdentifier = 0x42
    case limitReached = 0x43
}
