import BrokerSession
import Bytes
import Identity
import Support
import System
import Testing
import WireProtocol

@testable import Operator

@Suite("The file of a backup") struct BackupFileTests {
    static let small: BackupFile = {
        var file = BackupFile(BackupManifest(version: "1.2.3", at: Timestamp(microseconds: 1_795_248_000_123_000)))
        file.manifest.names = [.fuser: "main"]
        file.manifest.leftOut = ["/etc/whereabouts/password \"x\""]
        (file.manifest.salt, file.manifest.iterations) = ([1, 2, 3], 10)
        var state = BackupManifest.Part(kind: .state, program: .fuser, place: "fuser.sqlite")
        (state.schema, state.epoch, state.lastSeq) = (7, "0123abcd", 42)
        file.add(state, Array("the state\n".utf8))
        file.add(BackupManifest.Part(kind: .retained, program: nil, place: ""), [])
        file.add(BackupManifest.Part(kind: .configuration, program: .fuser, place: "/etc/fuser.yaml"), [0, 255, 10])
        return file
    }()

    @Test("Be read as it was written")
    func whole() throws {
        let file = try BackupFile(bytes: Self.small.bytes)
        #expect(file == Self.small)
        #expect(file.parts(.state).first?.bytes == Array("the state\n".utf8))
    }

    @Test("Be refused whole after every truncation, and with more behind it")
    func truncations() {
        let bytes = Self.small.bytes
        for count in bytes.indices {
            #expect(throws: BackupFault.self) { try BackupFile(bytes: Array(bytes[..<count])) }
        }
        #expect(throws: BackupFault.damaged) { try BackupFile(bytes: bytes + [0x0A]) }
        #expect(throws: BackupFault.damaged) { try BackupFile(bytes: bytes + bytes) }
    }

    @Test("Be refused whole after any mutation that changes it")
    func mutations() {
        let bytes = Self.small.bytes
        var random = SeededGenerator(seed: 34)
        var same = 0
        let count = LongProofs.areRequested ? 10_000 : 2000
        for round in 1...count {
            var other = bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: other.indices, using: &random)
                switch Int.random(in: 0...4, using: &random) {
                case 0: other[index] ^= 1 << UInt8.random(in: 0...7, using: &random)
                case 1: other[index] = UInt8.random(in: .min ... .max, using: &random)
                case 2: other.remove(at: index)
                case 3: other.insert(UInt8.random(in: .min ... .max, using: &random), at: index)
                default: other.swapAt(index, Int.random(in: other.indices, using: &random))
                }
            }
            let read = try? BackupFile(bytes: other)
            if other == bytes { same += 1 }
            #expect(read == (other == bytes ? Self.small : nil), "round \(round)")
        }
        print("\(count) mutations: \(count - same) refused, \(same) left the file as it was")
    }

    @Test("Say of another file that it is none, and of a newer one what to do")
    func foreign() {
        #expect(throws: BackupFault.foreign) { try BackupFile(bytes: []) }
        #expect(throws: BackupFault.foreign) { try BackupFile(bytes: Array("SQLite format 3\0".utf8)) }
        #expect(throws: BackupFault.newer(2)) { try BackupFile(bytes: Array("whereabouts backup 2\n".utf8)) }
        #expect(BackupFault.newer(2).description.contains("install a newer version"))
        #expect(throws: BackupFault.damaged) { try BackupFile(bytes: Array("whereabouts backup 02\n".utf8)) }
    }

    @Test("Seal secrets by a passphrase, each for its place")
    func seal() throws {
        let seal = BackupSeal(Secret("a passphrase"), salt: [1], iterations: 10)
        let sealed = seal.seal([1, 2, 3], place: "password")
        #expect(sealed.count == 3 + 12 + 16 && seal.seal([1, 2, 3], place: "password") != sealed)
        #expect(try seal.open(sealed, place: "password") == [1, 2, 3])
        #expect(throws: BackupFault.sealed) { try seal.open(sealed, place: "token") }
        let other = BackupSeal(Secret("another"), salt: [1], iterations: 10)
        #expect(throws: BackupFault.sealed) { try other.open(sealed, place: "password") }
        #expect(throws: BackupFault.sealed) { try seal.open([], place: "password") }
    }

    @Test("Name backups of a folder so that their order is that of time")
    func names() {
        #expect(
            BackupTarget.name(at: Timestamp(microseconds: 1_795_248_000_123_000))
                == "whereabouts-20261121-080000.backup")
    }

    @Test("Keep of a folder what has exactly such a name and is newest, and the one just written whatever its time")
    func surplus() {
        func name(_ time: String) -> String { "whereabouts-\(time).backup" }
        #expect(BackupTarget.isName(name("20261121-080000")))
        for other in ["2026112x-080000", "20261121-08000", "20261121_080000", "2026112-1080000", "20261121-080000-2"] {
            #expect(!BackupTarget.isName(name(other)), "\(other)")
        }
        let names = ["20260101-000000", "20270101-000000", "20280101-000000", "notes-of-2020-x"].map(name)
        func surplus(_ count: Int, _ written: String) -> [String] {
            BackupTarget.surplus(names, keeping: count, besides: name(written))
        }
        #expect(surplus(2, "20280101-000000") == [name("20260101-000000")])
        #expect(surplus(1, "20260101-000000") == [name("20270101-000000"), name("20280101-000000")])
        #expect(surplus(3, "20260101-000000").isEmpty)
    }
}

