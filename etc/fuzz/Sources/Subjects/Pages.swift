import Bytes
import Web
import WebInterface
import WireProtocol

/// The requests that a browser, or anybody else, may send to the page of a fuser.
enum Pages {
    /// A target is the same once it is written with escapes and read again.
    static func target(_ bytes: Span<UInt8>) -> Bool {
        guard let target = try? RequestTarget(array(bytes)) else { return false }
        precondition(
            !target.path.contains { $0.isEmpty || $0 == "." || $0 == ".." || $0.contains("/") }, "a path climbs")
        precondition(target.query.count <= RequestTarget.parameterBound, "too many parameters")
        var text = "/" + target.path.map(escaped).joined(separator: "/")
        if target.isFolder, !target.path.isEmpty { text += "/" }
        if !target.query.isEmpty {
            text += "?" + target.query.map { "\(escaped($0.key))=\(escaped($0.value))" }.joined(separator: "&")
        }
        precondition((try? RequestTarget(Array(text.utf8))) == target, "a target changes by being written")
        _ = target.query["topics"].flatMap(TopicSelection.init)
        _ = target.query["last"].flatMap(Board.Position.init)
        return true
    }

    /// A head as lines: method and target, then a field a line.
    static func head(_ bytes: Span<UInt8>) -> Bool {
        let limits = HTTPLimits()
        let lines = array(bytes).split(separator: 0x0A, omittingEmptySubsequences: false)
        let first = lines[0].split(separator: 0x20, maxSplits: 1)
        let fields = lines.dropFirst().map { line in
            let parts = line.split(separator: 0x3A, maxSplits: 1, omittingEmptySubsequences: false)
            return (name: Array(parts[0]), value: parts.count > 1 ? Array(parts[1]) : [])
        }
        let head: RequestHead
        do {
            head = try RequestHead(
                method: String(decoding: first.first ?? [], as: UTF8.self),
                target: first.count > 1 ? Array(first[1]) : [],
                fields: fields, limits)
        } catch {
            precondition((400..<600).contains(error.status) && !error.detail.isEmpty, "a refusal says nothing")
            return false
        }
        precondition(head.bodyLength >= 0, "a body of less than nothing")
        precondition(head.headers.count <= limits.headerCount && head.headers["transfer-encoding"] == nil)
        return true
    }

    /// A plan is the same once it is written and read again, to the millimetre.
    static func plan(_ bytes: Span<UInt8>) -> Bool {
        let plan: HousePlan
        do {
            plan = try HousePlan(payload: bytes)
        } catch {
            _ = "\(error)"
            return false
        }
        guard let again = try? HousePlan(payload: plan.payload.span) else {
            // Numbers are written to the millimetre: a picture of less has no size then, and text may grow by escapes.
            return plan.floors.contains { ($0.size.map { min($0.x, $0.y) } ?? 1) < 0.001 }
                || plan.payload.count > HousePlan.payloadLimit
        }
        precondition(again.rooms.map(\.id) == plan.rooms.map(\.id) && again.doors == plan.doors, "a plan loses rooms")
        precondition((try? HousePlan(payload: again.payload.span)) == again, "a plan changes by being written")
        let house = PageHouse(fuser: "main", version: "1", rooms: [], nodes: [], persons: []).drawn(by: plan)
        precondition(house.rooms.count == plan.rooms.count && house.nodes.count == plan.nodes.count)
        _ = house.yaml
        return true
    }

    private static func array(_ bytes: Span<UInt8>) -> [UInt8] { bytes.indices.map { bytes[$0] } }

    private static func escaped(_ text: String) -> String {
        text.utf8.reduce(into: "") { $0 += "%" + Hex.text([$1].span) }
    }

    // MARK: Seeds

    static var targetSeeds: [[UInt8]] {
        [
            "/", "/api/items?after=keys&limit=20", "/api/items/keys/history?from=1795248000.5&to=1795251600",
            "/events?topics=items/+/location,rooms/%23&last=5f1c09aa-17", "/js/views/live.js",
            "/api/lessons/current/keys/",
            "/caf%C3%A9?q=a+b%20c",
        ].map { Array($0.utf8) }
    }

    static var headSeeds: [[UInt8]] {
        [
            "GET /api/items\nHost: house\nCookie: whereabouts_session=abc\nLast-Event-ID: 5f1c09aa-17",
            "PUT /api/items/keys\nHost: a\nContent-Type: application/json\nContent-Length: 120\nX-CSRF-Token: abc",
            "DELETE /api/plan/pictures/ground\nHost: a\nAuthorization: Bearer token\nIf-Match: \"7\"",
            "GET /\nhost: a\naccept: */*\naccept: text/html\nX-Ingress-Path: /api/hassio_ingress/abc",
        ].map { Array($0.utf8) }
    }

    static var planSeeds: [[UInt8]] {
        [
            #"{"v":1,"rev":7,"at":1795248000.123,"by":"anna","floors":[{"id":"ground","name":"Ground floor","picture":true,"#
                + #""metres":[11,7]}],"rooms":[{"id":"kitchen","name":"Kitchen","floor":"ground","polygon":[[0,0],[4,0],"#
                + #"[4,3],[0,3]]},{"id":"hall","floor":"ground","polygon":[[4,0],[5.6,0],[5.6,7]]}],"doors":[["kitchen","#
                + #""hall"]],"nodes":[{"id":"kitchen","x":0.5,"y":1.2,"z":1.4}]}"#,
            #"{"rev":0}"#, #"{"rev":1,"rooms":[{"id":"den","name":null,"polygon":[]}]}"#,
        ].map { Array($0.utf8) }
    }
}
