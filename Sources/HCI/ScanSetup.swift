/// Sets a controller to the requested scan: chooses each command by the answer to the previous one.
///
///     var setup = ScanSetup(settings, features: nil, depth: .parameters)
///     var step = setup.begin()
///     while case .send(let command) = step { step = setup.receive(answer(to: command)) }
struct ScanSetup: Sendable {
    /// The extent of a set-up.
    enum Depth: Int, Comparable, Sendable {
        /// The scan is disabled and enabled.
        case enable
        /// Its parameters are set in between.
        case parameters
        /// The event masks are set before: another program has reset the controller.
        case masks
        /// The controller is reset before all that.
        case reset

        static func < (left: Depth, right: Depth) -> Bool { left.rawValue < right.rawValue }
    }

    enum Step: Hashable, Sendable {
        case send(HCICommand)
        /// The controller scans, and has these features.
        case done(ControllerFeatures)
        /// The controller rejected a command.
        case refused(HCICommand.Opcode, status: UInt8)
    }

    private enum Stage: Int {
        case reset, commands, features, mask, leMask, disable, parameters, enable
    }

    private let settings: ScanSettings
    private let depth: Depth
    private let isKnown: Bool
    private var features: ControllerFeatures
    private var stage = Stage.reset
    /// The command whose answer is awaited.
    private(set) var awaited: HCICommand.Opcode?

    /// - Parameter features: the known features of the controller; nil to ask it for them.
    init(_ settings: ScanSettings, features: ControllerFeatures?, depth: Depth) {
        self.settings = settings
        self.depth = depth
        isKnown = features != nil
        self.features = features ?? ControllerFeatures()
    }

    /// The first command.
    mutating func begin() -> Step { sendCommands(from: .reset) }

    /// The step that follows from an answer to the awaited command; the caller filters out other answers.
    mutating func receive(_ answer: ControllerReply) -> Step {
        switch stage {
        case .commands: if answer.isGood { features.receive(supportedCommands: answer.parameters) }
        case .features: if answer.isGood { features.receive(features: answer.parameters) }
        // A controller that doesn't scan may reject the end of a scan, and some don't know every bit of a mask.
        case .disable, .mask, .leMask: break
        case .reset, .parameters, .enable:
            guard answer.isGood else {
                awaited = nil
                return .refused(answer.opcode, status: answer.status)
            }
        }
        guard let next = Stage(rawValue: stage.rawValue + 1) else {
            awaited = nil
            return .done(features)
        }
        return sendCommands(from: next)
    }

    private mutating func sendCommands(from first: Stage) -> Step {
        stage = first
        while let next = Stage(rawValue: stage.rawValue + 1), !isWanted(stage) { stage = next }
        let command = makeCommand(stage)
        awaited = command.opcode
        return .send(command)
    }

    private func isWanted(_ stage: Stage) -> Bool {
        switch stage {
        case .reset: depth >= .reset
        case .commands, .features: !isKnown
        case .mask, .leMask: depth >= .masks
        case .disable, .enable: true
        case .parameters: depth >= .parameters
        }
    }

    private func makeCommand(_ stage: Stage) -> HCICommand {
        switch stage {
        case .reset: .reset
        case .commands: .readLocalSupportedCommands
        case .features: .leReadLocalSupportedFeatures
        case .mask: .setEventMask
        case .leMask: .leSetEventMask(extended: features.extended)
        case .disable: .scanEnable(false, extended: features.extended)
        case .parameters:
            features.extended
                ? .leSetExtendedScanParameters(settings, coded: features.coded && settings.phys == .le1MAndCoded)
                : .leSetScanParameters(settings)
        case .enable: .scanEnable(true, extended: features.extended)
        }
    }
}
