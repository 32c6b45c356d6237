/// Parts of a whole in readable form.
enum Percent {
    /// Shares in whole hundredths whose sum is that of the shares, rounded: the ones that are cut most are rounded up.
    static func shares(_ shares: [Double]) -> [Int] {
        let exact = shares.map { max(0, $0) * 100 }
        var parts = exact.map { Int($0) }
        let missing = Int(exact.reduce(0, +).rounded()) - parts.reduce(0, +)
        let order = exact.indices.sorted { (exact[$1] - Double(parts[$1]), $0) < (exact[$0] - Double(parts[$0]), $1) }
        for index in order.prefix(max(0, missing)) { parts[index] += 1 }
        return parts
    }
}
