// What all units and programs of a process share of the simulated hardware: one set-up, one object number, and the count
// of files written so far. No render path comes here.

import AudioCore
import Glibc

/// The simulated audio hardware of the machine: 2 channels out, 2 channels in.
public final class SimulatedHardware: Sendable {
  /// The `AudioObjectID` of the device.
  public static let deviceID: UInt32 = 50
  /// The `AudioObjectID` of the stream that plays.
  public static let outputStreamID: UInt32 = 51
  /// The `AudioObjectID` of the stream that records.
  public static let inputStreamID: UInt32 = 52
  /// What `kAudioObjectPropertyName` and `kAudioObjectPropertyModelName` answer.
  public static let name = "Simulated Device"
  /// What `kAudioDevicePropertyDeviceUID` and `kAudioDevicePropertyModelUID` answer.
  public static let uniqueID = "aubench-simulated-device"
  /// What `kAudioObjectPropertyManufacturer` answers.
  public static let maker = "aubench"

  /// The device of this process, set up by its environment when it is first asked for.
  public static let shared = SimulatedHardware(
    DeviceConfiguration(variable: { FileSystem.environment($0) }, complain: complain))

  private struct State {
    var configuration: DeviceConfiguration
    var runs = 0
  }
  private let state: Locked<State>

  /// Hardware apart from ``shared``, with a set-up of its own. Nothing of the set-up is checked here.
  public init(_ configuration: DeviceConfiguration) { state = Locked(State(configuration: configuration)) }

  /// The set-up that the next run will have.
  public var configuration: DeviceConfiguration { state.withLock { $0.configuration } }

  /// Sets the rate for units that are initialized from now on.
  /// - Throws: `.invalidPropertyValue` for anything but a whole number of hertz in ``DeviceConfiguration/sampleRates``.
  public func setSampleRate(_ rate: Double) throws(AudioStatus) {
    guard DeviceConfiguration.sampleRates.contains(rate), rate == rate.rounded() else { throw .invalidPropertyValue }
    state.withLock { $0.configuration.sampleRate = rate }
  }

  /// Sets the frames of a cycle for runs that start from now on.
  /// - Throws: `.invalidPropertyValue` outside of ``DeviceConfiguration/bufferFrameCounts``.
  public func setBufferFrames(_ frames: Int) throws(AudioStatus) {
    guard DeviceConfiguration.bufferFrameCounts.contains(frames) else { throw .invalidPropertyValue }
    state.withLock { $0.configuration.bufferFrames = frames }
  }

  /// The file of the next run: the path as it was given, then with -2, -3, … in front of its suffix.
  func nextWavePath() -> String? {
    state.withLock { state in
      guard let path = state.configuration.wavePath else { return nil }
      state.runs += 1
      return Self.numbered(path, state.runs)
    }
  }

  package static func numbered(_ path: String, _ number: Int) -> String {
    guard number > 1 else { return path }
    // A name that begins with its only dot has no suffix.
    guard let ending = FileName.fileExtension(of: path), !FileName.stem(of: FileName.last(of: path)).isEmpty else {
      return "\(path)-\(number)"
    }
    return "\(FileName.stem(of: path))-\(number).\(ending)"
  }

  /// One line on standard error: the simulated hardware never ends the program.
  @Sendable package static func complain(_ message: String) {
    ErrorLine.write("simulated hardware: \(message)")
  }
}
