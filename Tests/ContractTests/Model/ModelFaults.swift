import Support

/// What may befall a modelled world.
extension ModelWorld {
    struct Fault {
        var at: Int64
        var what: (ModelWorld) throws -> Void
    }

    /// Five to sixteen faults in the time of trouble, as the seed has them.
    func schedule() -> [Fault] {
        (0..<Int.random(in: 5...16, using: &generator)).map { _ in
            let at = Int64(Double.random(in: 3..<Self.trouble - 2, using: &generator) * 1e9)
            let kind = Int.random(in: 0..<14, using: &generator)
            let (long, short) = (
                Double.random(in: 1...40, using: &generator), Double.random(in: 0.2...10, using: &generator)
            )
            let (one, two) = (Bool.random(using: &generator), Bool.random(using: &generator))
            let many = Int.random(in: 1...130, using: &generator)
            return Fault(at: at) { try $0.befall(kind, long: long, short: short, one, two, many) }
        }.sorted { $0.at < $1.at }
    }

    private func later(_ seconds: Double, _ what: @escaping () throws -> Void) {
        endings.append((clock.now + Int64(seconds * 1e9), what))
    }

    private func befall(_ kind: Int, long: Double, short: Double, _ one: Bool, _ two: Bool, _ many: Int) throws {
        let line = one ? agentLine : fuserLine
        switch kind {
        case 0, 1:
            guard broker.isUp else { return }
            say("broker \(kind == 0 ? "killed" : "stopped") for \(short) s, store kept: \(one)")
            broker.end(keepingStore: one, isKilled: kind == 0)
            later(short) { [broker] in broker.start() }
        case 2, 3, 4:
            say("\(line.id): cut \(kind == 2 ? "up" : kind == 3 ? "down" : "both") for \(long) s")
            if kind != 3 { line.isUpCut = true }
            if kind != 2 { line.isDownCut = true }
            later(long) { (line.isUpCut, line.isDownCut) = (false, false) }
        case 5:
            say("\(line.id): up to 3 s late for \(long) s")
            broker.delay[line.id] = 3
            later(long) { [broker] in broker.delay[line.id] = nil }
        case 6:
            say("delivered twice for \(long) s")
            broker.duplicates = true
            later(long) { [broker] in broker.duplicates = false }
        case 7, 8:
            guard agent != nil else { return }
            say("agent killed for \(short) s, silently: \(one), \(kind == 8 ? "database lost" : "")")
            killAgent(isSilent: one)
            if kind == 8 { lose(agentPath) }
            later(short) { [unowned self] in try startAgent() }
        case 9, 10:
            guard fuser != nil else { return }
            say("fuser killed for \(short) s, silently: \(one), \(kind == 10 && two ? "database lost" : "")")
            killFuser(isSilent: one)
            if kind == 10, two { lose(fuserPath) }
            later(short) { [unowned self] in try startFuser() }
        case 11:
            say("\(one ? "agent" : "fuser"): clock set by \(two ? -long * 60 : long * 60) s")
            if one { agentOff += two ? -long * 60 : long * 60 } else { fuserOff += two ? -long * 60 : long * 60 }
        case 12:
            guard let agent else { return }
            say("\(many * ModelAgent.regions) events at once")
            for _ in 0..<many {
                try agent.determineAll()
                note()
            }
        default:
            say("events acknowledged and given to nobody for \(short) s")
            broker.denied = "whereabouts/nodes/hall/events"
            later(short) { [broker] in broker.denied = nil }
        }
    }
}
