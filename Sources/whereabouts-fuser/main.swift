import Fuser
import System

ProcessEnvironment.exit(
    FuserProgram.run(Array(CommandLine.arguments.dropFirst()), environment: ProcessEnvironment.variables))
