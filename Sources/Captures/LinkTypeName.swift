/// The names of link-layer types that occur in captures and aren't supported.
enum LinkTypeName {
    /// The sentence about an unsupported link-layer type: the type, its position, and the remedy.
    static func refusal(of type: UInt32, at offset: Int64) -> String {
        let found = "link-layer type \(type)\(name(type).map { " (\($0))" } ?? "") at byte \(offset)"
        // The numbers of btsnoop begin at 1001.
        if (1001...2000).contains(type) {
            return found + ": expected Bluetooth HCI (1002, H4) or Linux monitor (2001) packets; record with btmon -w"
        }
        return found
            + ": expected Bluetooth HCI (187, 201), Linux monitor (254) or LE link-layer packets (251, 256, 272); "
            + "choose the Bluetooth interface when recording"
    }

    private static func name(_ type: UInt32) -> String? {
        switch type {
        case 0: "loopback"
        case 1: "Ethernet"
        case 101: "IP"
        case 105, 127: "Wi-Fi"
        case 113, 276: "any Linux interface"
        case 147...162: "private use"
        case 186, 189, 220, 249: "USB"
        case 192: "PPI"
        case 195, 215, 230, 283: "IEEE 802.15.4"
        case 255: "Bluetooth BR/EDR baseband"
        case 1001: "HCI without indicators"
        case 1003: "BCSP"
        case 1004: "three-wire H5"
        default: nil
        }
    }
}
