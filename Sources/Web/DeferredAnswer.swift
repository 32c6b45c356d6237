internal import Synchronization

/// An answer that any thread gives later. Without one within `HTTPLimits.answer` the client gets 504.
public final class DeferredAnswer: Sendable {
    private enum State {
        case open
        case awaited(@Sendable () -> Void)
        case given(HTTPResponse)
        case taken
    }

    private let state = Mutex(State.open)

    /// An answer that is not there yet.
    public init() {}

    /// Gives the answer; one that comes second, or too late, is dropped. Any thread may call it. Never blocks.
    public func complete(_ response: HTTPResponse) {
        let notify: (@Sendable () -> Void)? = state.withLock { state in
            switch state {
            case .open:
                state = .given(response)
                return nil
            case .awaited(let notify):
                state = .given(response)
                return notify
            case .given, .taken: return nil
            }
        }
        notify?()
    }

    /// Takes the answer, if it is there; otherwise `notify` is called by the thread that gives it.
    func take(orAwait notify: @escaping @Sendable () -> Void) -> HTTPResponse? {
        state.withLock { state in
            switch state {
            case .open, .awaited:
                state = .awaited(notify)
                return nil
            case .given(let response):
                state = .taken
                return response
            case .taken: return nil
            }
        }
    }
}
