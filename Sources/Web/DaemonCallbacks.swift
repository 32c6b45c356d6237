internal import CMicroHTTPD
internal import Glibc

/// The callbacks of libmicrohttpd. All arrive on the server's thread, inside `Daemon.run` and `Daemon.stop`.
enum DaemonCallbacks {
    static func install(in settings: inout wb_daemon_settings) {
        unsafe settings.on_target = onTarget
        unsafe settings.on_request = onRequest
        unsafe settings.on_completed = onCompleted
        unsafe settings.on_connection = onConnection
    }
}

private func serverState(_ context: UnsafeMutableRawPointer?) -> ServerState? {
    guard let context = unsafe context else { return nil }
    return unsafe Unmanaged<ServerState>.fromOpaque(context).takeUnretainedValue()
}

private func exchange(_ context: UnsafeMutableRawPointer?) -> HTTPExchange? {
    guard let context = unsafe context else { return nil }
    return unsafe Unmanaged<HTTPExchange>.fromOpaque(context).takeUnretainedValue()
}

/// A connection begins or has ended. Its object is retained by the library in between.
private func onConnection(
    _ context: UnsafeMutableRawPointer?, _ handle: OpaquePointer?,
    _ stored: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ code: MHD_ConnectionNotificationCode
) {
    guard let state = unsafe serverState(context), let handle = unsafe handle, let stored = unsafe stored else {
        return
    }
    switch code {
    case .CONNECTION_NOTIFY_STARTED:
        let connection = state.open(socket: unsafe wb_connection_socket(handle))
        unsafe stored.pointee = unsafe Unmanaged.passRetained(connection).toOpaque()
    case .CONNECTION_NOTIFY_CLOSED:
        guard let object = unsafe stored.pointee else { return }
        state.close(unsafe Unmanaged<HTTPConnection>.fromOpaque(object).takeRetainedValue())
        unsafe stored.pointee = nil
    }
}

/// The first line of a request was read. Returns its exchange, which the library keeps until `onCompleted`.
private func onTarget(
    _ context: UnsafeMutableRawPointer?, _ target: UnsafePointer<CChar>?, _ handle: OpaquePointer?
) -> UnsafeMutableRawPointer? {
    guard let state = unsafe serverState(context), let target = unsafe target, let handle = unsafe handle,
        let object = unsafe wb_connection_context(handle)
    else { return nil }
    let connection = unsafe Unmanaged<HTTPConnection>.fromOpaque(object).takeUnretainedValue()
    let bytes = unsafe Array(UnsafeRawBufferPointer(start: target, count: strlen(target)))
    let exchange = unsafe state.begin(bytes, handle: handle, connection)
    return unsafe Unmanaged.passRetained(exchange).toOpaque()
}

/// The head of a request, a piece of its body, its end, or the resumption of its connection.
private func onRequest(
    _ context: UnsafeMutableRawPointer?, _ handle: OpaquePointer?, _ target: UnsafePointer<CChar>?,
    _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?, _ upload: UnsafePointer<CChar>?,
    _ uploadSize: UnsafeMutablePointer<Int>?, _ stored: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let state = unsafe serverState(context), let exchange = unsafe exchange(stored?.pointee),
        let method = unsafe method, let uploadSize = unsafe uploadSize
    else { return .NO }
    let piece = unsafe UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee)
    unsafe uploadSize.pointee = 0
    return unsafe state.process(exchange, method: String(cString: method), piece: Array(piece)) ? .YES : .NO
}

/// The answer was sent, or the connection was lost.
private func onCompleted(
    _ context: UnsafeMutableRawPointer?, _ handle: OpaquePointer?,
    _ stored: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ code: MHD_RequestTerminationCode
) {
    guard let state = unsafe serverState(context), let object = unsafe stored?.pointee else { return }
    unsafe stored?.pointee = nil
    state.end(unsafe Unmanaged<HTTPExchange>.fromOpaque(object).takeRetainedValue())
}
