import Reference

// Prints every section between its markers; etc/dev/docs puts them into the pages.
for section in Section.all { print(section.marked) }
