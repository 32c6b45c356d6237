extension DiscoveryDocument {
    /// Characters of a name that go into an entity id at most.
    static let entityNameBound = 64

    /// The default for the id of an entity: its device's name and its own, as people read them.
    ///
    /// Home Assistant makes a valid id of it (`slugify`: `Küche Occupancy` becomes `kuche_occupancy`), and one that is free,
    /// when it registers the entity; later names leave the id alone. Without a default it begins with the area as well from
    /// 2026 on: `living_living_room_occupancy`. Releases before 2025.10 ignore the key (home-assistant.io/integrations/mqtt,
    /// `default_entity_id`; home-assistant/core#151775).
    func defaultEntityID(of component: DiscoveryComponent) -> String {
        let name = (entityName ?? name).prefix(Self.entityNameBound)
        return "\(component.platform.rawValue).\(name)\(component.name.map { " \($0)" } ?? "")"
    }

    /// The name that the entity ids of something begin with where its own won't do; nil where that will.
    ///
    /// - Parameters:
    ///   - name: its name for people.
    ///   - id: its id, which nothing else of its kind has.
    ///   - isShared: whether something else of its kind has the same name.
    static func entityName(_ name: String, id: String, isShared: Bool = false) -> String? {
        // Of signs alone Home Assistant would make `unknown`.
        let isReadable = name.contains { $0.isLetter || $0.isNumber }
        return isReadable && !isShared ? nil : Self.name(of: id)
    }
}
