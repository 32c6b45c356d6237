internal import Bytes

/// The form of mosquitto's dynamic security plugin: the file that its `plugin_opt_config_file` names.
extension AccessList {
    /// The file: everything that no role allows is denied. A client without a password in `passwords` can connect by
    /// its certificate alone.
    ///
    /// - Parameter bindsClientIDs: true if a user of one program may connect with that program's client id alone. The
    ///   plugin accepts one id for a user (`clientid`), and refuses the connection with any other.
    func dynamicSecurity(_ passwords: [String: MosquittoPassword], bindsClientIDs: Bool = false) -> String {
        var json = JSONWriter()
        json.beginObject()
        json.beginObject("defaultACLAccess")
        json.field("publishClientSend", false)
        json.field("publishClientReceive", false)
        json.field("subscribe", false)
        json.field("unsubscribe", true)
        json.endObject()
        json.beginArray("clients")
        for user in users {
            json.beginObject()
            json.field("username", user.name)
            if bindsClientIDs, let id = user.onlyClientID { json.field("clientid", id) }
            json.beginArray("roles")
            for grant in user.grants {
                json.beginObject()
                json.field("rolename", grant.name)
                json.endObject()
            }
            json.endArray()
            if let password = passwords[user.name] {
                json.field("password", password.hash)
                json.field("salt", password.salt)
                json.field("iterations", password.iterations)
            }
            json.endObject()
        }
        json.endArray()
        json.beginArray("groups")
        json.endArray()
        json.beginArray("roles")
        var seen: Set<Grant> = []
        for grant in users.flatMap(\.grants) where seen.insert(grant).inserted { write(grant, to: &json) }
        json.endArray()
        json.endObject()
        return json.text
    }

    private func write(_ grant: Grant, to json: inout JSONWriter) {
        json.beginObject()
        json.field("rolename", grant.name)
        json.beginArray("acls")
        for rule in grant.rules {
            let kinds =
                (rule.right.writes ? ["publishClientSend"] : [])
                + (rule.right.reads ? ["subscribePattern", "publishClientReceive"] : [])
            for kind in kinds {
                json.beginObject()
                json.field("acltype", kind)
                json.field("topic", rule.filter)
                json.field("priority", 0)
                json.field("allow", true)
                json.endObject()
            }
        }
        json.endArray()
        json.endObject()
    }
}
