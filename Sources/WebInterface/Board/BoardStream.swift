internal import Synchronization
internal import System
internal import Web

/// The events of one viewer: a position on the board.
final class BoardStream: EventSource {
    private struct State {
        /// The position to go on from; nil if a reset must be sent first.
        var seen: UInt64?
        /// The board's floor when the stream began, or began anew.
        var floor: UInt64
        var isReady = false
    }

    private let board: Board
    private let selection: TopicSelection
    private let visitor: Visitor
    private let isAdmitted: @Sendable () -> Bool
    private let followed: [String]
    private let state: Mutex<State>

    private static let ready = "event: ready\ndata: {}\n\n"

    /// A stream that goes on behind a position, if that is known; otherwise it begins with a reset.
    ///
    /// - Parameter isAdmitted: false as soon as the tokens are others than those by which the visitor was known.
    init(
        _ board: Board, _ selection: TopicSelection, after position: Board.Position?, for visitor: Visitor,
        while isAdmitted: @escaping @Sendable () -> Bool = { true }
    ) {
        self.board = board
        self.selection = selection
        self.visitor = visitor
        self.isAdmitted = isAdmitted
        followed = board.follow(levelsOf: selection.itemsOfLevels)
        if selection.asksForReception { board.followReception() }
        state = Mutex(State(seen: board.resumption(at: position), floor: board.floor))
    }

    var isOver: Bool { !isAdmitted() || !visitor.keepsStream(at: WallClock.now()) }

    func nextPiece(atMost bound: Int) -> EventPiece {
        guard !isOver else { return .end }
        return state.withLock { state in
            let bytes = nextEvents(&state, bound)
            return bytes.isEmpty ? .nothing : .events(bytes)
        }
    }

    func ended() {
        board.unfollow(levelsOf: followed)
        if selection.asksForReception { board.unfollowReception() }
    }

    private func nextEvents(_ state: inout State, _ bound: Int) -> [UInt8] {
        guard let start = state.seen else { return reset(&state) }
        var seen = start
        while true {
            let piece = board.piece(after: seen, selection, bytes: bound - 1024)
            guard seen >= piece.floor || state.floor == piece.floor else { return reset(&state) }
            seen = piece.upTo
            state.seen = seen
            if piece.isWhole || !piece.elements.isEmpty {
                var bytes = piece.elements.isEmpty ? [] : event(piece.elements, upTo: seen)
                if piece.isWhole, !state.isReady {
                    state.isReady = true
                    bytes += Self.ready.utf8
                }
                return bytes
            }
        }
    }

    private func reset(_ state: inout State) -> [UInt8] {
        (state.seen, state.floor, state.isReady) = (0, board.floor, false)
        return Array("event: reset\ndata: {\"epoch\":\"\(board.epoch)\"}\n\n".utf8)
    }

    private func event(_ elements: [UInt8], upTo number: UInt64) -> [UInt8] {
        let position = Board.Position(epoch: board.epoch, number: number)
        var bytes = Array("event: changes\nid: \(position.text)\ndata: [".utf8)
        bytes.reserveCapacity(bytes.count + elements.count + 3)
        bytes += elements
        bytes += [0x5D, 0x0A, 0x0A]
        return bytes
    }
}
