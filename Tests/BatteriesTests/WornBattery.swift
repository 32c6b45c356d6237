import Bytes

/// A battery that is used up, by a model that the estimator does not know: an open voltage that bends at its end, and a
/// resistance that grows with the discharge and in the cold.
struct WornBattery {
    enum Kind { case coin, twoAlkaline }

    var kind: Kind
    /// The days that a new one lasts at this tag, and those that have passed at the begin.
    var life: Double
    var age: Double
    /// The place of the tag: indoors the nights are cool, outdoors a season gets colder, too.
    var isOutdoors: Bool
    var hasThermometer: Bool
    /// The differences between cells of one kind, in millivolts and as a share.
    var offset: Double
    var bend: Double
    /// The voltage below which the tag fails.
    var failure: Double
    /// The day on which it is replaced; nil for never.
    var replacedOn: Double?

    /// The days since the battery that is in the tag on a day was new.
    private func age(on day: Double) -> Double {
        guard let replacedOn, day >= replacedOn else { return age + day }
        return day - replacedOn
    }

    /// The temperature at a time in days.
    func celsius(at day: Double) -> Double {
        let night = Mathematics.sin(day * 2 * .pi)
        return isOutdoors ? 12 - 15 * day / 90 + 6 * night : 20.5 + 2.5 * night
    }

    /// The voltage at a time in days, without noise; nil once the tag has failed.
    func millivolts(at day: Double) -> Double? {
        let used = age(on: day) / life
        guard used < 1.2 else { return nil }
        let cold = max(0, 20 - celsius(at: day))
        let voltage: Double
        switch kind {
        case .coin:
            let open =
                3020 - 110 * used - 120 * Mathematics.pow(used, 6) - 520 * Mathematics.exp((used - 1) / (0.045 * bend))
            voltage = open - cold * (1.2 + 2.5 * used * used)
        case .twoAlkaline:
            let open =
                3180 - 500 * Mathematics.pow(used, 0.7) - 450 * used - 380 * Mathematics.exp((used - 1) / (0.06 * bend))
            voltage = open - cold * 1.5
        }
        let level = voltage + offset
        return level >= failure ? level : nil
    }

    /// The day, to a quarter, on which it fails within a time after `day`; nil if it lasts.
    func end(after day: Double, within limit: Double) -> Double? {
        var time = day
        while time < day + limit {
            // A cold night is survived if the tag comes back by day.
            if (0..<8).allSatisfy({ millivolts(at: time + Double($0) / 8) == nil }) { return time }
            time += 0.25
        }
        return nil
    }
}
