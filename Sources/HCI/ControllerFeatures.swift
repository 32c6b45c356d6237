/// The scanning features of a controller.
struct ControllerFeatures: Hashable, Sendable {
    /// True if it has the extended commands; such a controller rejects the older ones once the extended ones were used.
    var extended = false
    /// True if it receives LE Coded.
    var coded = false

    init(extended: Bool = false, coded: Bool = false) {
        self.extended = extended
        self.coded = coded
    }

    /// The names of the features in `info`.
    var names: [String] { (extended ? ["extended"] : []) + (coded ? ["coded"] : []) }

    /// Reads the answer to HCI_Read_Local_Supported_Commands (Core Vol 4 Part E 6.27): octet 37 bits 5 and 6 are the
    /// extended scan commands. The kernel chooses by the same two bits, and both choices must agree.
    mutating func receive(supportedCommands parameters: [UInt8]) {
        extended = parameters.count > 37 && parameters[37] & 0x60 == 0x60
    }

    /// Reads the answer to HCI_LE_Read_Local_Supported_Features (Core Vol 6 Part B 4.6): bit 11 is LE Coded PHY.
    mutating func receive(features parameters: [UInt8]) {
        coded = extended && parameters.count > 1 && parameters[1] & 0x08 != 0
    }
}
