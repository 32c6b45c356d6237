/// The picture of a floor, retained on `house/pictures/<floor>` as the bytes of its file.
public enum FloorPicture: String, Sendable, CaseIterable {
    case png = "image/png"
    case jpeg = "image/jpeg"
    case webp = "image/webp"

    /// The most bytes of a picture: brokers take messages of 1 MB.
    public static let limit = 900_000

    /// The kind of a picture by its first bytes; nil for other content, and for what is too large.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.limit else { return nil }
        func has(_ text: String, at offset: Int) -> Bool {
            bytes.count >= offset + text.utf8.count && bytes[offset...].starts(with: text.utf8)
        }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), has("IHDR", at: 12) {
            self = .png
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if has("RIFF", at: 0), has("WEBP", at: 8) {
            self = .webp
        } else {
            return nil
        }
    }
}
