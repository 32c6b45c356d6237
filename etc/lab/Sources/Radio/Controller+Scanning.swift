import Advertising
import Bytes

extension Controller {
    /// The scan commands (Core Vol 4 Part E 7.8.10, 7.8.11, 7.8.64, 7.8.65).
    mutating func scan(_ opcode: Opcode, _ parameters: Span<UInt8>, at now: Nanoseconds) -> [Effect] {
        switch opcode {
        case .leSetScanParameters:
            guard !scanning.isEnabled else { return [complete(opcode, .commandDisallowed)] }
            guard isTiming(parameters, at: 1), parameters[0] <= 1 else { return [complete(opcode, .invalidParameters)] }
            (scanning.isActive, scanning.phys) = (parameters[0] == 1, 1)
            return [scanParameters(parameters, timing: 1), complete(opcode, .success)]
        case .leSetExtendedScanParameters: return setExtendedScanParameters(parameters)
        case .leSetScanEnable:
            guard parameters[0] <= 1, parameters[1] <= 1 else { return [complete(opcode, .invalidParameters)] }
            return enable(parameters, form: .legacy, until: nil) + [complete(opcode, .success)]
        default:
            guard parameters[0] <= 1, parameters[1] <= 2 else { return [complete(opcode, .invalidParameters)] }
            let duration = parameters.littleEndian(UInt16.self, at: 2) ?? 0
            let end = duration == 0 ? nil : now + .milliseconds(Double(duration) * 10)
            return enable(parameters, form: .extended, until: end) + [complete(opcode, .success)]
        }
    }

    private mutating func setExtendedScanParameters(_ parameters: Span<UInt8>) -> [Effect] {
        let opcode = Opcode.leSetExtendedScanParameters
        let phys = parameters[2]
        guard !scanning.isEnabled else { return [complete(opcode, .commandDisallowed)] }
        guard phys != 0, phys & ~(model.coded ? 5 : 1) == 0 else { return [complete(opcode, .unsupportedParameter)] }
        let listened = phys.nonzeroBitCount
        guard parameters.count == 3 + 5 * listened,
            (0..<listened).allSatisfy({ isTiming(parameters, at: 4 + 5 * $0) && parameters[3 + 5 * $0] <= 1 })
        else { return [complete(opcode, .invalidParameters)] }
        (scanning.isActive, scanning.phys) = (parameters[3] == 1, phys)
        return [scanParameters(parameters, timing: 4), complete(opcode, .success)]
    }

    private func scanParameters(_ parameters: Span<UInt8>, timing: Int) -> Effect {
        let interval = parameters.littleEndian(UInt16.self, at: timing) ?? 0
        let window = parameters.littleEndian(UInt16.self, at: timing + 2) ?? 0
        return .truth(
            "scan-parameters active=\(scanning.isActive) phys=\(scanning.phys) interval=\(interval) window=\(window)")
    }

    private mutating func enable(
        _ parameters: Span<UInt8>, form: AdvertisingReportEncoder.Form, until end: Nanoseconds?
    ) -> [Effect] {
        guard parameters[0] == 1 else { return endScan() }
        scanning.enable(form: form, filteringDuplicates: parameters[1] != 0, until: end)
        beacons.pause()
        return [.truth("scan on form=\(form) duplicates=\(scanning.filtersDuplicates ? "filtered" : "all")")]
    }

    /// Scanning is off afterwards.
    mutating func endScan() -> [Effect] {
        guard scanning.isEnabled else { return [] }
        scanning.disable()
        return [.truth("scan off sent=\(scanning.reports) sum=\(reports)")]
    }

    /// Whether an interval and a window, in units of 0.625 ms, are within the specification.
    private func isTiming(_ parameters: Span<UInt8>, at offset: Int) -> Bool {
        guard let interval = parameters.littleEndian(UInt16.self, at: offset),
            let window = parameters.littleEndian(UInt16.self, at: offset + 2)
        else { return false }
        return window >= 0x0004 && window <= interval && (model.kind == .extended || interval <= 0x4000)
    }

    /// What the host is told of transmissions that came in together.
    mutating func hear(_ transmissions: [Transmission]) -> [Effect] {
        guard scanning.isEnabled, !isHung, !isMute else { return [] }
        var effects: [Effect] = []
        var encoder = AdvertisingReportEncoder(scanning.form)
        func flush() {
            guard encoder.count > 0 else { return }
            let count = UInt64(encoder.count)
            if let event = metaEvent(encoder.takeEvent(), reports: count) { effects.append(event) }
        }
        for transmission in transmissions where scanning.takes(transmission.report) {
            for (report, data) in packets(of: transmission) {
                if data.count > AdvertisingReportEncoder.maximumFragmentLength {
                    flush()
                    // The last piece makes the report.
                    let pieces = AdvertisingReportEncoder.fragments(report, data.span)
                    for (index, event) in pieces.enumerated() {
                        let effect = metaEvent(event, reports: index == pieces.count - 1 ? 1 : 0)
                        if let effect { effects.append(effect) }
                    }
                } else if !encoder.append(report, data.span) {
                    flush()
                    encoder.append(report, data.span)
                }
            }
        }
        flush()
        return effects
    }

    private func packets(of transmission: Transmission) -> [(AdvertisingReport, [UInt8])] {
        guard scanning.isActive, let response = transmission.response else {
            return [(transmission.report, transmission.data)]
        }
        var answer = transmission.report
        answer.eventType.formUnion(.scanResponse)
        if scanning.form == .legacy { answer.eventType = .scanRsp }
        return [(transmission.report, transmission.data), (answer, response)]
    }
}
