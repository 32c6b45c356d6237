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
