internal import CLinux
internal import Glibc

/// The synchronization of the machine's clock (adjtimex(2)).
public enum ClockState {
    /// True if the kernel's clock is marked as synchronized; nil if the kernel can't be asked.
    public static func isSynchronized() -> Bool? {
        var state = timex()
        let result = unsafe adjtimex(&state)
        guard result >= 0 else { return nil }
        return result != TIME_ERROR && state.status & STA_UNSYNC == 0
    }
}
