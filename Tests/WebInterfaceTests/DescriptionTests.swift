import Bytes
import Foundation
import Testing
import Web

@testable import WebInterface

/// The description says what the routes do.
struct DescriptionTests {
    private static func document() throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(Description.document)) as? [String: Any])
    }

    @Test func describesEveryRoute() throws {
        let document = try Self.document()
        #expect(document["openapi"] as? String == "3.1.0")
        let paths = try #require(document["paths"] as? [String: [String: Any]])
        var described: Set<String> = []
        for (pattern, operations) in paths {
            for (method, _) in operations { described.insert("\(method.uppercased()) \(pattern)") }
        }
        #expect(described == Set(Router.routes.map { "\($0.method.rawValue) \($0.pattern)" }))
        #expect(described.count == Router.routes.count, "Two routes have one address.")
    }

    /// The bounds are those that the commands have.
    @Test func describesTheBoundsOfBodies() throws {
        let text = String(decoding: Description.document, as: UTF8.self)
        #expect(text.contains(#""for":{"type":"number","minimum":0,"maximum":2592000}"#))
        #expect(text.contains(#""for":{"type":"number","minimum":5,"maximum":1800}"#))
        #expect(text.contains(##""ibeacon":{"$ref":"#/components/schemas/UUIDBeacon"}"##))
    }

    @Test func namesEachOperationOnce() throws {
        let paths = try #require(try Self.document()["paths"] as? [String: [String: [String: Any]]])
        let names = paths.values.flatMap(\.values).compactMap { $0["operationId"] as? String }
        #expect(names.count == Router.routes.count && Set(names).count == names.count)
        for operation in paths.values.flatMap(\.values) {
            let responses = try #require(operation["responses"] as? [String: Any])
            #expect(responses.keys.contains { $0.hasPrefix("2") })
        }
    }
}
