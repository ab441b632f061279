// The length of the sound in a header, read without libsndfile: that makes a file that was cut off shorter without an
// error, and a render that takes it for whole has lost sound.

/// The offset of a file's sound, and the bytes that the header promises.
struct HeaderPromise: Equatable {
  var dataOffset: Int64
  var dataBytes: Int64

  /// Nil where the header states no length (streamed files say 0, −1 or a largest value), or is of a kind that has
  /// none.
  init?(_ storage: any ByteStorage) {
    guard let layout = ContainerLayout(storage), let bytes = layout.statedBytes, bytes != 0 else { return nil }
    dataOffset = layout.dataOffset
    // Eight bytes with the sign bit set are a size that no file has.
    dataBytes = bytes < 0 ? .max / 2 : bytes
  }

  /// Bytes that are missing at the end of a file of `length` bytes.
  func missingBytes(length: Int64) -> Int64 {
    let (end, overflow) = dataOffset.addingReportingOverflow(dataBytes)
    return overflow ? .max : max(0, end - length)
  }
}
