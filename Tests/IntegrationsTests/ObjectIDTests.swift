import Integrations
import Testing

@Suite("Ids for discovery topics")
struct ObjectIDTests {
    @Test("keep a valid id", arguments: ["whereabouts", "keys", "a-b_c", "Kitchen2"])
    func stays(text: String) { #expect(ObjectID(text).description == text) }

    @Test("make a unique id for an invalid one")
    func own() {
        let ids = ["home/whereabouts", "home.whereabouts", "home_whereabouts", "küche", ""].map {
            ObjectID($0).description
        }
        #expect(Set(ids).count == ids.count)
        #expect(ids[0].hasPrefix("home_whereabouts_"))
        for id in ids { #expect(id.wholeMatch(of: /[a-zA-Z0-9_-]+/) != nil) }
    }
}
