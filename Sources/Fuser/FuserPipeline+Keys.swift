internal import Alerts
internal import HouseTracking
internal import Identity
internal import WireProtocol

/// Phones and watches, which items of an identity resolving key are: locked they say little, and aren't gone for that.
extension FuserPipeline {
    /// Notes how patient to be with an item, by what the registry says of it.
    mutating func notePatience(of item: String) {
        let isPhone = registry.book.entry(item)?.item?.key == .irk
        let awayAfter = household.setPhone(item, isPhone)
        alerts.setExitTime(awayAfter, of: item)
    }
}
