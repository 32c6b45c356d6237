internal import CommandLine
internal import Configuration
internal import Identity

/// The part of `whereabouts items add` for keys: the file is validated, and the key stays in it.
enum ItemsAddKey {
    private static let kinds: [(option: String, kind: Item.KeyKind, help: String)] = [
        ("--irk-file", .irk, "a phone or watch by its identity resolving key, which stays in the file"),
        ("--eid-file", .eid, "an Eddystone-EID beacon by its identity key and clock, which stay in the file"),
        ("--fmdn-file", .fmdn, "a Find Hub tag by its identity key and clock, which stay in the file"),
        ("--bthome-file", .bthome, "with --address: a BTHome device's bind key, which stays in the file"),
    ]

    static let names = kinds.map(\.option)
    static let options = kinds.map { CommandOption($0.option, .text("FILE"), help: $0.help) }

    /// Validates the file of a key, and sets the item's kind of key; returns the faults, one each.
    static func read(_ arguments: Arguments, into item: inout Item) -> [String] {
        var faults: [String] = []
        let given = kinds.filter { arguments.has($0.option) }
        if given.count > 1 { faults.append("give one of \(given.map(\.option).joined(separator: ", "))") }
        for (option, kind, _) in given {
            item.key = kind
            let file = SecretFile(path: arguments.text(option) ?? "")
            do throws(SecretFile.Problem) {
                if let exposure = file.exposure { throw exposure }
                let line = try file.line()
                do throws(ItemKeyText.Fault) {
                    _ = try ItemKeyText.key(line, kind)
                } catch {
                    faults.append("\(option): the file \(error.words)")
                }
            } catch {
                faults.append("\(option): the file \(error.sentence)")
            }
        }
        if item.key == .bthome, item.identities.isEmpty {
            faults.append("--bthome-file: give the device's --address, too")
        }
        return faults
    }

    /// Prints the place of the key's file: the registry does not carry it.
    static func printKeyFile(_ item: Item) {
        guard let kind = item.key else { return }
        var errors = StandardOutput(descriptor: 2)
        errors.line(
            "its key went nowhere: put the file as \(item.id).\(kind.rawValue) into the folder that 'keys' names on each "
                + "node (whereabouts items list tells which lack it)")
        errors.flush()
    }
}
