/// A kind of attack on a tag, made of real packets of the same recording at other times.
struct Attack {
    /// The place of the clone.
    enum Place {
        /// The place where another node hears it loudest …
        case elsewhere
        /// … where the same one does …
        case beside
        /// … or the way that the tag itself went a minute before.
        case behind
    }

    /// Seconds of an attack.
    static let length = 120.0

    let name: String
    var place = Place.elsewhere
    /// Decibels by which the clone is louder.
    var gain = 0.0
    /// The share of its packets that are sent.
    var share = 1.0
    /// The number of its places at a time.
    var places = 1
    /// It sends so many seconds of each period.
    var on = 60.0, period = 60.0
    /// True if the clone has an address of its own; otherwise it forges that as well.
    var hasOwnAddress = false
    /// The measured power that it declares; that of the tag is −59.
    var power = -59
    /// The true tag is not heard while the clone sends, or never during the attack.
    var mutesWhileOn = false, mutes = false

    static let all: [Attack] = [
        Attack(name: "elsewhere, as loud"),
        Attack(name: "elsewhere, 10 dB louder", gain: 10),
        Attack(name: "elsewhere, 10 dB weaker", gain: -10),
        Attack(name: "elsewhere, a quarter of the packets", share: 0.25),
        Attack(name: "elsewhere, a tenth of the packets", share: 0.1),
        Attack(name: "elsewhere, 10 dB louder, a tenth of the packets", gain: 10, share: 0.1),
        Attack(name: "elsewhere, 5 s of 20", on: 5, period: 20),
        Attack(name: "elsewhere, 20 s of 60", on: 20),
        Attack(name: "in two other places", places: 2),
        Attack(name: "in three other places", places: 3),
        Attack(name: "beside the tag", place: .beside),
        Attack(name: "beside the tag, 10 dB louder", place: .beside, gain: 10),
        Attack(name: "where the tag was a minute before", place: .behind),
        Attack(name: "elsewhere, its own address", hasOwnAddress: true),
        Attack(name: "elsewhere, its own address, a tenth", share: 0.1, hasOwnAddress: true),
        Attack(name: "beside the tag, its own address", place: .beside, hasOwnAddress: true),
        Attack(name: "elsewhere, declares 20 dB less", power: -79),
        Attack(name: "beside the tag, declares 20 dB less", place: .beside, power: -79),
        Attack(name: "elsewhere, while the tag is silent: 60 s each", period: 120, mutesWhileOn: true),
        Attack(name: "elsewhere, in place of the tag", mutes: true),
    ]

    /// The packets of a session from twenty seconds before an attack to its end; nil where the recording has no such place.
    func packets(
        on session: (name: String, packets: [Heard]), at begin: Double, from pieces: [Piece],
        _ random: inout some RandomNumberGenerator
    ) -> [Heard]? {
        var forged: [Heard] = []
        for sender in 1...places {
            guard let clone = clone(on: session, at: begin, from: pieces, &random) else { return nil }
            forged += clone.map { packet in
                var packet = packet
                packet.sender = hasOwnAddress ? sender : 0
                return packet
            }
        }
        let heard = session.packets.within(begin - 20, begin + Self.length).filter { packet in
            guard packet.at >= begin else { return true }
            return !mutes && !(mutesWhileOn && isOn(packet.at - begin))
        }
        let declared = heard.map { packet in
            var packet = packet
            packet.power = -59
            return packet
        }
        return (declared + forged).sorted { $0.at < $1.at }
    }

    private func isOn(_ seconds: Double) -> Bool { seconds.truncatingRemainder(dividingBy: period) < on }

    private func clone(
        on session: (name: String, packets: [Heard]), at begin: Double, from pieces: [Piece],
        _ random: inout some RandomNumberGenerator
    ) -> [Heard]? {
        var source: [Heard]
        switch place {
        case .behind:
            source = session.packets.within(begin - 60, begin + Self.length - 60).shifted(by: 60 - begin)
        case .elsewhere, .beside:
            let here = session.packets.within(begin, begin + Piece.length).loudest
            let isBeside = place == .beside
            let fitting = pieces.filter {
                ($0.loudest == here) == isBeside && !($0.session == session.name && abs($0.begin - begin) < Self.length)
            }
            guard let piece = fitting.randomElement(using: &random) else { return nil }
            source = stride(from: 0, to: Self.length, by: Piece.length).flatMap { piece.packets.shifted(by: $0) }
        }
        // A packet is sent or not: all nodes hear it, or none.
        var chosen: [Heard] = []
        var (latest, isSent) = (-1.0, true)
        for packet in source {
            if packet.at - latest > 0.02 { isSent = Double.random(in: 0..<1, using: &random) < share }
            latest = packet.at
            guard isSent, isOn(packet.at), packet.level + gain > -100 else { continue }
            var packet = packet
            (packet.at, packet.level, packet.power) = (packet.at + begin, packet.level + gain, power)
            chosen.append(packet)
        }
        return chosen
    }
}
