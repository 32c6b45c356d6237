// BytesTests
