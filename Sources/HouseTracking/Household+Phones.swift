internal import Bytes
internal import RoomEstimation

extension Household {
    /// Sets the flag that an item is a phone or a watch, which advertises seldom while it is locked. Returns the
    /// time of silence after which it has left.
    @discardableResult
    public mutating func setPhone(_ item: String, _ isPhone: Bool) -> Duration {
        if !isPhone {
            phones.remove(item)
        } else if phones.count < Self.itemCapacity {
            phones.insert(item)
        }
        return awayAfter(item)
    }

    /// The time of silence after which an item has left.
    func awayAfter(_ item: String) -> Duration {
        guard !phones.isEmpty, phones.contains(item) else { return settings.awayAfter }
        return max(settings.awayAfter, Parameters.Household.phoneAwayAfter)
    }
}
