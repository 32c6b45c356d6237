internal import Glibc

/// The terminal of a descriptor.
public enum Terminal {
    /// Its size in characters.
    public struct Size: Hashable, Sendable {
        /// Characters a line.
        public var columns: Int
        /// Lines.
        public var rows: Int
    }

    /// True if a descriptor is a terminal (isatty(3)).
    public static func isAttached(_ descriptor: Int32 = 1) -> Bool { isatty(descriptor) == 1 }

    /// The current size; nil without a terminal, or if it is unknown (ioctl_tty(2), TIOCGWINSZ).
    public static func size(_ descriptor: Int32 = 1) -> Size? {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return nil
        }
        return Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }
}
