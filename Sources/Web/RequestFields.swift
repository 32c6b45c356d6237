internal import CMicroHTTPD
internal import Glibc

/// The fields of a request that libmicrohttpd has read.
enum RequestFields {
    private final class List {
        var fields: [(name: [UInt8], value: [UInt8])] = []
    }

    /// The fields of the head in their order (MHD_get_connection_values_n).
    static func read(_ handle: OpaquePointer) -> [(name: [UInt8], value: [UInt8])] {
        let list = List()
        let context = unsafe Unmanaged.passUnretained(list).toOpaque()
        _ = unsafe MHD_get_connection_values_n(
            handle, .HEADER_KIND,
            { context, _, name, nameSize, value, valueSize in
                guard let context = unsafe context else { return .NO }
                let list = unsafe Unmanaged<List>.fromOpaque(context).takeUnretainedValue()
                unsafe list.fields.append(
                    (
                        Array(UnsafeRawBufferPointer(start: name, count: nameSize)),
                        Array(UnsafeRawBufferPointer(start: value, count: valueSize))
                    ))
                return .YES
            }, context)
        return list.fields
    }

    /// The address of the other end, an IPv4 one as such even on a socket of IPv6.
    static func peer(_ handle: OpaquePointer) -> String {
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        guard unsafe wb_connection_peer(handle, &text, UInt32(text.count)) == 0 else { return "unknown" }
        let address = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return address.hasPrefix("::ffff:") ? String(address.dropFirst(7)) : address
    }
}
