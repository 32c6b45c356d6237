internal import Identity
internal import WireProtocol

/// The section `persons` of a fuser's file.
///
///     - {id: anna, name: Anna, items: [phone, watch, keys], must_have: [phone]}
///
/// The broker knows the registered items; that no item has a person's id is checked against the items file alone.
enum PersonsSection {
    static func getter(
        _ reader: ConfigurationReader, items: [Item]
    ) -> ConfigurationReader.Getter<[Person]> {
        { node in
            let registered = Set(items.map(\.id))
            var ids = UniqueNames("the person")
            var owners: [String: String] = [:]
            var mentions: [(id: String, position: ConfigurationPosition)] = []
            let person: ConfigurationReader.Getter<Person> = reader.map { map in
                let id = map.require("id", reader.newIdentifier)
                let name = map.read("name", reader.string)
                let member: ConfigurationReader.Getter<String> = { node in
                    guard let item = reader.identifier(node) else { return nil }
                    mentions.append((item, node.position))
                    if let owner = owners.updateValue(id ?? "", forKey: item) {
                        let whose = owner == id ? "is given twice" : "is an item of '\(owner)' already"
                        reader.fault(node.position, "'\(item)' \(whose): an item goes with one person")
                    }
                    return item
                }
                let items = map.require("items", reader.list(Person.itemBound, of: member))
                if items?.isEmpty == true { reader.fault(map.valuePlace("items"), "expected at least one item") }
                let needed: ConfigurationReader.Getter<String> = { node in
                    guard let item = reader.identifier(node) else { return nil }
                    guard let items, !items.contains(item) else { return item }
                    reader.fault(node.position, "'\(item)' is none of this person's items")
                    return nil
                }
                let mustHave = map.read("must_have", reader.list(Person.itemBound, of: needed))
                guard let id else { return nil }
                ids.registerName(id, at: map.place("id"), reader)
                if registered.contains(id) {
                    reader.fault(map.valuePlace("id"), "'\(id)' is an item's id; give the person another one")
                }
                return items.map { Person(id: id, name: name, items: $0, mustHave: mustHave ?? []) }
            }
            guard let persons = reader.list(Person.bound, of: person)(node) else { return nil }
            let known = Set(persons.map(\.id))
            for mention in mentions where known.contains(mention.id) {
                reader.fault(mention.position, "'\(mention.id)' is a person; a person has items alone")
            }
            return persons
        }
    }
}
