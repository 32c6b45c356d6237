internal import CMicroHTTPD
internal import Glibc

/// The sending of an answer: a response of libmicrohttpd whose content is read from a Swift object.
enum ResponseHandle {
    /// The most bytes that are copied at once, which libmicrohttpd allocates for each answer.
    private static let block = 16 * 1024

    /// Gives an answer to a connection (MHD_queue_response); false if the connection must be closed instead.
    static func queue(_ response: HTTPResponse, closing: Bool, on handle: OpaquePointer) -> Bool {
        let size = response.body.count
        let created =
            if size == 0 {
                unsafe MHD_create_response_from_buffer(0, nil, .RESPMEM_PERSISTENT)
            } else {
                unsafe MHD_create_response_from_callback(
                    UInt64(size), min(size, block), readBody,
                    Unmanaged.passRetained(BodyReader(response.body)).toOpaque(), releaseBody)
            }
        guard let created = unsafe created else { return false }
        let close = closing ? [HTTPResponse.Header("Connection", "close")] : []
        return unsafe queue(created, response.status, response.headers + close, on: handle)
    }

    /// Gives a stream to a connection.
    static func queue(_ stream: StreamSending, headers: [HTTPResponse.Header], on handle: OpaquePointer) -> Bool {
        let created = unsafe MHD_create_response_from_callback(
            UInt64.max, block, readStream, Unmanaged.passRetained(stream).toOpaque(), releaseStream)
        guard let created = unsafe created else { return false }
        let kind = HTTPResponse.Header("Content-Type", "text/event-stream")
        return unsafe queue(created, 200, [kind] + headers, on: handle)
    }

    private static func queue(
        _ response: OpaquePointer, _ status: Int, _ headers: [HTTPResponse.Header], on handle: OpaquePointer
    ) -> Bool {
        defer { unsafe MHD_destroy_response(response) }
        for header in headers { _ = unsafe MHD_add_response_header(response, header.name, header.value) }
        return unsafe MHD_queue_response(handle, UInt32(status), response) == .YES
    }
}

/// A stream on its connection, which it suspends when it has nothing to send.
@safe final class StreamSending {
    let reader: StreamReader
    private let handle: OpaquePointer

    init(_ reader: StreamReader, on handle: OpaquePointer) {
        self.reader = reader
        unsafe self.handle = unsafe handle
    }

    func read(into room: UnsafeMutableRawBufferPointer) -> Int {
        switch unsafe reader.read(into: room, at: .now) {
        case .bytes(let count): return count
        case .end: return wb_end_of_stream()
        case .nothing:
            reader.isSuspended = true
            unsafe MHD_suspend_connection(handle)
            return 0
        }
    }
}

private func readBody(
    _ context: UnsafeMutableRawPointer?, _ position: UInt64, _ room: UnsafeMutablePointer<CChar>?, _ size: Int
) -> Int {
    guard let context = unsafe context else { return wb_end_of_stream() }
    let reader = unsafe Unmanaged<BodyReader>.fromOpaque(context).takeUnretainedValue()
    return unsafe reader.read(from: Int(position), into: UnsafeMutableRawBufferPointer(start: room, count: size))
}

private func releaseBody(_ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<BodyReader>.fromOpaque(context).release()
}

private func readStream(
    _ context: UnsafeMutableRawPointer?, _ position: UInt64, _ room: UnsafeMutablePointer<CChar>?, _ size: Int
) -> Int {
    guard let context = unsafe context else { return wb_end_of_stream() }
    let stream = unsafe Unmanaged<StreamSending>.fromOpaque(context).takeUnretainedValue()
    return unsafe stream.read(into: UnsafeMutableRawBufferPointer(start: room, count: size))
}

private func releaseStream(_ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<StreamSending>.fromOpaque(context).release()
}
