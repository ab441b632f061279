import AudioCore

/// Numbers of buses, and sizes.
extension Unit {
  /// Input or output buses; 1 for the global scope, 0 for any other.
  public func elementCount(_ scope: Scope) -> Int {
    switch scope {
    case .global: 1
    case .input: inputs.count
    case .output: outputs.count
    default: 0
    }
  }

  /// Changes the number of buses. New ones have the initial format and initial values.
  public func setElementCount(_ count: Int, _ scope: Scope) throws(AudioStatus) {
    let range = elementCountRange(scope)
    guard range.lowerBound < range.upperBound else { throw .propertyNotWritable }
    guard !isInitialized else { throw .initialized }
    guard range.contains(count) || count == 0 && scope == .input && HostTraits.of(self).mayHaveNoInputs else {
      throw .invalidPropertyValue
    }
    try elementCountWillChange(to: count, scope)
    func resized(_ buses: [Bus]) -> [Bus] {
      buses.prefix(count) + Array(repeating: Bus(format: .initial), count: max(0, count - buses.count))
    }
    if scope == .input {
      inputs = resized(inputs)
      feeds = feeds.filter { $0.key < count }
    } else {
      outputs = resized(outputs)
    }
    rebuildStore()
    elementCountDidChange(scope)
  }

  /// The range of the longest slice.
  package static let sliceFrames = 1...(1 << 20)

  /// - Parameter frames: 1 to 2^20.
  /// - Throws: `.initialized` unless the unit is open, `.invalidPropertyValue` outside of the range.
  public func setMaximumFramesPerSlice(_ frames: Int) throws(AudioStatus) {
    guard !isInitialized else { throw .initialized }
    guard Self.sliceFrames.contains(frames) else { throw .invalidPropertyValue }
    maximumFramesPerSlice = frames
  }

  /// - Parameter frames: 0 to 2^20; 0 sets parameters at once.
  /// - Throws: `.initialized` unless the unit is open, `.invalidPropertyValue` outside of the range.
  public func setSmoothingFrames(_ frames: Int) throws(AudioStatus) {
    guard !isInitialized else { throw .initialized }
    guard ParameterSmoothing.range.contains(frames) else { throw .invalidPropertyValue }
    smoothingFrames = frames
  }
}
