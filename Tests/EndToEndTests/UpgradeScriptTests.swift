import Foundation
import Support
import Testing

/// The helper that installs packages as root, with an apt-get that only writes down what it was asked.
@Suite(.enabled(if: Execution.find("dpkg") != nil, "dpkg is not installed")) struct UpgradeScriptTests {
    private let folder: TemporaryFolder
    private let state: TemporaryFolder
    private let script = Repository.root + "/etc/packaging/upgrade"

    /// Packages of version 0.1.0-989 of the agent and the tool are installed; apt installs what it is asked.
    init() throws {
        (folder, state) = (try TemporaryFolder(), try TemporaryFolder())
        try fake(
            "dpkg-query",
            """
            case "$*" in *whereabouts-fuser) echo 'not-installed '; exit 1 ;; esac
            echo "installed $(cat \(folder.file("version")))"
            """)
        try fake(
            "apt-get",
            """
            echo "$*" >> \(folder.file("asked"))
            case "$*" in
                *"install "*=0.1.0-666*) echo "E: Version '0.1.0-666' for 'whereabouts-agent' was not found"; exit 100 ;;
                *"install "*) echo "${*##*=}" > \(folder.file("version")) ;;
            esac
            """)
        try write("0.1.0-555\n", to: folder.file("version"))
    }

    private var request: String { state.file("upgrade-request") }
    private var result: String { readFile(folder.file("result")) ?? "" }
    private var asked: String { readFile(folder.file("asked")) ?? "" }

    private func fake(_ name: String, _ body: String) throws {
        try write("#!/bin/sh\n" + body + "\n", to: folder.file(name))
        try setMode(0o755, of: folder.file(name))
    }

    /// Runs the helper, and returns its exit status.
    private func run() throws -> Int32 {
        let outcome = try Execution.run(
            "/usr/bin/env",
            ["PATH=\(folder.path):/usr/bin:/bin:/usr/sbin:/sbin", "sh", script, request, folder.file("result")])
        #expect(!FileManager.default.fileExists(atPath: request), "\(outcome.error)")
        return outcome.status
    }

    @Test("Install the packages that are there in one go, keep configurations, and report versions before and after")
    func installs() throws {
        #expect(try run() == 0 && result == "{}\n" && asked.isEmpty)
        try write("0.1.0-990\n", to: request)
        #expect(try run() == 0)
        #expect(
            result.hasPrefix(#"{"version":"0.1.0-990","before":"0.1.0-555","after":"0.1.0-990","at":"#), "\(result)")
        let install = asked.split(separator: "\n").filter { $0.contains(" install ") }
        #expect(install.count == 1, "\(asked)")
        #expect(install[0].hasSuffix("--no-remove whereabouts-agent=0.1.0-990 whereabouts=0.1.0-990"))
        #expect(install[0].contains("--force-confold") && install[0].contains("--only-upgrade"))
        // A start without a request leaves the outcome as it is, and changes the file.
        let outcome = result
        #expect(try run() == 0 && result == outcome + "\n")
    }

    @Test("Refuse an earlier version, and report apt's words for one that no repository has")
    func refuses() throws {
        try write("0.1.0-554\n", to: request)
        #expect(try run() == 1 && asked.isEmpty)
        #expect(result.contains(#""error":"whereabouts-agent has the later version 0.1.0-555""#), "\(result)")
        try write("0.1.0-666\n", to: request)
        #expect(try run() == 1)
        #expect(result.contains(#""after":"0.1.0-555","error":"E: Version '0.1.0-666' for"#), "\(result)")
        // All lists are fetched before it gives up.
        #expect(asked.contains("--quiet update\n"), "\(asked)")
    }

    @Test("Take away a hostile request, and ask apt nothing", arguments: HostileRequest.all)
    func hostile(kind: String, make: String) throws {
        let secret = folder.file("secret")
        try write("0.1.0-990\n", to: secret)
        let outcome = try Execution.run(
            "/bin/sh", ["-c", "cd \(state.path) && request=upgrade-request secret=\(secret); \(make)"])
        #expect(outcome.status == 0, "\(outcome.error)")
        #expect(try run() == 1)
        #expect(asked.isEmpty, "\(kind): \(asked)")
        #expect(result.contains(#"{"error":"the request is no version of a package","at":"#), "\(kind): \(result)")
        #expect(readFile(secret) == "0.1.0-990\n")
        #expect(readFile(folder.file("version")) == "0.1.0-555\n")
    }

    @Test("Take away a request of another owner", .enabled(if: getuid() == 0, "only root gives files away"))
    func owner() throws {
        try write("0.1.0-990\n", to: request)
        #expect(chown(request, 65534, 65534) == 0)
        #expect(try run() == 1)
        #expect(asked.isEmpty && result.contains("no version of a package"))
    }
}

/// Requests that no agent writes: a kind, and the commands of the shell that make one.
enum HostileRequest {
    static let all: [(String, String)] = [
        ("empty", ": > $request"), ("words", "echo latest > $request"), ("an option", "echo --reinstall > $request"),
        ("another package", "echo '1.0 sudo=1.0' > $request"), ("a command", "echo '1.0;touch version' > $request"),
        ("a substitution", "echo '1$(id)' > $request"), ("two lines", "printf '0.1.0-990\\n0.1.0-991\\n' > $request"),
        ("a zero byte", "printf '0.1.0\\000-990' > $request"), ("a glob", "echo '0.1.0-9*' > $request"),
        ("huge", "head -c 1000000 /dev/zero | tr '\\0' 1 > $request"), ("a link", "ln -s $secret $request"),
        ("another name of a file", "ln $secret $request"), ("a dangling link", "ln -s nowhere $request"),
        ("a folder", "mkdir $request && touch $request/file"), ("a pipe", "mkfifo $request"),
        ("a link to a device", "ln -s /dev/zero $request"),
    ]
}
