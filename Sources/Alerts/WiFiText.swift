/// A Wi-Fi network as the text that phones read from a code: `WIFI:T:WPA;S:name;P:passphrase;H:true;;` (the form of
/// ZXing's "Barcode Contents", which Android and iOS read).
public enum WiFiText {
    /// The reason why there is no such text. It never repeats a passphrase.
    public enum Fault: Error, Hashable, Sendable, CustomStringConvertible {
        /// A name is 1 to 32 bytes (IEEE 802.11 section 9.4.2.2).
        case name
        /// A passphrase is 8 to 63 characters from space to `~`, or 64 hexadecimal digits (IEEE 802.11 section J.4.1).
        case passphrase

        /// The expected form.
        public var description: String {
            switch self {
            case .name: "a network's name has 1 to 32 bytes"
            case .passphrase: "a passphrase has 8 to 63 ASCII characters, or is 64 hexadecimal digits"
            }
        }
    }

    /// The text of a network; one without a passphrase is open.
    public static func encode(
        name: String, passphrase: String?, isHidden: Bool = false
    ) throws(Fault) -> String {
        guard (1...32).contains(name.utf8.count) else { throw .name }
        var text = "WIFI:T:\(passphrase == nil ? "nopass" : "WPA");S:"
        // A reader may interpret an unquoted name of hexadecimal digits as bytes; in quotes it is text.
        let looksHexadecimal = name.utf8.allSatisfy(isHexadecimal)
        text += looksHexadecimal ? "\"\(name)\"" : escapedText(name)
        text += ";"
        if let passphrase {
            guard isPassphrase(passphrase) else { throw .passphrase }
            text += "P:\(escapedText(passphrase));"
        }
        if isHidden { text += "H:true;" }
        return text + ";"
    }

    private static func isPassphrase(_ text: String) -> Bool {
        switch text.utf8.count {
        case 8...63: text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        case 64: text.utf8.allSatisfy(isHexadecimal)
        default: false
        }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20)
    }

    private static func escapedText(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", ";", ",", ":", "\"": result.unicodeScalars.append("\\")
            default: break
            }
            result.unicodeScalars.append(scalar)
        }
        return result
    }
}
