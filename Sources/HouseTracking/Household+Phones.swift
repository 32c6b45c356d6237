internal import RoomEstimation

extension Household {
    /// Sets the flag that an item is a phone or a watch, which advertises seldom while it is locked. Returns the
    /// microseconds of silence after which it has left.
    @discardableResult
    public mutating func setPhone(_ item: String, _ isPhone: Bool) -> Int64 {
        if !isPhone {
            phones.remove(item)
        } else if phones.count < Self.itemCapacity {
            phones.insert(item)
        }
        return awayAfter(item)
    }

    /// Microseconds of silence after which an item has left.
    func awayAfter(_ item: String) -> Int64 {
        guard !phones.isEmpty, phones.contains(item) else { return settings.awayAfter }
        return max(settings.awayAfter, Parameters.Household.phoneAwayAfter)
    }
}
