import Bytes
import Support
import Testing

@testable import WebInterface

/// A viewer is a position on the board: however slow it is, it ends with the newest value of each topic.
struct BoardTests {
    private static func json(_ text: String) -> [UInt8] { Array(text.utf8) }

    private static func elements(
        _ state: BoardState, after number: UInt64 = 0, _ selection: TopicSelection = .standard
    ) -> String {
        String(
            decoding: state.changes(after: number, selection, bytes: 1 << 20, steps: 1 << 20).elements, as: UTF8.self)
    }

    @Test func givesTheNewestValueOfEachTopic() {
        var state = BoardState()
        let changes = [("a", "1"), ("b", "2"), ("a", "3"), ("a", "3")].map { state.set($0, Self.json($1)) }
        #expect(changes == [true, true, true, false])
        let removal = state.set("c", nil)
        #expect(!removal)
        #expect(Self.elements(state) == #"["b",2],["a",3]"#)
        #expect(Self.elements(state, after: 2) == #"["a",3]"#)
        _ = state.set("b", nil)
        #expect(Self.elements(state, after: 2) == #"["a",3],["b",null]"#)
        #expect(state.count == 1 && state.value("b") == nil)
    }

    @Test func selectsByFilters() throws {
        var state = BoardState()
        for topic in ["items/keys/location", "items/keys/config", "levels/keys", "rooms/hall/occupancy"] {
            _ = state.set(topic, Self.json("1"))
        }
        let selection = try #require(TopicSelection("items/+/location,levels/keys"))
        #expect(Self.elements(state, selection) == #"["items/keys/location",1],["levels/keys",1]"#)
        #expect(selection.itemsOfLevels == ["keys"])
        #expect(!Self.elements(state).contains("levels"))
        #expect(TopicSelection("a/#/b") == nil && TopicSelection("") == nil && TopicSelection("a,,b") == nil)
        #expect(TopicSelection("levels/#")?.itemsOfLevels == [])
    }

    @Test func boundsItsLogAndItsTombstones() {
        var state = BoardState(topicBound: 100, tombstoneBound: 10)
        for number in 0..<100_000 { _ = state.set("t\(number % 50)", Self.json("\(number)")) }
        #expect(state.logLength <= 2 * 50 + 1024 + 1)
        for number in 0..<40 { _ = state.set("t\(number)", nil) }
        #expect(state.tombstones <= 10 && state.floor > 0)
        // The places of forgotten topics are used again.
        for number in 0..<200 { _ = state.set("u\(number)", Self.json("1")) }
        #expect(state.count <= 100 && state.dropped > 0)
    }

    @Test(arguments: 0..<(LongProofs.areRequested ? 20 : 5) as Range<UInt64>)
    func leadsEveryReaderToTheSameState(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let board = Board(epoch: "00000000", state: BoardState(topicBound: 60, tombstoneBound: 8))
        var truth: [String: String] = [:]
        var readers = (0..<4).map { _ in StreamReading(board) }
        for step in 0..<3000 {
            let topic = "t\(Int.random(in: 0..<80, using: &random))"
            if Int.random(in: 0..<3, using: &random) == 0 {
                board.set(topic, nil)
                truth[topic] = nil
            } else {
                let value = "\(step)"
                // A topic for which there is no room is nobody's.
                if board.set(topic, Self.json(value)) { truth[topic] = value }
            }
            // Some read often, others seldom, and in small pieces.
            for index in readers.indices where Int.random(in: 0..<(1 << (2 * index)), using: &random) == 0 {
                readers[index].read(once: true)
            }
        }
        for index in readers.indices {
            readers[index].read(once: false)
            #expect(readers[index].state == truth)
        }
    }

    @Test func resumesWhereAReaderWas() {
        let board = Board(epoch: "0000abcd", state: BoardState(tombstoneBound: 4))
        for number in 0..<10 { board.set("t\(number)", Self.json("1")) }
        #expect(board.resumption(at: Board.Position("0000abcd-7")) == 7)
        #expect(board.resumption(at: Board.Position("0000abcd-11")) == nil)
        #expect(board.resumption(at: Board.Position("0000abce-7")) == nil)
        #expect(board.resumption(at: nil) == nil)
        for text in ["", "-", "0000abcd", "0000abcd-", "0000abcd--1", "0000abcd-7-", "0000abcd-99999999999999999999"] {
            #expect(Board.Position(text) == nil)
        }
        // A reader that missed a removal which is forgotten would show what is gone.
        for number in 0..<10 { board.set("t\(number)", nil) }
        #expect(board.resumption(at: Board.Position("0000abcd-7")) == nil)
    }

    @Test func listsNamesInPages() {
        let board = Board()
        for name in ["keys", "cat", "phone", "bag"] {
            board.set("items/\(name)/location", Self.json("{}"))
            board.set("items/\(name)/config", Self.json("[]"))
        }
        let first = board.page(of: "items", after: nil, limit: 3)
        #expect(first.entries.map(\.name) == ["bag", "cat", "keys"] && !first.isLast)
        #expect(first.entries[0].values.map(\.kind) == ["config", "location"])
        let second = board.page(of: "items", after: "keys", limit: 3)
        #expect(second.entries.map(\.name) == ["phone"] && second.isLast)
        board.set("items/cat/location", nil)
        #expect(board.page(of: "items", after: nil, limit: 9).entries.count == 4)
        board.set("items/cat/config", nil)
        #expect(board.page(of: "items", after: nil, limit: 9).entries.map(\.name) == ["bag", "keys", "phone"])
    }

    @Test(arguments: ["{", "{} {}", "nul", "\"a\nb\"", "[1,]", "\"\u{0}\"", "1 \n\n data: x", ""])
    func refusesWhatIsNoJSON(_ text: String) {
        #expect(BoardValue.json(Array(text.utf8)) == nil)
    }

    @Test func keepsAValueOnOneLine() {
        #expect(BoardValue.json(Array("{\r\n\"a\":\n1}".utf8)) == Array("{  \"a\": 1}".utf8))
        #expect(BoardValue.text(Array("on\"line\n".utf8)) == Array(#""on\"line\u000a""#.utf8))
        #expect(BoardValue.text([0xFF]) == nil)
    }

    @Test func makesLevelsOnlyWhileSomebodyFollows() {
        let board = Board()
        #expect(!board.isFollowed(levelsOf: "keys"))
        let (one, two) = (board.follow(levelsOf: ["keys"]), board.follow(levelsOf: ["keys", "cat"]))
        board.set("levels/keys", Self.json("{}"))
        board.unfollow(levelsOf: one)
        #expect(board.isFollowed(levelsOf: "keys") && board.value("levels/keys") != nil)
        board.unfollow(levelsOf: two)
        #expect(!board.isFollowed(levelsOf: "keys") && board.value("levels/keys") == nil)
        #expect(board.follow(levelsOf: (0..<100).map { "i\($0)" }).count == Board.levelBound)
    }
}
