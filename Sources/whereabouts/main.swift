import Glibc
import Operator

exit(DecodeCommand.run(CommandLine.arguments.dropFirst(2)))
