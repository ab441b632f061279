import AudioCore

/// A device, a graph or a unit that can be put under test.
public protocol DeviceConvertible {
  /// This as a device.
  /// - Parameter playsItself: a graph with files of its own plays them, and gets no input.
  /// - Throws: an error for a graph that cannot run, or cannot take a stimulus.
  func device(playsItself: Bool) throws(BenchError) -> any Device
  /// True when it has a sound of its own, so that it needs no stimulus.
  var playsFiles: Bool { get }
}

extension Device {
  /// The device itself; `playsItself` changes nothing.
  public func device(playsItself: Bool) throws(BenchError) -> any Device { self }
  /// False unless the device has a sound of its own.
  public var playsFiles: Bool { false }
}
