/// A parser of the package that is fed with what nobody meant to send.
public enum Subject: String, CaseIterable, Sendable {
    /// HCI events, through advertising reports to beacon frames.
    case events
    /// Advertising data as AD structures.
    case structures
    /// Advertising data as beacon frames, to bytes and back.
    case frames
    /// JSON text by the pull reader.
    case json
    /// The payload of a window.
    case window
    /// The payload of a scan.
    case scan
    /// The payload of a node's info.
    case info
    /// The payload of an item's location.
    case location
    /// The payload of an item's event.
    case itemEvent = "item-event"
    /// The payload of a room's occupancy.
    case occupancy
    /// The payload of an item's battery.
    case battery
    /// A command to a node.
    case command
    /// An entry of the registry.
    case config
    /// The payload of a node's event.
    case nodeEvent = "node-event"
    /// The payload of a region's state.
    case region
    /// A node's answer to a command.
    case result
    /// What a fuser claims.
    case claim
    /// A command to a fuser.
    case fuserCommand = "fuser-command"
    /// A fuser's answer to a command.
    case fuserResult = "fuser-result"
    /// The payload of an item's alerts.
    case itemAlerts = "item-alerts"
    /// What a fuser keeps of an item's rooms.
    case belief
    /// What a fuser keeps of a lesson.
    case lesson
    /// What a fuser and a node keep of their alerts.
    case alertMemory = "alert-memory"
    /// Topics that a broker delivers.
    case topics
    /// Readings of a beacon in a window.
    case telemetry
    /// A message of another system, with its topic.
    case foreignMessage = "foreign-message"
    /// What other systems call beacons and nodes.
    case foreignName = "foreign-name"
    /// A document that Home Assistant is to read, with its topic, as the broker gives it back.
    case discovery
    /// Names for people in such documents.
    case discoveryNames = "discovery-names"
    /// What is kept of documents that were cleared.
    case discoveryRow = "discovery-row"
    /// Reports of devices that only keys tell.
    case keyed
    /// A line of a key's file.
    case keyFile = "key-file"
    /// What a node keeps of an item's key.
    case keyMemory = "key-memory"
    /// What a node keeps of a region.
    case presenceRegion = "presence-region"
    /// What a node keeps of a beacon.
    case presenceBeacon = "presence-beacon"
    /// Capture files of every format.
    case captures
    /// Capture files of link-layer packets, to the reports that they result in.
    case sniffers
    /// PacketLogger files alone.
    case packetLogger = "packet-logger"
    /// Bug reports alone.
    case bugReport = "bug-report"
    /// Configuration in YAML.
    case yaml
    /// The target of a request to the page.
    case requestTarget = "request-target"
    /// The head of a request to the page.
    case requestHead = "request-head"
    /// A plan of the house.
    case plan

    /// The folder of the kept corpus whose files this parser is fed with as well.
    public var corpus: String {
        switch self {
        case .events: "FuzzEvents"
        case .structures, .frames: "FuzzFrames"
        case .captures, .sniffers: "FuzzCaptures"
        case .yaml: "FuzzYAML"
        case .requestTarget, .requestHead, .plan: "FuzzPage"
        case .belief, .lesson, .alertMemory, .discoveryRow, .keyMemory, .presenceRegion, .presenceBeacon: "FuzzKept"
        case .foreignMessage, .discovery: "FuzzNeighbours"
        case .keyed: "FuzzKeys"
        case .topics, .foreignName, .discoveryNames, .keyFile, .packetLogger, .bugReport: "none"
        default: "FuzzPayloads"
        }
    }

    /// Whether it reads text, so that words of text are worth inserting.
    public var isText: Bool {
        switch self {
        case .sniffers, .packetLogger, .bugReport: false
        case .events, .structures, .frames, .captures, .belief, .keyed, .presenceRegion, .presenceBeacon: false
        default: true
        }
    }

