internal import System

/// Checks that the state survives a restart.
package enum DiskCheck {
    /// Bytes below which a disk is nearly full: several times the size of the largest state.
    static let scarce: UInt64 = 64 << 20

    /// Writes and removes a small file beside the state database.
    package static func run(state: String?) -> Finding {
        guard let state else {
            return .warning(
                .disk, "no state is kept: regions and events are forgotten at each restart",
                mend: "name a file in the configuration, such as state: /var/lib/whereabouts/agent.sqlite"
            ).of(.diskUnused)
        }
        let folder = Self.existingFolder(of: state)
        do throws(SystemError) {
            try DiskSpace.probe(folder)
            let space = try DiskSpace.available(in: folder)
            let values = ["folder": folder, "n": "\(space >> 20)"]
            guard space >= scarce else {
                return .warning(
                    .disk, "only \(space >> 20) MiB are left in \(folder)", mend: "make room there: df -h \(folder)"
                ).of(.diskScarce, values)
            }
            return .ok(.disk, "\(folder) takes files, \(space >> 20) MiB are left").of(.diskGood, values)
        } catch {
            return .fault(.disk, "can't \(error)", mend: remedyText(error, folder))
                .of(kind(error), ["folder": folder, "text": "\(error)"])
        }
    }

    private static func kind(_ error: SystemError) -> Finding.Kind {
        switch error.kind {
        case .missing: .diskMissing
        case .denied: .diskDenied
        case .full: .diskFull
        case .readOnly: .diskReadOnly
        case .other: .diskFault
        }
    }

    private static func remedyText(_ error: SystemError, _ folder: String) -> String {
        switch error.kind {
        case .missing: "make the folder, or name another as state: (a service's StateDirectory= makes its own)"
        case .denied: "run this as the service's user, or give that user the folder"
        case .full: "make room there: df -h \(folder)"
        case .readOnly: "mount it for writing, or name another as state:"
        case .other: "name another folder as state:"
        }
    }

    private static func existingFolder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
