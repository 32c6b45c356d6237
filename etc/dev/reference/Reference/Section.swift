/// A part of a page of the documentation that is made from the program.
public struct Section: Sendable {
    /// The name in a page's markers.
    public let name: String
    /// The Markdown that stands between them.
    public let text: String

    init(_ name: String, _ text: String) {
        (self.name, self.text) = (name, text)
    }

    /// The section between its markers, as a page holds it.
    public var marked: String {
        "<!-- begin \(name) : made by etc/dev/docs, do not edit -->\n\n\(text)\n<!-- end \(name) -->\n"
    }

    /// All sections.
    public static var all: [Section] { commands + configuration + topics + protocolCommands }
}
