import Daemon
import Fuser

ProcessEnvironment.exit(
    FuserProgram.run(Array(CommandLine.arguments.dropFirst()), environment: ProcessEnvironment.variables))
