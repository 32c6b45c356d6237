/// What a lab asks of a controller beside its host.
extension Controller {
    /// Beacons that it alone hears while it scans, one after the other.
    ///
    /// - Parameters:
    ///   - count: How many; beacon `i` is an iBeacon of major 1 and minor `i`, and is heard at `level` − `i` mod 30.
    ///   - rate: Reports a second of all together.
    ///   - reportsPerEvent: How many reports are put in one event, as far as they fit.
    ///   - level: In dBm.
    ///   - halfCoded: Whether those of odd numbers send on the Coded PHY.
    public mutating func setBeacons(
        count: Int, rate: Double, reportsPerEvent: Int, level: Int8, halfCoded: Bool = false
    ) {
        beacons.set(
            count: count, rate: rate, reportsPerEvent: reportsPerEvent, level: level, halfCoded: halfCoded)
    }

    /// Another rate, in reports a second of all beacons together.
    public mutating func set(rate: Double) { beacons.set(rate: rate) }

    /// Another level in dBm, of one beacon or of all.
    public mutating func set(level: Int8, ofBeacon index: Int?) { beacons.set(level: level, of: index) }

    /// Silences a beacon or all, or lets them send again.
    public mutating func set(stopped: Bool, beacon index: Int?) { beacons.set(stopped: stopped, of: index) }

    /// So many events that no controller should send, with H4 indicators, as a seed orders them.
    public func malformedEvents(_ count: Int, seed: UInt64) -> [[UInt8]] {
        var malformed = Malformed(seed: seed)
        return (0..<max(0, count)).map { _ in malformed.next() }
    }

    /// Hardware Error (Core Vol 4 Part E 7.7.16).
    public func hardwareError(_ code: UInt8) -> [UInt8] { [0x04, 0x10, 1, code] }

    /// What it is doing, as words of the form `key=value`.
    public var state: String {
        let form = scanning.isEnabled ? "\(scanning.form)" : "off"
        let sending = sets.filter(\.value.isEnabled).keys.sorted().map(String.init).joined(separator: ",")
        return "scan=\(form) duplicates=\(scanning.filtersDuplicates ? "filtered" : "all") active=\(scanning.isActive)"
            + " hung=\(isHung) mute=\(isMute) heeded=\(isHeeded) reports=\(reports) commands=\(commands)"
            + " advertising=\(sending.isEmpty ? "off" : sending)"
    }

    /// Takes over what a lab ordered of the one before.
    mutating func inherit(_ old: Controller) {
        (beacons, reports) = (old.beacons, old.reports)
        (isHung, isMute, isCuredByReset) = (old.isHung, old.isMute, old.isCuredByReset)
        beacons.pause()
    }

    /// The reports of the beacons that are due.
    mutating func hearBeacons(at now: Nanoseconds) -> [Effect] {
        guard scanning.isEnabled, !isHung else { return [] }
        var effects: [Effect] = []
        while let transmissions = beacons.take(at: now) { effects += hear(transmissions) }
        return effects
    }
}
