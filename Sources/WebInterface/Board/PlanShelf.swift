internal import Bytes
internal import Synchronization
internal import Web
public import WireProtocol

/// The plan of the house and the pictures of its floors, for the server's thread. The fuser's thread puts them there.
public final class PlanShelf: Sendable {
    private struct State {
        var plan: [UInt8]
        var revision: UInt64 = 0
        var yaml = ""
        var pictures: [String: Picture] = [:]
    }

    /// The picture of a floor.
    struct Picture: Sendable {
        var kind: FloorPicture
        var tag: String
        var bytes: [UInt8]
    }

    private let state: Mutex<State>

    /// A shelf without a plan, which stands there as one without rooms.
    public init() {
        let empty = HousePlan(revision: 0, at: Timestamp(microseconds: 0), by: "-")
        state = Mutex(State(plan: empty.payload))
    }

    /// Puts the plan in force, and the house that it makes.
    public func set(_ plan: HousePlan?, _ house: PageHouse) {
        let (payload, yaml) = (plan?.payload, house.yaml)
        state.withLock { state in
            if let plan, let payload { (state.plan, state.revision) = (payload, plan.revision) }
            state.yaml = yaml
        }
    }

    /// Puts the picture of a floor; removes it if it is empty. False for bytes that are no picture, or one floor too many.
    @discardableResult
    public func set(picture bytes: [UInt8], of floor: String) -> Bool {
        guard !bytes.isEmpty else {
            state.withLock { $0.pictures[floor] = nil }
            return true
        }
        guard let kind = FloorPicture(bytes) else { return false }
        let picture = Picture(kind: kind, tag: EntityTag.text(of: bytes), bytes: bytes)
        return state.withLock { state in
            guard state.pictures[floor] != nil || state.pictures.count < HousePlan.floorLimit else { return false }
            state.pictures[floor] = picture
            return true
        }
    }

    /// The plan as JSON, and its revision.
    var plan: (bytes: [UInt8], revision: UInt64) { state.withLock { ($0.plan, $0.revision) } }
    /// The sections of a configuration that say the same.
    var yaml: String { state.withLock { $0.yaml } }
    /// The picture of a floor; nil for none.
    func picture(of floor: String) -> Picture? { state.withLock { $0.pictures[floor] } }
}
