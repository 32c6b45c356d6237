import Agent
import System

ProcessEnvironment.exit(
    AgentProgram.run(Array(CommandLine.arguments.dropFirst()), environment: ProcessEnvironment.variables))
