// The recording of a run of the simulated hardware. Runs on the hardware's thread, behind the render call and never
// within it: nothing is lost, however slow the disk is.

import AudioCore
import Glibc
import SoundFile

/// A 32-bit float WAV file of everything that a run pulled; it appears when the run, or the program, ends.
package final class WaveRecorder: Sendable {
  private struct State {
    var writer: SoundFileWriter?
  }

  private let path: String
  private let planes: PlanarBuffer
  /// Between the hardware's thread and the one that ends the program.
  private let state: Locked<State>
  private let complain: @Sendable (String) -> Void

  /// Recorders whose file is still to be finished when the program ends without stopping the hardware.
  private static let unfinished = Locked<[ObjectIdentifier: WaveRecorder]>([:])
  private static let finishesAtExit: Bool =
    atexit { for recorder in WaveRecorder.unfinished.withLock({ Array($0.values) }) { recorder.finish() } } == 0

  /// A file that cannot be opened is reported; the run then goes on without one.
  package init(
    path: String, _ configuration: DeviceConfiguration,
    complain: @escaping @Sendable (String) -> Void = SimulatedHardware.complain
  ) {
    self.path = path
    self.complain = complain
    planes = PlanarBuffer(channelCount: configuration.channelCount, frameCapacity: configuration.bufferFrames)
    do {
      let writer = try SoundFileWriter(
        path: path, format: SoundFileFormat(container: .wav, encoding: .float32),
        sampleRate: configuration.sampleRate, channelCount: configuration.channelCount,
        expectedFrames: configuration.frameLimit)
      state = Locked(State(writer: writer))
    } catch {
      state = Locked(State(writer: nil))
      complain("\(error)")
      return
    }
    _ = Self.finishesAtExit
    Self.unfinished.withLock { $0[ObjectIdentifier(self)] = self }
  }

  /// Appends frames of an interleaved Float32 buffer, at most one cycle of them. After an error, reported once, nothing
  /// more is written.
  package func append(_ samples: Plane<Float>, frames: Int) {
    precondition(frames <= planes.frameCapacity)
    let channelCount = planes.channelCount
    for channel in 0..<channelCount {
      let plane = planes[channel]
      for frame in 0..<frames { plane[frame] = samples[frame * channelCount + channel] }
    }
    state.withLock { state in
      guard let writer = state.writer else { return }
      do {
        try writer.write(planes.planes, frames: frames)
      } catch {
        complain("\(error)")
        state.writer = nil
      }
    }
  }

  /// Gives the file its name. Does nothing the second time.
  package func finish() {
    state.withLock { state in
      guard let writer = state.writer else { return }
      state.writer = nil
      do {
        _ = try writer.finish()
      } catch {
        complain("\(error)")
      }
    }
    Self.unfinished.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(self)) }
  }
}
