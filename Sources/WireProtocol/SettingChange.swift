internal import Bytes

/// The change of one setting by a `set` command.
public enum SettingChange<Value: Hashable & Sendable>: Hashable, Sendable {
    /// It has this value from now on, which overrides the configuration file.
    case override(Value)
    /// Restores the value of the configuration file, requested by `null`.
    case restore

    /// Applies a change to a value that overrides the file; nil leaves the value as it is.
    static func apply(_ change: SettingChange?, to value: inout Value?) {
        switch change {
        case .override(let new): value = new
        case .restore: value = nil
        case nil: break
        }
    }
}

extension CommandValues {
    /// A change that `read` gives the value of; nil if the key is absent.
    func change<Value>(
        _ key: String, _ read: (String) throws(CommandFault) -> Value
    ) throws(CommandFault) -> SettingChange<Value>? {
        if isNull(key) { return .restore }
        return has(key) ? .override(try read(key)) : nil
    }
}

extension WireFields where Self: ~Escapable {
    /// A change: its value, or `null` to restore the value of the file. A setting that is not changed is left out.
    @_lifetime(self: copy self)
    mutating func change<Value>(
        _ key: String, _ change: inout SettingChange<Value>?,
        write: (Value, inout JSONWriter) -> Void, read: (inout JSONReader) throws(JSONFault) -> Value?
    ) throws(Fault) {
        try visitFields(key, &change) { change, json in
            guard let change else { return }
            json.key(key)
            switch change {
            case .override(let value): write(value, &json)
            case .restore: json.null()
            }
        } read: { json throws(JSONFault) in
            if json.null() { return .some(.restore) }
            return try read(&json).map { .some(.override($0)) }
        }
    }
}
