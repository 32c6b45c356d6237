/// The version of all three programs.
public enum Version {
    /// The version, such as `0.1.0` (semver.org).
    public static let current = "0.1.0"
}
