package import Configuration
internal import Web

/// `/api/items/import`: the items of a file, as the command `items import` reads it.
enum ImportResource {
    static let routes = [
        Route(
            method: .post, path: ["api", "items", "import"], role: .operator,
            summary:
                "Registers all items of a file, or shows what that would change. A file with a fault changes nothing.",
            parameters: [.init(name: "preview", kind: .boolean, meaning: "Publish nothing.")],
            body: .init(
                meaning: "A file as items export writes it, a table (text/csv), or a BeaconData.json.", keys: nil,
                required: [], content: .items), refusals: [409, 415, 503]
        ) { call throws(Problem) in
            let isPreview = try call.flag("preview")
            let document = ItemsDocument(call.request.body, form(of: call.request), file: "")
            if !isPreview, !document.faults.isEmpty { throw Problem(409, words(document.faults)) }
            return try call.ask(.importItems(ItemImport(document: document, isPreview: isPreview)))
        }
    ]

    /// The types of files.
    static let types = ["application/json", "application/yaml", "text/csv"]
    /// The most faults that one sentence names.
    private static let named = 5

    private static func form(of request: HTTPRequest) -> ItemsDocument.Form {
        switch request.mediaType {
        case "text/csv": .csv
        case "application/yaml": .yaml
        default: .json
        }
    }

    /// Faults as one sentence, each with its line.
    static func words(_ faults: [ConfigurationFault]) -> String {
        let words = faults.prefix(named).map { "line \($0.position.line): \($0.message)" }
        let more = faults.count > named ? ["and \(faults.count - named) more faults: see preview=true"] : []
        return "The file has faults, and nothing was registered: " + (words + more).joined(separator: "; ")
    }
}

extension PageRequest.Answer {
    /// A file has faults, each with its line (409).
    package static func faulty(_ faults: [ConfigurationFault]) -> Self { .conflict(ImportResource.words(faults)) }
}
