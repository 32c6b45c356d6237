/// The properties of a link-layer packet that a sniffer records beside its bytes.
public struct LinkLayerReception: Hashable, Sendable {
    /// The result of the sniffer's CRC check.
    public enum Check: Hashable, Sendable {
        /// Checked and right.
        case passed
        /// Checked and wrong.
        case failed
        /// Not checked: the receiver checks it if the packet contains it.
        case unchecked
    }

    /// The kind of PDU, as far as the sniffer distinguishes kinds.
    public enum Content: Hashable, Sendable {
        /// Not recorded: the access address determines the kind.
        case unspecified
        /// An extended advertising PDU on a secondary channel.
        case auxiliary(AuxiliaryPDU)
        /// A PDU of a connection or of an isochronous stream.
        case foreign
    }

    /// The channel index, 0...36 for secondary and 37...39 for primary advertising channels; nil if not recorded.
    public var channel: UInt8?
    /// The received signal strength in dBm; nil if not recorded.
    public var rssi: Int8?
    /// The PHY. Packets of LE Coded have a coding indicator after the access address.
    public var phy: PHY
    /// The result of the sniffer's CRC check.
    public var crc: Check
    /// The kind of PDU.
    public var content: Content
    /// The access address that the sniffer was tuned to, which may differ from the received one by bit errors.
    public var reference: UInt32?
    /// Still whitened, according to the sniffer: used only if the CRC proves the contrary.
    public var isWhitened: Bool

    /// The properties of a packet; the defaults are those of properties that are not recorded.
    public init(
        channel: UInt8? = nil, rssi: Int8? = nil, phy: PHY = .le1M, crc: Check = .unchecked,
        content: Content = .unspecified, reference: UInt32? = nil, isWhitened: Bool = false
    ) {
        self.channel = channel
        self.rssi = rssi
        self.phy = phy
        self.crc = crc
        self.content = content
        self.reference = reference
        self.isWhitened = isWhitened
    }
}

/// The PDUs that share one type number on secondary advertising channels (Core Vol 6 Part B 2.3.1 and 2.3.2).
public enum AuxiliaryPDU: UInt8, Hashable, Sendable {
    /// AUX_ADV_IND: an extended advertisement.
    case advertisement = 0
    /// AUX_CHAIN_IND: more data of the packet that points to it.
    case chain = 1
    /// AUX_SYNC_IND: periodic advertising.
    case periodic = 2
    /// AUX_SCAN_RSP: the response to AUX_SCAN_REQ.
    case scanResponse = 3
}
