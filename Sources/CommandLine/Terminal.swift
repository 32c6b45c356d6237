internal import Glibc

/// The terminal that a descriptor leads to.
public enum Terminal {
    /// Its size in characters.
    public struct Size: Hashable, Sendable {
        /// Characters a line.
        public var columns: Int
        /// Lines.
        public var rows: Int
    }

    /// Whether a descriptor leads to a terminal (isatty(3)).
    public static func isAttached(_ descriptor: Int32 = 1) -> Bool { isatty(descriptor) == 1 }

    /// Its size at this moment; nil where there is no terminal, or it doesn't tell (ioctl_tty(2), TIOCGWINSZ).
    public static func size(_ descriptor: Int32 = 1) -> Size? {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return nil
        }
        return Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }
}
