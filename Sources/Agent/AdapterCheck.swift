internal import Advertising
package import BrokerSession
package import HCI

/// Checks that there is a Bluetooth adapter to listen with.
package enum AdapterCheck {
    /// Looks for the adapter that is named behind `hci:` in `source`. Nothing is opened.
    package static func run(_ name: String) -> Finding {
        guard let choice = AdapterChoice(name) else {
            return .fault(
                .adapter, "hci:\(name) is no adapter", mend: "give hci:auto, hci:hci0 or hci: and its address")
        }
        do throws(RadioFault) {
            return finding(of: try choice.adapter(among: AdapterSurvey().adapters()))
        } catch {
            return .fault(.adapter, "\(error)", mend: error.mend)
        }
    }

    /// The finding about an adapter that can be used.
    package static func finding(of adapter: Adapter) -> Finding {
        let place = [adapter.bus?.name, adapter.address?.text].compactMap { $0 }.joined(separator: " ")
        let name = "\(adapter.name)\(place.isEmpty ? "" : " (\(place))")"
        guard !adapter.isUp else { return .ok(.adapter, "\(name) is there") }
        return .warning(
            .adapter, "\(name) is down", mend: "the agent takes it up by itself; by hand: hciconfig \(adapter.name) up")
    }
}
