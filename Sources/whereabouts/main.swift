import Glibc
import Operator

exit(LocateCommand.run(CommandLine.arguments.dropFirst(2)))
