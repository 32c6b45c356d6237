import Bytes
import Testing

@testable import HCI

/// The bytes of Core 5.4, Vol 4 Part E, by the sections that each line names.
@Suite struct HCICommandTests {
    private static func text(_ command: HCICommand) -> String { Hex.text(command.packet.span) }

    @Test("Commands have the bytes of the specification's tables")
    func plain() {
        #expect(Self.text(.reset) == "01030c00", "7.3.2")
        #expect(Self.text(.readLocalSupportedCommands) == "01021000", "7.4.2")
        #expect(Self.text(.leReadLocalSupportedFeatures) == "01032000", "7.8.3")
        #expect(Self.text(.setEventMask) == "01010c08ffffffffff1f0020", "7.3.1: the default and bit 61")
        #expect(Self.text(.leSetEventMask(extended: false)) == "010120081f00000000000000", "7.8.1: the default")
        #expect(Self.text(.leSetEventMask(extended: true)) == "010120081f10000000000000", "7.8.1: and bit 12")
        #expect(Self.text(.scanEnable(true, extended: false)) == "010c20020100", "7.8.11: duplicates aren't filtered")
        #expect(Self.text(.scanEnable(false, extended: false)) == "010c20020000")
        #expect(Self.text(.scanEnable(true, extended: true)) == "01422006010000000000", "7.8.65: without end")
        #expect(Self.text(.scanEnable(false, extended: true)) == "01422006000000000000")
    }

    @Test("Scan passively and all the time by default")
    func legacyParameters() {
        var settings = ScanSettings()
        #expect(Self.text(.leSetScanParameters(settings)) == "010b200700a000a0000000", "7.8.10: 160 slots of 0.625 ms")
        settings.kind = .active
        settings.interval = .milliseconds(60)
        settings.duty = 25
        #expect(Self.text(.leSetScanParameters(settings)) == "010b2007016000180000" + "00")
    }

    @Test("Share the window between both PHYs")
    func extendedParameters() {
        var settings = ScanSettings()
        #expect(
            Self.text(.leSetExtendedScanParameters(settings, coded: false)) == "01412008" + "000001" + "00a000a000",
            "7.8.64")
        settings.kind = .active
        #expect(
            Self.text(.leSetExtendedScanParameters(settings, coded: true))
                == "0141200d" + "000005" + "01a0005000" + "01a0005000")
    }

    @Test("No configuration results in slots that a controller must reject")
    func bounds() {
        for milliseconds in [0, 1, 2, 3, 5, 100, 999, 10_240, 100_000] {
            for duty in [-5, 0, 1, 50, 100, 1000] {
                var settings = ScanSettings()
                settings.interval = .milliseconds(milliseconds)
                settings.duty = duty
                #expect((4...0x4000).contains(settings.intervalSlots))
                for share in [1, 2] {
                    #expect((4...settings.intervalSlots).contains(settings.windowSlots(share: share)))
                }
            }
        }
    }

    @Test("Distinguish an answer from other events, and reject a broken one")
    func answers() throws {
        let complete: [UInt8] = [0x0E, 0x04, 0x01, 0x0C, 0x20, 0x0C]
        #expect(ControllerReply(complete.span) == ControllerReply(.leSetScanEnable, status: 0x0C))
        let features: [UInt8] = [0x0E, 0x0C, 0x01, 0x03, 0x20, 0x00, 1, 2, 3, 4, 5, 6, 7, 8]
        let parameters: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
        #expect(
            ControllerReply(features.span)
                == ControllerReply(.leReadLocalSupportedFeatures, status: 0, parameters: parameters))
        let status: [UInt8] = [0x0F, 0x04, 0x0C, 0x01, 0x0B, 0x20]
        #expect(ControllerReply(status.span) == ControllerReply(.leSetScanParameters, status: 0x0C))
        for event in [complete, features, status] {
            for length in 0..<event.count { #expect(ControllerReply(event.span.extracting(0..<length)) == nil) }
        }
        #expect(ControllerReply([0x0E, 0x03, 0x01, 0x0C, 0x20].span) == nil, "no status")
        #expect(ControllerReply([0x3E, 0x04, 0x01, 0x0C, 0x20, 0x0C].span) == nil)
    }
}
