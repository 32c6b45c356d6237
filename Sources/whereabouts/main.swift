import Daemon
import Operator

ProcessEnvironment.exit(
    OperatorProgram.run(Array(CommandLine.arguments.dropFirst()), environment: ProcessEnvironment.variables))
