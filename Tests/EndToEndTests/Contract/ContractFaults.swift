import Foundation
import WireProtocol
import Support

/// The faults of the stage of a contract.
enum ContractFault: String, CaseIterable {
    case brokerKilled = "broker killed"
    case brokerStopped = "broker stopped"
    case brokerForgot = "broker killed, its store lost"
    case cutUp = "line cut upwards"
    case cutDown = "line cut downwards"
    case cutOff = "line cut"
    case late = "line late by 0.7 s"
    case broken = "line broken"
    case halfOpen = "line left half-open"
    case agentKilled = "agent killed"
    case agentForgot = "agent killed, its state lost"
    case fuserKilled = "fuser killed"
    case subscriberKilled = "subscriber killed"
    case burst = "hundreds of events at once"

    /// Begins it, and returns the closure that ends it.
    func begin(_ stage: ContractStage, _ generator: inout SeededGenerator) throws -> (() throws -> Void) {
        let name = ContractStage.names.randomElement(using: &generator) ?? "agent"
        let line = stage.lines[name]
        switch self {
        case .brokerKilled, .brokerForgot:
            stage.broker.kill()
            if self == .brokerForgot {
                try? FileManager.default.removeItem(atPath: stage.broker.folder + "/mosquitto.db")
            }
            return { try stage.broker.start() }
        case .brokerStopped:
            stage.broker.stop()
            return { try stage.broker.start() }
        case .cutUp: line?.cutUp = true
        case .cutDown: line?.cutDown = true
        case .cutOff: line?.cut = true
        case .late: line?.delay = 0.7
        case .broken: line?.breakAll()
        case .halfOpen: line?.leaveHalfOpen()
        case .agentKilled, .agentForgot:
            stage.kill("agent")
            if self == .agentForgot { stage.forget("agent") }
            return { try stage.start("agent") }
        case .fuserKilled:
            stage.kill("fuser")
            return { try stage.start("fuser") }
        case .subscriberKilled:
            stage.kill("subscriber")
            return { try stage.start("subscriber") }
        case .burst:
            for _ in 0..<15 {
                stage.recorder.publish(
                    Message(
                        topic: "whereabouts/nodes/hall/command", text: #"{"action":"determine"}"#, qos: .atLeastOnce))
            }
        }
        return {
            line?.cut = false
            line?.delay = 0
        }
    }
}

/// The messages that one subscriber saw during a fault, by kind.
struct ContractSight {
    var times = 0
    var status: [String: Int] = [:]
    var events = 0
    var again = 0
    var windows = 0
    var registry = 0

    mutating func add(_ messages: some Sequence<Message>) {
        times += 1
        for message in messages {
            let text = String(decoding: message.payload, as: UTF8.self)
            if message.topic == "whereabouts/nodes/hall/status" {
                status[text, default: 0] += 1
            } else if message.topic == "whereabouts/nodes/hall/events" {
                if text.contains("\"replayed\":true") { again += 1 } else { events += 1 }
            } else if message.topic.hasPrefix("whereabouts/windows/") {
                windows += 1
            } else if message.topic.hasPrefix("whereabouts/items/"), message.topic.hasSuffix("/config") {
                registry += 1
            }
        }
    }

    static func row(_ words: [String]) -> String { "| " + words.joined(separator: " | ") + " |" }

    func row(_ name: String) -> String {
        let seen = status.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        return Self.row([
            name, "\(times)", seen.isEmpty ? "-" : seen, "\(events), \(again)", "\(windows)", "\(registry)",
        ])
    }
}
