import Glibc
import Synchronization
import Web

/// Answers each path with another kind of answer, and counts what arrives.
final class TestHandler: HTTPHandler {
    let requests = Mutex<[HTTPRequest]>([])
    let source = CountingSource()

    func answer(_ request: HTTPRequest) -> HTTPAnswer {
        requests.withLock { $0.append(request) }
        switch request.target.path.first {
        case "stream": return .stream(EventStream(source: source))
        case "large": return .now(HTTPResponse(200, body: [UInt8](repeating: 0x61, count: 8 << 20)))
        case "delayed": return .delayed(HTTPResponse(200, body: Array("delayed".utf8)), by: .seconds(1))
        case "never": return .later(DeferredAnswer())
        case "later":
            let deferred = DeferredAnswer()
            inBackground {
                usleep(20_000)
                deferred.complete(HTTPResponse(200, body: Array("later".utf8)))
                deferred.complete(HTTPResponse(500))
            }
            return .later(deferred)
        case "soon":
            let deferred = DeferredAnswer()
            deferred.complete(HTTPResponse(200, body: Array("soon".utf8)))
            return .later(deferred)
        default:
            let text = "\(request.method.rawValue) \(request.target.path) \(request.peer) \(request.body.count)"
            return .now(HTTPResponse(200, headers: [.init("Content-Type", "text/plain")], body: Array(text.utf8)))
        }
    }

    func refuse(_ refusal: HTTPRefusal) -> HTTPResponse {
        HTTPResponse(refusal.status, headers: [.init("X-Refused", "yes")], body: Array(refusal.detail.utf8))
    }
}

/// A source that has an event for each call of `add`, and large ones on demand.
final class CountingSource: EventSource {
    struct State {
        var waiting: [String] = []
        var asked = 0
        var ended = 0
        var isOver = false
        var fills = false
    }

    let state = Mutex(State())

    func add(_ text: String) { state.withLock { $0.waiting.append(text) } }

    var isOver: Bool { state.withLock { $0.isOver } }

    func nextPiece(atMost bound: Int) -> EventPiece {
        state.withLock { state in
            state.asked += 1
            if state.isOver { return .end }
            if state.fills { return .events([UInt8](repeating: 0x3A, count: bound - 1) + [0x0A]) }
            guard !state.waiting.isEmpty else { return .nothing }
            return .events(Array("data: \(state.waiting.removeFirst())\n\n".utf8))
        }
    }

    func ended() { state.withLock { $0.ended += 1 } }
}

/// Runs a closure on a thread of its own, which ends with it.
func inBackground(_ body: @escaping @Sendable () -> Void) {
    final class Box: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var thread = pthread_t()
    pthread_create(
        &thread, nil,
        { context in
            Unmanaged<Box>.fromOpaque(context!).takeRetainedValue().body()
            return nil
        }, Unmanaged.passRetained(Box(body)).toOpaque())
    pthread_detach(thread)
}
