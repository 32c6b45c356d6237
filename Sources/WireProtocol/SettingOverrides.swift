/// Settings of a program that override its configuration file, as `set` commands have left them.
public protocol SettingOverrides: Hashable, Sendable {
    /// The commands of the program.
    associatedtype Command: CommandRequest
    /// None.
    init()
    /// Those that a `set` command creates from none; nil for another command.
    init?(_ command: Command)
    /// The `set` command that creates them from none: the form in which they are stored over a restart.
    var command: Command { get }
}

extension NodeOverrides: SettingOverrides {
    /// Those that a `set` command creates from none; nil for another command.
    public init?(_ command: NodeCommand) {
        guard case .set(let changes) = command.action else { return nil }
        self = Self().applying(changes)
    }

    /// The `set` command that creates them from none: the form in which they are stored over a restart.
    public var command: NodeCommand { NodeCommand(id: nil, action: .set(changes)) }
}

extension FuserOverrides: SettingOverrides {
    /// Those that a `set` command creates from none; nil for another command.
    public init?(_ command: FuserCommand) {
        guard case .set(let changes) = command.action else { return nil }
        self = Self().applying(changes)
    }

    /// The `set` command that creates them from none: the form in which they are stored over a restart.
    public var command: FuserCommand { FuserCommand(id: nil, action: .set(changes)) }
}
