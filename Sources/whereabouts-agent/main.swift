import Agent
import Daemon

ProcessEnvironment.exit(
    AgentProgram.run(Array(CommandLine.arguments.dropFirst()), environment: ProcessEnvironment.variables))
