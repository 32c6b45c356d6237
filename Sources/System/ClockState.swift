internal import CLinux
internal import Glibc

/// Whether something keeps the machine's clock (adjtimex(2)).
public enum ClockState {
    /// Whether the kernel was told that its clock is in step with others; nil where it may not be asked.
    public static func isSynchronized() -> Bool? {
        var state = timex()
        let result = unsafe adjtimex(&state)
        guard result >= 0 else { return nil }
        return result != TIME_ERROR && state.status & STA_UNSYNC == 0
    }
}
