import Reference

// Prints every section between its markers, which etc/dev/docs puts into the pages; with --files the paths of the whole files
// that are made from the program, and with --file PATH one of them.
switch CommandLine.arguments.dropFirst().first {
case "--files": for file in GeneratedFile.all { print(file.path) }
case "--file":
    let path = CommandLine.arguments.last
    for file in GeneratedFile.all where file.path == path { print(file.text, terminator: "") }
default: for section in Section.all { print(section.marked) }
}
