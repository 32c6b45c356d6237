import Bytes
import Configuration
import Web

@testable import WebInterface

/// A viewer that keeps what the events of its stream say.
struct StreamReading {
    /// The value of each topic as text.
    private(set) var state: [String: String] = [:]
    private(set) var resets = 0
    private(set) var isReady = false
    private let stream: BoardStream

    init(_ board: Board, after position: Board.Position? = nil) {
        stream = BoardStream(
            board, .standard, after: position,
            for: Visitor(user: "test", role: .viewer, means: .bearer(role: .viewer, peer: "test")))
    }

    /// Reads one small piece, or all that there is.
    mutating func read(once: Bool) {
        while case .events(let bytes) = stream.nextPiece(atMost: 1024 + 64) {
            for event in String(decoding: bytes, as: UTF8.self).split(separator: "\n\n") { take(event) }
            if once { return }
        }
    }

    private mutating func take(_ event: Substring) {
        let lines = event.split(separator: "\n")
        switch lines.first {
        case "event: reset":
            state = [:]
            resets += 1
        case "event: ready": isReady = true
        default:
            guard let data = lines.last?.dropFirst("data: ".count) else { return }
            var json = JSONReader(Array(data.utf8).span)
            do {
                try json.beginArray()
                while try json.nextElement() {
                    try json.beginArray()
                    _ = try json.nextElement()
                    let topic = try json.string()
                    _ = try json.nextElement()
                    state[topic] = json.null() ? nil : "\(try json.integer(Int.self))"
                    _ = try json.nextElement()
                }
            } catch {
                state = ["fault": "\(error)"]
            }
        }
    }
}
