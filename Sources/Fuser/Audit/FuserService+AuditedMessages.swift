internal import Bytes
internal import WireProtocol

/// Changes that a fuser sees or makes beside entries, plans and commands.
extension FuserService {
    /// Records a change of the picture of a floor: its size and digest. One that the broker retained is compared with the last
    /// that this fuser saw, and with the last in its audit.
    func recordPicture(_ message: Message, of floor: String, at time: Timestamp) {
        let subject = "floor/\(floor)"
        let (seen, recorded) = (audit.values[subject], memory.lastValue(of: subject, by: "picture"))
        let after = AuditChange.picture(message.payload, of: floor)
        audit.values.note(after, of: subject)
        // The page's own picture comes back.
        guard seen != after else { return }
        if message.retained {
            let isNew = seen != nil || recorded != nil || audit.values.knowsAll(.pictures)
            guard isNew, recorded != after else { return }
        }
        var change = AuditChange("picture", of: subject)
        (change.before, change.after) = (seen ?? recorded, after)
        change.name = freeName(message.topic, change, at: wall)
        recordOnce(change, by: origin(of: message, nil), at: time)
    }

    /// The change that a picture makes which this fuser's page sends.
    func pictureChange(_ message: Message, of floor: String) -> AuditChange {
        let subject = "floor/\(floor)"
        var change = AuditChange("picture", of: subject)
        change.before = audit.values[subject] ?? memory.lastValue(of: subject, by: "picture")
        change.after = AuditChange.picture(message.payload, of: floor)
        change.name = freeName(message.topic, change, at: wall)
        audit.values.note(change.after, of: subject)
        return change
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
