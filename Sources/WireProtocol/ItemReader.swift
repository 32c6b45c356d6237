internal import Advertising
public import Bytes
public import Identity

/// Reads one item's object and collects every fault instead of stopping at the first.
///
/// Only text that isn't JSON at all ends the reading early.
public struct ItemReader: Sendable {
    /// The longest name, in bytes.
    public static let nameLimit = 128
    /// The valid range of a corrected measured power, in dBm at one metre.
    public static let powers = -100...0
    /// The valid range of dates, in Unix seconds: up to the year 2100, which detects milliseconds given for seconds.
    static let dates = 0.0...4_102_444_800.0
    /// Keys that other systems use for secrets; they are never accepted over a topic.
    static let secrets: Set<String> = [
        "irk", "irk_file", "eid", "eid_key", "fmdn", "fmdn_key", "eik", "bthome", "bindkey", "bind_key", "bthome_key",
        "key_file", "secret",
    ]
    /// The keys of identities.
    static let identityKeys = ["ibeacon", "altbeacon", "eddystone_uid", "address", "key"]

    /// The faults, in the order of detection.
    public internal(set) var faults: [ItemFault] = []
    /// The entry; nil if it has faults.
    public private(set) var change: ItemChange?
    private let expected: String?
    private var item = Item(id: "")
    private var id: String?
    private var at: Timestamp?
    private var removed: Timestamp?
    /// The source of suggested ids, with those that were suggested.
    public private(set) var suggestions: IdentifierSuggestions

    /// A reader of an entry whose topic names `id`, or of an element of a list that names it itself.
    ///
    /// - Parameter suggestions: The source of suggested ids for an element with an invalid one.
    public init(id: String?, suggestions: IdentifierSuggestions = IdentifierSuggestions()) {
        expected = id
        self.id = id
        self.suggestions = suggestions
    }

    /// Reads the next object.
    @_lifetime(json: copy json)
    public mutating func read(_ json: inout JSONReader) throws(JSONFault) {
        let start = json.offset
        var given: Set<String> = []
        try json.beginObject()
        while let key = try json.nextKey() {
            given.insert(key)
            try value(of: key, &json)
        }
        finish(given, start)
    }

    /// Reads the next value if it is an object; anything else is recorded as a fault and skipped.
    @_lifetime(json: copy json)
    public mutating func readElement(_ json: inout JSONReader) throws(JSONFault) {
        if try isNext("{", "", "an object", &json) { try read(&json) }
    }

    /// Records a fault.
    public mutating func recordFault(_ key: String, _ message: String, at offset: Int) {
        faults.append(ItemFault(key, message, at: offset))
    }

    private mutating func finish(_ given: Set<String>, _ start: Int) {
        if id == nil, !given.contains("id") { faults.append(ItemFault("", "'id' is missing", at: start)) }
        if !given.contains("removed"), given.isDisjoint(with: Self.identityKeys) {
            let keys = Self.identityKeys.joined(separator: ", ")
            faults.append(ItemFault("", "an item needs one of \(keys)", at: start))
        }
        guard faults.isEmpty, let id else { return }
        item.id = id
        if let removed {
            change = ItemChange(id: id, content: .removed, at: removed)
        } else {
            change = ItemChange(id: id, content: .item(item.published), at: at)
        }
    }

    @_lifetime(json: copy json)
    private mutating func value(of key: String, _ json: inout JSONReader) throws(JSONFault) {
        switch key {
        case "id": try readID(&json)
        case "name": if let name = try name(key, &json) { item.name = name }
        case "tags": try readTags(&json)
        case "ibeacon":
            if let parts = try uuidParts(key, &json) {
                item.identities.append(.iBeacon(uuid: parts.uuid, major: parts.major, minor: parts.minor))
            }
        case "altbeacon":
            if let parts = try uuidParts(key, &json) {
                item.identities.append(.altBeacon(uuid: parts.uuid, major: parts.major, minor: parts.minor))
            }
        case "eddystone_uid": if let identity = try eddystone(key, &json) { item.identities.append(identity) }
        case "address":
            let offset = json.offset
            guard let text = try text(key, "a device address such as aa:bb:cc:dd:ee:ff", &json) else { return }
            if let address = DeviceAddress(text) {
                item.identities.append(.address(address.bits))
            } else {
                expected(key, "a device address such as aa:bb:cc:dd:ee:ff", text, offset)
            }
        case "key":
            let offset = json.offset
            let expectation = "one of \(Item.KeyKind.allCases.map(\.rawValue).joined(separator: ", "))"
            guard let text = try text(key, expectation, &json) else { return }
            item.key = Item.KeyKind(rawValue: text)
            // The value isn't repeated: it may be a key.
            if item.key == nil { faults.append(ItemFault(key, "expected \(expectation)", at: offset)) }
        case "expected_interval":
            let offset = json.offset
            guard let seconds = try number(key, "seconds from 0.01 to 3600", &json) else { return }
            guard (0.01...3600).contains(seconds) else {
                return expected(key, "seconds from 0.01 to 3600", "\(seconds)", offset)
            }
            item.expectedInterval = .microseconds(Int64((seconds * 1e6).rounded()))
        case "power":
            item.power = try integer(key, Self.powers, "dBm at one metre, a whole number", &json)
        case "at": at = try date(key, &json)
        case "removed": removed = try date(key, &json)
        case _ where Self.secrets.contains(key):
            faults.append(
                ItemFault(key, "keys never travel over a topic; name a file on the node instead", at: json.offset))
            try json.skip()
        default: try json.skip()
        }
    }

    @_lifetime(json: copy json)
    private mutating func readID(_ json: inout JSONReader) throws(JSONFault) {
        let offset = json.offset
        guard let text = try text("id", "an id", &json) else { return }
        if let expected, text != expected {
            faults.append(
                ItemFault("id", "is '\(Self.short(text))', but the topic is that of '\(expected)'", at: offset))
        } else if let fault = suggestions.complaint(about: text) {
            faults.append(ItemFault("id", fault, at: offset))
        } else {
            id = text
        }
    }

    @_lifetime(json: copy json)
    private mutating func readTags(_ json: inout JSONReader) throws(JSONFault) {
        let offset = json.offset
        guard try isNext("[", "tags", "a list of tags", &json) else { return }
        try json.beginArray()
        var tags: [String] = []
        while try json.nextElement() {
            let offset = json.offset
            guard let tag = try text("tags", "a tag", &json) else { continue }
            if let complaint = Self.complaint(id: tag, noun: "a tag") {
                faults.append(ItemFault("tags", complaint, at: offset))
                continue
            }
            // One tag beyond the bound suffices to report the excess.
            if tags.count <= Item.tagBound { tags.append(tag) }
        }
        if tags.count > Item.tagBound { faults.append(ItemFault("tags", "more than \(Item.tagBound)", at: offset)) }
        item.tags = tags
    }

    /// The reason why a text can't be an id, with a suggested id; nil if it can.
    public static func complaint(id: String, noun: String = "an id") -> String? {
        var suggestions = IdentifierSuggestions()
        return suggestions.complaint(about: id, noun: noun)
    }
}
