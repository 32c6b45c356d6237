/// The other sites of a page. The server's thread asks, and is answered at once.
public protocol SitesDirectory: Sendable {
    /// The figures of all sites, as JSON.
    var overview: [UInt8] { get }
    /// The items and persons of all sites that a text finds, as JSON; nil for a text without words, or a long one.
    func search(_ text: String) -> [UInt8]?
}
