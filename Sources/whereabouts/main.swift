import Operator
import System

ProcessEnvironment.exit(
    OperatorProgram.run(Array(CommandLine.arguments.dropFirst()), environment: ProcessEnvironment.variables))
