/// Gives a fuzzer's input to parsers, one after another.
public func feed(_ bytes: UnsafeBufferPointer<UInt8>, to subjects: [Subject]) {
    for subject in subjects { _ = subject.parse(bytes.span) }
}
