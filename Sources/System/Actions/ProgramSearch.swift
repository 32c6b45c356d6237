internal import Glibc

/// Finds programs: by an absolute path, or by a bare name in `ActionRunner.searchPath`.
package enum ProgramSearch {
    /// The path of an executable program, or the reason why there is none.
    package static func path(of program: String) throws(SystemError) -> String {
        guard isWellFormed(program) else { throw SystemError(code: ENOENT, context: "find \(program)") }
        if program.hasPrefix("/") {
            guard isRunnable(program) else { throw SystemError(code: lastReason(program), context: "run \(program)") }
            return program
        }
        for folder in ActionRunner.searchPath.split(separator: ":") {
            let path = "\(folder)/\(program)"
            if isRunnable(path) { return path }
        }
        throw SystemError(code: ENOENT, context: "find \(program) in \(ActionRunner.searchPath)")
    }

    /// True if a text is an absolute path or a bare name; a relative path would depend on the folder of the service's
    /// start.
    package static func isWellFormed(_ program: String) -> Bool {
        !program.isEmpty && (program.hasPrefix("/") || !program.utf8.contains(UInt8(ascii: "/")))
            && !program.utf8.contains(0)
    }

    private static func isRunnable(_ path: String) -> Bool {
        var information = stat()
        guard unsafe stat(path, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { return false }
        return unsafe access(path, X_OK) == 0
    }

    private static func lastReason(_ path: String) -> Int32 {
        unsafe access(path, X_OK) == 0 ? EACCES : errno
    }
}

/// Texts in the form that C requires: an array that ends with a null pointer.
enum WordList {
    static func with<Result>(
        _ words: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        var pointers = unsafe words.map { unsafe strdup($0) }
        defer { unsafe pointers.forEach { unsafe free($0) } }
        unsafe pointers.append(nil)
        return unsafe pointers.withUnsafeBufferPointer { unsafe body($0.baseAddress!) }
    }
}
