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
        // struct winsize, which not every toolchain's Glibc module has: rows, columns, and both in pixels.
        var size: [UInt16] = [0, 0, 0, 0]
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size[1] > 0, size[0] > 0 else { return nil }
        return Size(columns: Int(size[1]), rows: Int(size[0]))
    }

    /// Shows what is typed, or hides it, as of a password (termios(3)). Does nothing without a terminal.
    public static func showTyping(_ isShown: Bool, _ descriptor: Int32 = 0) {
        var attributes = termios()
        guard unsafe tcgetattr(descriptor, &attributes) == 0 else { return }
        let echo = tcflag_t(ECHO)
        attributes.c_lflag = isShown ? attributes.c_lflag | echo : attributes.c_lflag & ~echo
        _ = unsafe tcsetattr(descriptor, TCSANOW, &attributes)
    }
}
