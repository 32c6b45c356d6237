import Reference
import Testing

/// The page of configuration keys against the decoders: what is described is decoded, and the other way round.
@Suite struct ConfigurationKeysTests {
    @Test("The samples are free of faults", arguments: ConfigurationFile.allCases)
    func samples(_ file: ConfigurationFile) {
        for sample in file.samples { #expect(file.faults(sample).isEmpty) }
    }

    @Test("Every key that a decoder asks for is described, and no other", arguments: ConfigurationFile.allCases)
    func keys(_ file: ConfigurationFile) {
        let probe = ConfigurationProbe(file)
        let described = file.keys.map(\.path)
        #expect(Set(described).count == described.count)
        #expect(probe.known.subtracting(described).sorted() == [])
        #expect(Set(described).subtracting(probe.known).sorted() == [])
        // A map that no sample holds would hide its keys.
        #expect(probe.known.subtracting(probe.held).sorted() == [])
    }

    @Test("Every key has a type in the decoder's words", arguments: ConfigurationFile.allCases)
    func types(_ file: ConfigurationFile) {
        let probe = ConfigurationProbe(file)
        for key in file.keys { #expect(!probe.expectation(key.path).isEmpty, "\(key.path)") }
    }

    /// Values of keys that a sample can't do without, or whose value in the samples is the default.
    private static let others = [
        "node": "other", "name": "other", "room": "other", "source": "hci:hci7", "mqtt.url": "mqtts://other.lan",
        "mqtt.urls": "[\"mqtts://one.lan\", \"mqtts://other.lan\"]", "web.listen": "\"127.0.0.1:8100\"",
        "mqtt.key_file": "other.pem", "mqtt.certificate_file": "other.pem", "mqtt.psk_identity": "other",
        "mqtt.psk_file": "other", "web.certificate": "other.pem", "web.key": "other.pem",
        "mqtt.username": "other", "state": "other.sqlite",
        "history.postgres.connection": "host=other.lan", "rooms": "[{id: kitchen}, {id: hall}, {id: attic}]",
    ]
    /// No file is opened for the samples, and what these name is secret.
    private static let secrets: Set = ["web.token_file"]

    @Test("Every key is classified by the time at which it takes effect", arguments: [ConfigurationFile.agent, .fuser])
    func effects(_ file: ConfigurationFile) {
        let classified = file.classified
        #expect(Set(classified).count == classified.count)
        let described = Set(file.keys.map(\.path))
        #expect(Set(classified).subtracting(described).sorted() == [])
        for path in described.sorted() {
            let isMap = described.contains { $0.hasPrefix(path + ".") && !$0.hasPrefix(path + ".<") }
            #expect(file.effect(of: path) != nil || isMap, "\(path) is not classified")
        }
    }

    @Test("Another value is found as a change of its own key", arguments: [ConfigurationFile.agent, .fuser])
    func changes(_ file: ConfigurationFile) throws {
        let probe = ConfigurationProbe(file)
        for path in file.classified where !Self.secrets.contains(path) {
            let variants = probe.variants(path)
            #expect(!variants.isEmpty, "\(path)")
            let pairs =
                Self.others[path].map { value in
                    zip(variants, probe.variants(path, value: value)).map { ($0.with, $1.with) }
                } ?? variants.map { ($0.without, $0.with) }
            let changes = pairs.compactMap { file.changes(from: $0.0, to: $0.1) }
            #expect(changes.contains { $0.contains(path) }, "\(path): \(changes)")
            for sample in file.samples { #expect(file.changes(from: sample, to: sample) == []) }
        }
    }

    @Test("A described default is what an absent key means", arguments: ConfigurationFile.allCases)
    func defaults(_ file: ConfigurationFile) {
        let probe = ConfigurationProbe(file)
        for key in file.keys {
            let last = key.path.split(separator: ".").last.map(String.init) ?? ""
            if case .value(let value) = key.standard {
                for (without, with) in probe.variants(key.path, value: value) {
                    #expect(file.faults(with).isEmpty, "\(key.path): \(value)")
                    #expect(file.value(without) == file.value(with), "\(key.path): \(value)")
                }
            }
            var isRequired = false
            if case .required = key.standard { isRequired = true }
            for (without, _) in probe.variants(key.path) {
                let isMissed = file.faults(without).contains { $0 == "'\(last)' is missing" }
                // Either of two URLs will do.
                if last != "urls" { #expect(isMissed == isRequired, "\(key.path)") }
            }
        }
    }
}
