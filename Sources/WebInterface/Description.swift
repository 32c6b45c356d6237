internal import Bytes
internal import Configuration
internal import Web

/// The description of the interface (OpenAPI 3.1), made of the routes.
enum Description {
    static let routes = [
        Route(
            method: .get, path: ["api", "openapi.json"], role: nil, summary: "Describes this interface (OpenAPI 3.1)."
        ) { _ in .now(.json(document)) }
    ]

    static let document: [UInt8] = {
        var json = JSONWriter()
        write(Router.routes, to: &json)
        return json.bytes
    }()

    private static func write(_ routes: [Route], to json: inout JSONWriter) {
        json.beginObject()
        json.field("openapi", "3.1.0")
        json.beginObject("info")
        json.field("title", "Whereabouts")
        json.field("version", "1")
        json.field("description", "The topics of docs/protocol/topics.md and the commands of a fuser over HTTP.")
        json.endObject()
        json.beginObject("paths")
        var patterns: [String] = []
        for route in routes where !patterns.contains(route.pattern) { patterns.append(route.pattern) }
        for pattern in patterns {
            json.beginObject(pattern)
            for route in routes where route.pattern == pattern { write(route, to: &json) }
            json.endObject()
        }
        json.endObject()
        writeComponents(to: &json)
        json.endObject()
    }

    private static func write(_ route: Route, to json: inout JSONWriter) {
        json.beginObject(route.method.rawValue.lowercased())
        json.field("summary", route.summary)
        json.field("operationId", operation(route))
        writeParameters(route, to: &json)
        if let body = route.body { write(body, to: &json) }
        json.beginObject("responses")
        json.beginObject("\(route.success.status)")
        json.field("description", route.success.type == nil ? "It was done." : "The answer.")
        if let type = route.success.type {
            json.beginObject("content")
            json.beginObject(type)
            json.beginObject("schema")
            if type == "application/json" { json.field("type", "object") }
            json.endObject()
            json.endObject()
            json.endObject()
        }
        json.endObject()
        for status in refusals(of: route) {
            json.beginObject("\(status)")
            json.field("$ref", "#/components/responses/Problem")
            json.endObject()
        }
        json.endObject()
        json.beginArray("security")
        if route.role != nil {
            for scheme in ["session", "bearer"] {
                json.beginObject()
                json.beginArray(scheme)
                json.endArray()
                json.endObject()
            }
        }
        json.endArray()
        if let role = route.role { json.field("x-role", role.rawValue) }
        json.endObject()
    }

    /// The statuses of all refusals of a route, in order.
    static func refusals(of route: Route) -> [Int] {
        // A target that can't be read is refused anywhere.
        var statuses = Set(route.refusals).union([400])
        if route.role != nil { statuses.formUnion([401, 429]) }
        if route.role != nil, !route.method.isSafe || route.role != .viewer { statuses.insert(403) }
        if route.body != nil { statuses.formUnion([413]) }
        return statuses.sorted()
    }

    private static func operation(_ route: Route) -> String {
        let words = route.path.map { level in
            switch level {
            case .word(let word), .name(let word): word.filter { $0 != "." }
            }
        }
        return ([route.method.rawValue.lowercased()] + words).joined(separator: "_")
    }

    private static func writeParameters(_ route: Route, to json: inout JSONWriter) {
        json.beginArray("parameters")
        for case .name(let name) in route.path {
            write(name, in: "path", .id, "The id.", isRequired: true, to: &json)
        }
        for parameter in route.parameters {
            write(parameter.name, in: "query", parameter.kind, parameter.meaning, isRequired: false, to: &json)
        }
        json.endArray()
    }

    private static func write(
        _ name: String, in place: String, _ kind: Route.Kind, _ meaning: String, isRequired: Bool,
        to json: inout JSONWriter
    ) {
        json.beginObject()
        json.field("name", name)
        json.field("in", place)
        json.field("required", isRequired)
        json.field("description", meaning)
        writeSchema("schema", kind, to: &json)
        json.endObject()
    }

    /// Writes a schema (JSON Schema 2020-12) under a key.
    private static func writeSchema(_ key: String, _ kind: Route.Kind, to json: inout JSONWriter) {
        json.beginObject(key)
        switch kind {
        case .id:
            json.field("type", "string")
            json.field("pattern", "^[a-z0-9_-]{1,64}$")
        case .idOrNull:
            json.beginArray("type")
            for type in ["string", "null"] { json.value(type) }
            json.endArray()
            json.field("pattern", "^[a-z0-9_-]{1,64}$")
        case .text:
            json.field("type", "string")
            json.field("pattern", "^[^\\x00-\\x1f\\x7f]*$")
        case .integer(let range):
            json.field("type", "integer")
            json.field("minimum", range.lowerBound)
            json.field("maximum", range.upperBound)
        case .number(let range):
            json.field("type", "number")
            json.field("minimum", range.lowerBound, decimals: 3)
            json.field("maximum", range.upperBound, decimals: 3)
        case .boolean: json.field("type", "boolean")
        }
        json.endObject()
    }

    private static func write(_ body: Route.Body, to json: inout JSONWriter) {
        json.beginObject("requestBody")
        json.field("required", true)
        json.field("description", body.meaning)
        json.beginObject("content")
        if let content = body.content {
            for type in body.types {
                json.beginObject(type)
                json.field("schema", json: content == .plan ? PlanSchema.json : Array("{}".utf8))
                json.endObject()
            }
            return (0..<2).forEach { _ in json.endObject() }
        }
        json.beginObject("application/json")
        if let keys = body.keys {
            json.beginObject("schema")
            json.field("type", "object")
            json.beginObject("properties")
            for (key, kind) in keys.sorted(by: { $0.key < $1.key }) { writeSchema(key, kind, to: &json) }
            json.endObject()
            json.beginArray("required")
            for key in body.required { json.value(key) }
            json.endArray()
            json.field("additionalProperties", false)
            json.endObject()
        } else {
            json.field("schema", json: EntrySchema.json)
        }
        for _ in 0..<3 { json.endObject() }
    }

    private static func writeComponents(to json: inout JSONWriter) {
        json.beginObject("components")
        json.field("schemas", json: EntrySchema.parts)
        json.beginObject("securitySchemes")
        json.beginObject("session")
        json.field("type", "apiKey")
        json.field("in", "cookie")
        json.field("name", SessionCookie.name)
        json.endObject()
        json.beginObject("bearer")
        json.field("type", "http")
        json.field("scheme", "bearer")
        json.endObject()
        json.endObject()
        json.beginObject("responses")
        json.beginObject("Problem")
        json.field("description", "A problem (RFC 9457).")
        json.beginObject("content")
        json.beginObject("application/problem+json")
        json.beginObject("schema")
        json.field("type", "object")
        json.beginObject("properties")
        for (key, type) in [("type", "string"), ("title", "string"), ("status", "integer"), ("detail", "string")] {
            json.beginObject(key)
            json.field("type", type)
            json.endObject()
        }
        json.endObject()
        json.beginArray("required")
        for key in ["title", "status", "detail"] { json.value(key) }
        json.endArray()
        for _ in 0..<6 { json.endObject() }
    }
}