    /// Parses `bytes`, and says whether they were what they should be.
    ///
    /// A trap here is a bug; so is an answer that doesn't survive being written and read again.
    public func parse(_ bytes: Span<UInt8>) -> Bool {
        switch self {
        case .events: Radio.events(bytes)
        case .structures: Radio.structures(bytes)
        case .frames: Radio.frames(bytes)
        case .json: Payloads.json(bytes)
        case .window: Payloads.window(bytes)
        case .scan: Payloads.scan(bytes)
        case .info: Payloads.info(bytes)
        case .location: Payloads.location(bytes)
        case .itemEvent: Payloads.itemEvent(bytes)
        case .occupancy: Payloads.occupancy(bytes)
        case .battery: Payloads.battery(bytes)
        case .command: Requests.command(bytes)
        case .config: Requests.config(bytes)
        case .nodeEvent: Requests.nodeEvent(bytes)
        case .region: Requests.region(bytes)
        case .result: Requests.result(bytes)
        case .claim: Fusers.claim(bytes)
        case .fuserCommand: Fusers.command(bytes)
        case .fuserResult: Fusers.result(bytes)
        case .itemAlerts: Fusers.alerts(bytes)
        case .belief: PersistentState.belief(bytes)
        case .lesson: PersistentState.lesson(bytes)
        case .alertMemory: PersistentState.alerts(bytes)
        case .topics: Payloads.topic(bytes)
        case .telemetry: Readings.parse(bytes)
        case .foreignMessage: Foreign.message(bytes)
        case .foreignName: Foreign.name(bytes)
        case .discovery: Discoveries.document(bytes)
        case .discoveryNames: Discoveries.names(bytes)
        case .discoveryRow: Discoveries.row(bytes)
        case .keyed: Keyed.reports(bytes)
        case .keyFile: KeyTexts.file(bytes)
        case .keyMemory: KeyTexts.memory(bytes)
        case .presenceRegion: PresenceRows.region(bytes)
        case .presenceBeacon: PresenceRows.beacon(bytes)
        case .captures, .packetLogger, .bugReport: CaptureFiles.parse(bytes)
        case .sniffers: CaptureFiles.reports(bytes)
        case .yaml: Configurations.parse(bytes)
        case .requestTarget: Pages.target(bytes)
        case .requestHead: Pages.head(bytes)
        case .plan: Pages.plan(bytes)
        }
    }

    /// Inputs of our own making: whole, well-formed ones.
    public var seeds: [[UInt8]] {
        switch self {
        case .events: Radio.eventSeeds
        case .structures, .frames: Radio.dataSeeds
        case .json: Payloads.jsonSeeds + Payloads.windowSeeds + Payloads.locationSeeds
        case .window: Payloads.windowSeeds
        case .scan: Payloads.scanSeeds
        case .info: Payloads.infoSeeds
        case .location: Payloads.locationSeeds
        case .itemEvent: Payloads.itemEventSeeds
        case .occupancy: Payloads.occupancySeeds
        case .battery: Payloads.batterySeeds
        case .command: Requests.commandSeeds
        case .config: Requests.configSeeds
        case .nodeEvent: Requests.nodeEventSeeds
        case .region: Requests.regionSeeds
        case .result: Requests.resultSeeds
        case .claim: Fusers.claimSeeds
        case .fuserCommand: Fusers.commandSeeds
        case .fuserResult: Fusers.resultSeeds
        case .itemAlerts: Fusers.alertSeeds
        case .belief: PersistentState.beliefSeeds
        case .lesson: PersistentState.lessonSeeds
        case .alertMemory: PersistentState.alertSeeds
        case .topics: Payloads.topicSeeds
        case .telemetry: Readings.seeds
        case .foreignMessage: Foreign.messageSeeds
        case .foreignName: Foreign.nameSeeds
        case .discovery: Discoveries.documentSeeds
        case .discoveryNames: Discoveries.nameSeeds
        case .discoveryRow: Discoveries.rowSeeds
        case .keyed: Keyed.seeds
        case .keyFile: KeyTexts.fileSeeds
        case .keyMemory: KeyTexts.memorySeeds
        case .presenceRegion: PresenceRows.regionSeeds
        case .presenceBeacon: PresenceRows.beaconSeeds
        case .captures: CaptureFiles.seeds
        case .sniffers: CaptureFiles.radioSeeds
        case .packetLogger: [CaptureFiles.packetLogger(true), CaptureFiles.packetLogger(false)]
        case .bugReport: [CaptureFiles.bugReport(1), CaptureFiles.bugReport(2)]
        case .yaml: Configurations.seeds
        case .requestTarget: Pages.targetSeeds
        case .requestHead: Pages.headSeeds
        case .plan: Pages.planSeeds
        }
    }
}
