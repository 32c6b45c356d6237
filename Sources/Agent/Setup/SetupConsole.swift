internal import BrokerSession
internal import CommandLine
internal import System

/// Questions on standard error, and their answers from standard input.
final class SetupConsole {
    private let loop: RunLoop
    private var typed: [UInt8] = []

    /// A console, which from now on receives the signals of ^C.
    init() throws {
        loop = try RunLoop()
    }

    /// The answer to a question; an empty line is the default. Asks again while `complaint` has one.
    func ask(
        _ question: String, default value: String?, _ complaint: (String) -> String? = { _ in nil }
    ) throws -> String {
        while true {
            let line = try readLine(asking: question + (value.map { " [\($0)]" } ?? "") + ": ")
            let text = String(line.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            let answer = text.isEmpty ? value ?? "" : text
            if answer.isEmpty {
                show("An answer is needed.\n")
            } else if let expected = complaint(answer) {
                show("Expected \(expected).\n")
            } else {
                return answer
            }
        }
    }

    /// The answer to a question that is answered by yes or no.
    func confirm(_ question: String, default value: Bool) throws -> Bool {
        let answer = try readLine(asking: "\(question) [\(value ? "Y/n" : "y/N")] ").lowercased()
        return value ? !answer.hasPrefix("n") : answer.hasPrefix("y")
    }

    /// A text that is not shown while it is typed; empty for an empty line.
    func askSecret(_ question: String) throws -> Secret {
        Terminal.showTyping(false)
        defer {
            Terminal.showTyping(true)
            if Terminal.isAttached(0) { show("\n") }
        }
        return Secret(try readLine(asking: question + ": "))
    }

    /// Shows a text at once.
    func show(_ text: String) {
        var errors = StandardOutput(descriptor: 2)
        errors.write(text)
        errors.flush()
    }

    private func readLine(asking question: String) throws -> String {
        show(question)
        while true {
            if let end = typed.firstIndex(of: UInt8(ascii: "\n")) {
                defer { typed.removeFirst(end + 1) }
                return String(decoding: typed[..<end], as: UTF8.self)
            }
            if try loop.wait(readable: [0]).shouldEnd {
                show("\n")
                throw Interruption()
            }
            guard let more = StandardInput.read(), !more.isEmpty, typed.count < 4096 else {
                throw ProgramFault("nothing was written: the input ended before the last answer; --yes asks nothing")
            }
            typed += more
        }
    }
}
