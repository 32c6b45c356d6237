/// The commands to nodes and fusers, and their answers.
extension Section {
    static var protocolCommands: [Section] {
        [
            Section("node-commands", CommandDescription.toNode.map(text).joined(separator: "\n")),
            Section("fuser-commands", CommandDescription.toFuser.map(text).joined(separator: "\n")),
            Section("answers", AnswerDescription.all.map(text).joined(separator: "\n")),
        ]
    }

    private static func text(_ command: CommandDescription) -> String {
        let rows = command.fields.map { field in
            let rule = command.rule(of: field.key)
            return [Markdown.code(field.key), rule.expected, rule.isRequired ? "yes" : "no", field.meaning]
        }
        let table = rows.isEmpty ? "" : Markdown.table(["field", "value", "required", "meaning"], rows) + "\n"
        let examples = command.samples.map { String(decoding: $0.payload, as: UTF8.self) }.joined(separator: "\n")
        return """
            ### \(command.action)\(command.form.isEmpty ? "" : ": \(command.form)")

            \(command.meaning)\(command.needsAdministrator ? " Needs the right to administer." : "")

            \(table)\(Markdown.block(examples, "json"))
            """
    }

    private static func text(_ answer: AnswerDescription) -> String {
        """
        ### Answer: \(answer.name)

        \(answer.meaning)

        \(answer.listed.table)
        \(answer.listed.examples)
        """
    }
}
