internal import Glibc

/// The kernel's error numbers, and the faults that they mean.
enum ErrorNumber {
    /// The kernel has no Bluetooth.
    static let noSuchFamily = EAFNOSUPPORT

    /// The system's text for an error. (strerror_r)
    static func text(_ code: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 128)
        // The GNU form would return its own pointer; the C library's Swift module offers the POSIX form.
        _ = unsafe strerror_r(code, &buffer, buffer.count)
        let text = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return text.isEmpty ? "error \(code)" : text
    }

    /// The fault that a failed call on an adapter means.
    static func fault(_ code: Int32, of call: String, on adapter: String, _ choice: AdapterChoice) -> RadioFault {
        switch code {
        case EPERM, EACCES: .notPermitted("\(call) \(adapter)")
        case EBUSY: .held(adapter)
        case ERFKILL: .blocked(adapter, isHard: false)
        case ENODEV, EPIPE, EBADFD: .noAdapter(choice)
        case ENETDOWN: .down(adapter)
        case ETIMEDOUT: .silent(adapter)
        default: .system(call: "\(call) \(adapter)", code: code)
        }
    }

    /// True if the error means that the operation is impossible on this machine.
    static func isLackOfMeans(_ code: Int32) -> Bool {
        [EPERM, EACCES, EROFS, ENOENT, ENOTDIR, EOPNOTSUPP, ENOSYS].contains(code)
    }
}