@Suite("What a broker retains, in a backup") struct RetainedHouseTests {
    private static let topics = Topics()
    private static let now = Timestamp(microseconds: 1_795_248_000_000_000)

    private func entry(_ id: String, _ name: String, at seconds: Double) -> Message {
        var item = Item(id: id)
        item.name = name
        // An entry without a beacon is refused.
        item.identities = [.address(UInt64(id.utf8.first ?? 0))]
        let change = ItemChange(ItemEntry(item, at: Self.now.advanced(bySeconds: seconds)))
        return Message(topic: Self.topics.itemConfig(id), payload: change.payload)
    }

    private func plan(_ revision: UInt64) -> Message {
        Message(
            topic: Self.topics.housePlan, payload: HousePlan(revision: revision, at: Self.now, by: "anna").payload)
    }

    @Test("Be read as it was written, and refused if it is truncated")
    func bytes() throws {
        let house = RetainedHouse([entry("keys", "Keys", at: 0), plan(3)], under: Self.topics)
        #expect(try RetainedHouse(bytes: house.bytes) == house && house.words == "1 item, 1 plan")
        for count in 1..<house.bytes.count {
            let read = try? RetainedHouse(bytes: Array(house.bytes.prefix(count)))
            #expect(read != house)
        }
    }

    @Test("Give a broker what is missing and what is older there, and nothing that is newer there")
    func merge() {
        let undone = Message(topic: Self.topics.lesson("keys-1"), payload: Array(#"{"v":1,"undone":true}"#.utf8))
        let house = RetainedHouse(
            [entry("a", "New", at: 9), entry("b", "Old", at: 0), entry("c", "C", at: 0), plan(3), undone],
            under: Self.topics)
        let picture = Message(topic: Self.topics.floorPicture("ground"), payload: [1])
        let there = RetainedHouse(
            [entry("a", "Old", at: 0), entry("b", "New", at: 9), plan(4), picture], under: Self.topics)
        let messages = house.messages(missingFrom: there, under: Topics(prefix: "other"), at: Self.now)
        #expect(messages.map(\.topic) == ["other/items/a/config", "other/items/c/config", "other/lessons/keys-1"])
        #expect(messages.allSatisfy { $0.retained })
        let all = house.messages(missingFrom: RetainedHouse(under: Self.topics), under: Self.topics, at: Self.now)
        #expect(all.count == 5)
        #expect(house.messages(missingFrom: house, under: Self.topics, at: Self.now).isEmpty)
    }
}
