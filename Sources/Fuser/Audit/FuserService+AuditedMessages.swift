internal import Bytes
internal import WireProtocol

/// Changes that a fuser sees or makes beside entries, plans and commands.
extension FuserService {
    /// Records a change of the picture of a floor: its size and digest.
    func recordPicture(_ message: Message, of floor: String, at time: Timestamp) {
        let after = AuditChange.picture(message.payload, of: floor)
        // The page's own picture comes back. One that the broker retained is compared with the last that was recorded.
        let before = lastPicture(of: floor) ?? (message.retained ? after : nil)
        keepPicture(after, of: floor)
        guard before != after else { return }
        var change = AuditChange("picture", of: "floor/\(floor)")
        (change.before, change.after) = (before, after)
        change.name = freeName(message.topic, change, at: wall)
        recordOnce(change, by: origin(of: message, nil), at: time)
    }

    /// The change that a picture makes which this fuser's page sends.
    func pictureChange(_ message: Message, of floor: String) -> AuditChange {
        var change = AuditChange("picture", of: "floor/\(floor)")
        (change.before, change.after) = (lastPicture(of: floor), AuditChange.picture(message.payload, of: floor))
        change.name = freeName(message.topic, change, at: wall)
        keepPicture(change.after, of: floor)
        return change
    }

    private func lastPicture(of floor: String) -> String? {
        audit.pictures[floor] ?? memory.lastValue(of: "floor/\(floor)", by: "picture")
    }

    private func keepPicture(_ value: String?, of floor: String) {
        guard audit.pictures[floor] != nil || audit.pictures.count < Audit.nodeLimit else { return }
        audit.pictures[floor] = value
    }

    /// Records that somebody has cleared the status of a node or fuser, as `whereabouts forget` does: its program never does.
    func recordForgetting(_ message: Message, of subject: String, at time: Timestamp) {
        guard message.payload.isEmpty, !message.retained else { return }
        var change = AuditChange("forget", of: subject)
        change.name = changeName(message, isDated: false)
        recordOnce(change, by: origin(of: message, nil), at: time)
    }

    /// Records that the configuration was read anew, and which keys have other values.
    func recordReload(_ keys: [String]) {
        var change = AuditChange("settings", of: "fuser/\(pipeline.fuser)")
        change.after = AuditChange.json { json in
            json.beginArray("keys")
            for key in keys { json.value(key) }
            json.endArray()
        }
        record([change], by: AuditOrigin(reloadOf: pipeline.fuser), status: 200, at: wall)
    }
}
