internal import Integrations

extension AccessRole {
    /// Its rights on the discovery topics of Home Assistant.
    func rules(_ places: [DiscoveryPlace]) -> [AccessRule] { places.flatMap(rules) }

    private func rules(_ place: DiscoveryPlace) -> [AccessRule] {
        switch self {
        case .node(let id, _, _, let regions):
            // Its retained messages are read back, entities of the older form too.
            let node = DiscoveryPlace.node(id)
            return [AccessRule(.both, place.device(node)), AccessRule(.read, place.birth)]
                + place.singles(ofNode: id, regions: regions).map { AccessRule(.both, $0) }
        case .fuser: return [AccessRule(.both, place.all), AccessRule(.read, place.birth)]
        case .operator: return [AccessRule(.both, place.all)]
        // It clears what its user deletes, and all else under its prefix is its own.
        case .homeAssistant: return [AccessRule(.both, "\(place.prefix)/#")]
        case .viewer, .offers, .admin: return []
        }
    }
}
