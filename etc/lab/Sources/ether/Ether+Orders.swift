import Advertising
import Bytes
import Radio

extension Ether {
    /// What can be ordered. `NAME` is a controller's.
    static let orders = """
        NAME add [kind=legacy|extended|classic] [coded] [address=AA:…] [sets=N]   made and plugged in
        NAME unplug | NAME plug [elsewhere]       taken out; plugged in, as another number if ordered
        NAME address AA:…                         another address from the next plug on
        NAME beacons COUNT [rate=R] [per=M] [level=DBM] [half-coded]
                                                  that it alone hears: R reports a second, M an event; those of odd
                                                  numbers on the Coded PHY
        NAME rate R | NAME level DBM [BEACON] | NAME stop BEACON|all | NAME start BEACON|all
        NAME heard DBM                            how strongly others hear it
        NAME hang [until-reset] | NAME mute [until-reset] | NAME resume
                                                  answers nothing; answers but reports nothing; neither
        NAME error [CODE] | NAME event HEX | NAME malformed COUNT [seed=S]
        NAME state | end
        """

    /// Does what it is ordered: `ok` and what came of it, or `fault` and why not.
    mutating func obey(_ words: [Substring]) -> String {
        do {
            if words == ["end"] {
                isEnded = true
                return "ok"
            }
            guard words.count >= 2 else { throw SystemFault("an order is NAME VERB …, or end") }
            let name = String(words[0])
            let result = try obey(Order(verb: words[1], words: words.dropFirst(2)), of: name)
            if words[1] != "state" { tell(name, "ordered \(words.dropFirst().joined(separator: " "))") }
            return result.isEmpty ? "ok" : "ok \(result)"
        } catch {
            return "fault \(error)"
        }
    }

    private mutating func obey(_ order: Order, of name: String) throws(SystemFault) -> String {
        switch order.verb {
        case "add":
            models[name] = try Self.model(order, number: models.count)
            return try plug(name, elsewhere: false)
        case "plug": return try plug(name, elsewhere: order.has("elsewhere"))
        case "unplug":
            guard adapters.unplug(name) else { throw SystemFault("no \(name) is plugged in") }
            tell(name, "unplugged")
            return ""
        case "address":
            models[name]?.address = try Self.address(order.word(0, "an address"))
            return ""
        case "heard":
            air.set(level: try order.number(0, "a level"), ofSender: name)
            return ""
        default: break
        }
        guard let state = air.controllers[name]?.state else { throw SystemFault("there is no controller \(name)") }
        switch order.verb {
        case "state": return state + (adapters.index(name).map { " index=\($0)" } ?? " unplugged")
        case "error": give(name, air.controllers[name]!.hardwareError(order.has("0") ? 0 : 0x42))
        case "event":
            guard let bytes = Hex.bytes(try order.word(0, "the event")) else {
                throw SystemFault("event: no hexadecimal")
            }
            give(name, [0x04] + bytes)
        case "malformed":
            let seed: UInt64 = try order.number("seed", or: 1)
            for packet in air.controllers[name]!.malformedEvents(try order.number(0, "a count"), seed: seed) {
                give(name, packet)
            }
        default:
            // A closure can't throw typed through `change`: what it says is thrown here.
            let fault = air.change(name) { controller -> SystemFault? in
                do throws(SystemFault) {
                    try Self.change(&controller, order)
                    return nil
                } catch { return error }
            }
            if let fault = fault ?? nil { throw fault }
        }
        return ""
    }

    private static func change(_ controller: inout Controller, _ order: Order) throws(SystemFault) {
        switch order.verb {
        case "beacons":
            controller.setBeacons(
                count: try order.number(0, "a count"), rate: try order.number("rate", or: 10),
                reportsPerEvent: try order.number("per", or: 1), level: try order.number("level", or: -50),
                halfCoded: order.has("half-coded"))
        case "rate": controller.set(rate: try order.number(0, "a rate"))
        case "level":
            let level: Int8 = try order.number(0, "a level")
            controller.set(level: level, ofBeacon: try? order.beacon(1))
        case "stop", "start": controller.set(stopped: order.verb == "stop", beacon: try order.beacon(0))
        case "hang", "mute", "resume":
            (controller.isHung, controller.isMute) = (order.verb == "hang", order.verb == "mute")
            controller.isCuredByReset = order.has("until-reset")
        default: throw SystemFault("unknown order '\(order.verb)'")
        }
    }

    private mutating func give(_ name: String, _ packet: [UInt8]) {
        carryOut(.packet(packet), of: name)
    }

    /// A controller that is plugged in has lost all it knew, but its beacons go on.
    private mutating func plug(_ name: String, elsewhere: Bool) throws(SystemFault) -> String {
        guard let model = models[name] else { throw SystemFault("there is no controller \(name)") }
        guard adapters.index(name) == nil else { throw SystemFault("\(name) is plugged in") }
        if air.controllers[name] == nil { air.add(model, as: name) } else { air.renew(name, model) }
        let index = try adapters.plug(name, elsewhere: elsewhere)
        tell(name, "plugged index=\(index) kind=\(model.kind) address=\(model.address)")
        return "index=\(index)"
    }

    private static func model(_ order: Order, number: Int) throws(SystemFault) -> ControllerModel {
        guard let kind = ControllerModel.Kind(rawValue: order.text("kind") ?? "legacy") else {
            throw SystemFault("add: kind is legacy, extended or classic")
        }
        // Locally administered, and steady over runs.
        var address = DeviceAddress(0x02AA_EE00_0001 + UInt64(number), .public)
        if let text = order.text("address") { address = try Self.address(text) }
        return ControllerModel(
            kind: kind, coded: order.has("coded"), address: address, sets: try order.number("sets", or: 4))
    }

    private static func address(_ text: some StringProtocol) throws(SystemFault) -> DeviceAddress {
        guard let address = DeviceAddress(text) else { throw SystemFault("'\(text)' is no address") }
        return address
    }
}
