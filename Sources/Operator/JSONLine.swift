internal import Bytes

/// A number as it is in JSON: rounded, without trailing zeros.
enum NumberText {
    /// The text of a number with so many decimals at most.
    static func text(_ number: Double, decimals: Int) -> String {
        var json = JSONWriter()
        json.value(number, decimals: decimals)
        return json.text
    }
}

/// A time that has passed since, in words.
enum AgeText {
    /// The text of a number of seconds, in the largest unit of which there are two at least.
    static func text(_ seconds: Int) -> String {
        if seconds < 120 { return "\(seconds) s ago" }
        return seconds < 7200 ? "\(seconds / 60) min ago" : "\(seconds / 3600) h ago"
    }
}

/// A JSON object in a line of the output.
enum JSONLine {
    /// The object with the keys that `body` writes.
    static func text(_ body: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter()
        json.beginObject()
        body(&json)
        json.endObject()
        return json.text
    }

    /// An array of texts, as a key of an open object.
    static func list(_ name: String, _ texts: some Sequence<String>, to json: inout JSONWriter) {
        json.beginArray(name)
        for text in texts { json.value(text) }
        json.endArray()
    }
}
