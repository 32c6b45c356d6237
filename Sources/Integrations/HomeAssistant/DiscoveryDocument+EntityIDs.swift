extension DiscoveryDocument {
    /// The most characters of a name in an entity id.
    static let entityNameBound = 64

    /// The default for the id of an entity: its device's name and its own, in the form for people.
    ///
    /// Home Assistant makes it valid (`slugify`: `Küche Occupancy` becomes `kuche_occupancy`) and unique when it
    /// registers the entity; later names don't change the id. Without a default it begins with the area as well from
    /// 2026 on: `living_living_room_occupancy`. Releases before 2025.10 ignore the key
    /// (home-assistant.io/integrations/mqtt, `default_entity_id`; home-assistant/core#151775).
    func defaultEntityID(of component: DiscoveryComponent) -> String {
        let name = (entityName ?? name).prefix(Self.entityNameBound)
        return "\(component.platform.rawValue).\(name)\(component.name.map { " \($0)" } ?? "")"
    }

    /// The beginning of the entity ids if the name is unsuitable; nil if it is suitable.
    ///
    /// - Parameters:
    ///   - name: the name for people.
    ///   - id: the id, unique within its kind.
    ///   - isShared: true if another object of its kind has the same name.
    static func entityName(_ name: String, id: String, isShared: Bool = false) -> String? {
        // Home Assistant would make `unknown` of a name without letters or digits.
        let isReadable = name.contains { $0.isLetter || $0.isNumber }
        return isReadable && !isShared ? nil : Self.name(of: id)
    }
}
