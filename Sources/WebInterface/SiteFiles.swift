internal import Glibc
internal import System
internal import Web

/// The page's own files, read once at the start: a path is looked up in a table, never on the disk.
struct SiteFiles: Sendable {
    private struct File: Sendable {
        var type: String
        var tag: String
        var bytes: [UInt8]
    }

    /// The most bytes of all files, the most files, and the deepest folder.
    private static let sizeBound = 8 << 20, countBound = 500, depthBound = 4
    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8", "json": "application/json",
        "webmanifest": "application/manifest+json", "svg": "image/svg+xml", "png": "image/png",
        "ico": "image/x-icon", "woff2": "font/woff2", "txt": "text/plain; charset=utf-8",
    ]

    private var files: [[String]: File] = [:]

    /// Reads a folder with its subfolders. Names that begin with a dot, and files of other types, are left out.
    init(folder: String) throws(PageError) {
        var size = 0
        try read(folder, [], &size)
        guard files[["index.html"]] != nil else {
            throw PageError("the folder \(folder) of the page's files has no index.html: \(Self.mend)")
        }
    }

    /// The number of files.
    var count: Int { files.count }

    /// The answer to a request of a file.
    func answer(_ request: HTTPRequest) -> HTTPResponse {
        guard request.method == .get || request.method == .head else {
            return Problem(405, "This address takes GET, HEAD.", headers: [.init("Allow", "GET, HEAD")]).response
        }
        let path = request.target.path + (request.target.isFolder ? ["index.html"] : [])
        guard let file = files[path] else { return Problem(404, "There is no such file.").response }
        var headers: [HTTPResponse.Header] = [.init("ETag", file.tag), .init("Cache-Control", "no-cache")]
        let known = (request.headers["if-none-match"] ?? "").split(separator: ",").map { $0.drop { $0 == " " } }
        if known.contains(where: { $0 == file.tag }) { return HTTPResponse(304, headers: headers) }
        headers.append(.init("Content-Type", file.type))
        return HTTPResponse(200, headers: headers, body: file.bytes)
    }

    private static let mend = "set `files` to the folder that the package whereabouts-fuser or the image installs"

    private mutating func read(_ folder: String, _ path: [String], _ size: inout Int) throws(PageError) {
        guard let directory = unsafe opendir(folder) else {
            throw PageError(
                "the folder \(folder) of the page's files can't be read: "
                    + "\(SystemError(code: errno, context: "").reason): \(Self.mend)")
        }
        defer { _ = unsafe closedir(directory) }
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasPrefix(".") { continue }
            let file = "\(folder)/\(name)"
            var information = stat()
            guard unsafe stat(file, &information) == 0 else { continue }
            switch information.st_mode & S_IFMT {
            case S_IFDIR where path.count < Self.depthBound: try read(file, path + [name], &size)
            case S_IFREG: try add(file, path + [name], &size)
            default: continue
            }
        }
    }

    private mutating func add(_ file: String, _ path: [String], _ size: inout Int) throws(PageError) {
        let parts = (path.last ?? "").split(separator: ".")
        guard parts.count > 1, let type = parts.last.flatMap({ Self.types[String($0)] }) else { return }
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try WholeFile.read(file, bound: Self.sizeBound - size)
        } catch {
            throw PageError("a file of the page can't be read: \(error)")
        }
        guard files.count < Self.countBound else { throw PageError("the page has more than \(Self.countBound) files") }
        size += bytes.count
        files[path] = File(type: type, tag: EntityTag.text(of: bytes), bytes: bytes)
    }
}
