extension RandomAccessCollection where Index == Int {
    /// The index that separates the front from the elements behind it, in logarithmic time.
    ///
    /// - Parameter isInFront: true for a number of elements at the beginning, and false for all behind them.
    @inlinable
    public func partitionPoint(where isInFront: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if isInFront(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
