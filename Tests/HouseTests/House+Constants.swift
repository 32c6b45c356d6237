/// The room model is tuned in one folder, and to no home that it is measured on.
extension House {
    /// The targets that turn windows into rooms.
    static let model: Set<String> = ["RoomEstimation", "HouseTracking"]
    /// Folder or file in which all of their numbers stand.
    static let parameters = "/Parameters"
    /// Numbers that say nothing but how many, or half of it.
    static let plainNumbers: Set<Double> = [0, 0.5, 1, 2]
    /// How the bound of a table or queue ends, and the number of a format: these stand with their type.
    static let boundNames = ["apacity", "Limit", "version"]
    /// Numbers that nobody chose by trying, by file, with the reason. What a string works out within itself is not looked at.
    static let constants: [(file: String, numbers: Set<String>, reason: String)] = [
        (
            "Clustering.swift",
            [
                "0x9E37_79B9_7F4A_7C15", "0xBF58_476D_1CE4_E5B9", "0x94D0_49BB_1331_11EB", "30", "27", "31", "11",
                "0x1p-53",
            ],
            "SplitMix64's own"
        ),
        ("Gaussians.swift", ["5"], "places in half a square matrix with two vectors"),
        ("Gaussians.swift", ["1e100", "1e-100"], "a product is folded away long before it over- or underflows"),
        ("Mathematics+Belief.swift", ["700"], "e to the power of more overflows"),
        ("ChangePointDetector.swift", ["4", "0.375"], "Student's t with 4 degrees of freedom"),
        ("PositionFilter.swift", ["4"], "Student's t with 4 degrees of freedom"),
        ("PlainLevels.swift", ["4", "2.5", "0.375"], "Student's t with 4 degrees of freedom"),
        ("NodeSet.swift", ["64"], "bits of a word"),
        ("NodeSet.swift", ["16_383"], "the bound of a set"),
        ("Hop.swift", ["127.0", "20.0"], "the levels that a controller can report, Bluetooth Core 7.7.65"),
        ("Hop.swift", ["32"], "counts fit a UInt32"),
        ("ItemReception.swift", ["1e6"], "microseconds of a second, and no overflow of an Int64"),
        ("Tracker.swift", ["1e6"], "microseconds of a second"),
        ("Household.swift", ["1e6"], "microseconds of a second"),
        (
            "ReceptionTable.swift", ["600", "6", "64", "120.0"],
            "bins and pieces of a display, which no estimate looks at"
        ),
        ("Household+Record.swift", ["200"], "the bound of a round"),
        ("RunningLesson.swift", ["100"], "units of the format of lessons"),
        ("LessonBook.swift", ["100"], "units of the format of lessons"),
        ("LessonBook.swift", ["1_000_000"], "the bound of a lesson's number"),
        ("Lesson+Bytes.swift", ["3"], "numbers of a reading in the format of lessons"),
        ("Lesson+Bytes.swift", ["20", "64", "1000"], "bounds of what is taken from a file"),
        ("SharedLesson.swift", ["20", "1000"], "the bound of a payload, and units of the format of lessons"),
        ("Household+SharedLessons.swift", ["1000", "12_700", "2000"], "bounds of what is taken from others"),
    ]

    /// Names from the recordings that the model is measured on.
    struct Recorded {
        /// The recordings themselves.
        var recordings: Set<String> = []
        /// Their receivers, rooms, sessions and tags.
        var names: Set<String> = []
    }

    /// Numbers of the model outside its parameters, and names of recorded homes.
    func tuning(_ recorded: Recorded) -> [Violation] {
        files.filter { $0.area == "Sources" }.flatMap { file in
            let literals = file.literals
            var found = named(file, recorded)
            guard Self.model.contains(file.target) else { return found }
            for literal in literals.strings where recorded.names.contains(literal.text) {
                found.append(Violation(.recordedName, "\(file.path):\(literal.line)", literal.text))
            }
            for literal in literals.numbers where !file.path.contains(Self.parameters) && !isFree(literal, file) {
                found.append(Violation(.strayNumber, "\(file.path):\(literal.line)", literal.text))
            }
            return found
        }
    }

    /// Recordings that a file knows by name, in code or comments.
    private func named(_ file: HouseFile, _ recorded: Recorded) -> [Violation] {
        let words = Set(file.text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init))
        return recorded.recordings.intersection(words).sorted().map { Violation(.recordedName, file.path, $0) }
    }

    private func isFree(_ literal: HouseFile.Literal, _ file: HouseFile) -> Bool {
        if let value = Double(literal.text.filter { $0 != "_" }), Self.plainNumbers.contains(value) { return true }
        let words = literal.context.split { !$0.isLetter }
        if words.contains("static"), let name = words.drop(while: { $0 != "let" }).dropFirst().first,
            Self.boundNames.contains(where: name.hasSuffix)
        {
            return true
        }
        return Self.constants.contains { file.path.hasSuffix("/" + $0.file) && $0.numbers.contains(literal.text) }
    }
}
