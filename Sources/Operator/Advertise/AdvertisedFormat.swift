/// The beacon formats that `advertise` makes, by the words that name them in `decode` as well.
enum AdvertisedFormat: String, CaseIterable {
    case iBeacon = "ibeacon"
    case altBeacon = "altbeacon"
    case eddystoneUID = "eddystone-uid"
    case eddystoneURL = "eddystone-url"
    case eddystoneTLM = "eddystone-tlm"

    /// All words, for people.
    static var words: String { allCases.map(\.rawValue).joined(separator: ", ") }

    /// The options that must be given for it.
    var required: [String] {
        switch self {
        case .iBeacon, .altBeacon: ["--uuid", "--major", "--minor"]
        case .eddystoneUID: ["--namespace", "--instance"]
        case .eddystoneURL: ["--url"]
        case .eddystoneTLM: []
        }
    }

    /// The options that may be given for it, required ones included.
    var options: [String] {
        switch self {
        case .iBeacon: required + ["--power"]
        case .altBeacon: required + ["--power", "--company", "--mfg"]
        case .eddystoneUID, .eddystoneURL: required + ["--power"]
        case .eddystoneTLM: ["--battery-mv", "--temperature", "--advertisements", "--uptime"]
        }
    }
}
