// CapturesTests
