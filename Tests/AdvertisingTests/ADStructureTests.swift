import Advertising
import Bytes
import Support
import Testing

@Suite struct ADStructureTests {
    private struct Piece: Equatable {
        var type: UInt8
        var payload: [UInt8]
    }

    private func pieces(_ data: [UInt8]) -> (pieces: [Piece], fault: AdvertisingFault?) {
        var pieces: [Piece] = []
        do throws(AdvertisingFault) {
            try ADStructure.forEach(in: data.span) { pieces.append(Piece(type: $0, payload: [UInt8](copying: $1))) }
            return (pieces, nil)
        } catch {
            return (pieces, error)
        }
    }

    @Test func structuresAreGivenInOrder() {
        let (pieces, fault) = pieces(bytes("02 01 06  03 ff 4c 00  01 09"))
        #expect(fault == nil)
        #expect(
            pieces == [
                Piece(type: 1, payload: [6]), Piece(type: 0xFF, payload: [0x4C, 0]), Piece(type: 9, payload: []),
            ])
    }

    @Test func nothingIsNoFault() {
        #expect(pieces([]) == ([], nil))
    }

    @Test func aLengthOfZeroEndsTheSignificantPart() {
        for tail in ["00", "00 00 00", "00 ff", "00 02 01 06"] {
            let (pieces, fault) = pieces(bytes("02 01 06" + tail))
            #expect(pieces.count == 1 && fault == nil)
        }
        #expect(pieces([0]) == ([], nil))
    }

    @Test(arguments: [
        ("01", 0, 0), ("02 01", 0, 0), ("ff", 0, 0), ("02 01 06 02", 1, 3), ("02 01 06 02 09", 1, 3),
        ("02 01 06 1e ff 4c 00 02 15", 1, 3), ("01 09 ff 00", 1, 2),
    ])
    func aLengthThatPassesTheEndIsNamedWithItsPlace(_ hex: String, _ whole: Int, _ at: Int) {
        let (pieces, fault) = pieces(bytes(hex))
        #expect(pieces.count == whole)
        #expect(fault == AdvertisingFault(.structurePastEnd, at: at))
    }

    @Test func everyLengthAtEveryPlaceIsEitherWholeOrAFault() {
        for length in 0...255 {
            for room in 0...255 {
                let (pieces, fault) = pieces([UInt8(length)] + [UInt8](repeating: 0x41, count: room))
                if length == 0 {
                    #expect(pieces.isEmpty && fault == nil)
                } else if length > room {
                    #expect(pieces.isEmpty && fault == AdvertisingFault(.structurePastEnd, at: 0))
                } else {
                    #expect(pieces.first?.payload.count == length - 1)
                }
            }
        }
    }

    @Test func whatIsAppendedIsReadBack() {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<1000 {
            var data: [UInt8] = []
            let written = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                Piece(
                    type: .random(in: 0...255, using: &random),
                    payload: (0..<Int.random(in: 0...60, using: &random)).map { _ in
                        .random(in: 0...255, using: &random)
                    })
            }
            for piece in written { ADStructure.append(type: piece.type, piece.payload.span, to: &data) }
            #expect(pieces(data) == (written, nil))
        }
    }

    @Test func anEndlessPayloadIsCutWhereItsLengthEnds() {
        var data: [UInt8] = []
        ADStructure.append(type: 9, [UInt8](repeating: 1, count: 300).span, to: &data)
        #expect(data.count == 256)
        #expect(pieces(data).fault == nil)
    }
}
