/// What a controller can do of scanning.
struct ControllerFeatures: Hashable, Sendable {
    /// Whether it takes the extended commands; a controller that does refuses the older ones once they were used.
    var extended = false
    /// Whether it hears LE Coded.
    var coded = false

    init(extended: Bool = false, coded: Bool = false) {
        self.extended = extended
        self.coded = coded
    }

    /// The words of `info`.
    var names: [String] { (extended ? ["extended"] : []) + (coded ? ["coded"] : []) }

    /// Takes the answer of HCI_Read_Local_Supported_Commands (Core Vol 4 Part E 6.27): octet 37 bits 5 and 6 are the
    /// extended scan commands. The kernel chooses by the same two bits, and the two must agree.
    mutating func take(supportedCommands parameters: [UInt8]) {
        extended = parameters.count > 37 && parameters[37] & 0x60 == 0x60
    }

    /// Takes the answer of HCI_LE_Read_Local_Supported_Features (Core Vol 6 Part B 4.6): bit 11 is LE Coded PHY.
    mutating func take(features parameters: [UInt8]) {
        coded = extended && parameters.count > 1 && parameters[1] & 0x08 != 0
    }
}
