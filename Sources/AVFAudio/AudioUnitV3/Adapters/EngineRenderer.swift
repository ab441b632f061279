// A slice of a unit of the engine for a host of version 3. Runs on the host's render thread: no allocation, no lock.

import AVFAudioFiles
import AudioCore
import AudioEngine
import Foundation

/// Renders a unit of the engine, whose inputs a host's function gives.
final class EngineRenderer {
  /// The host's function while a slice is rendered.
  private final class Source {
    var pull: AURenderPullInputBlock?
    var list: UnsafeMutableAudioBufferListPointer
    init(_ buffers: Int) { list = AudioBufferList.allocate(maximumBuffers: max(1, buffers)) }
    deinit { free(list.unsafeMutablePointer) }
  }

  private weak var unit: AudioEngine.Unit?
  private let sources: [Source]

  /// - Parameter functions: give frames where no host does; nil: nothing does.
  init(_ unit: AudioEngine.Unit, _ functions: OutputUnitFunctions? = nil) {
    self.unit = unit
    var sources: [Source] = []
    for bus in 0..<unit.elementCount(.input) {
      let format = (try? unit.streamFormat(.input, element: bus)) ?? .initial
      let source = Source(format.bufferCount)
      sources.append(source)
      try? unit.setRenderCallback(
        RenderCallback { sampleTime, bus, frames, buffer in
          guard let pull = source.pull ?? functions?.provider else { return .noConnection }
          source.list.count = buffer.count
          for index in 0..<buffer.count {
            source.list[index] = AudioBuffer(
              mNumberChannels: UInt32(format.isInterleaved ? format.channelCount : 1),
              mDataByteSize: UInt32(frames * format.bytesPerFrame), mData: buffer.buffers[index])
          }
          var flags = AudioUnitRenderActionFlags()
          var stamp = AudioTimeStamp()
          stamp.mSampleTime = Double(sampleTime)
          stamp.mFlags = .sampleTimeValid
          if let host = functions?.hostTime, host > 0 {
            stamp.mHostTime = host
            stamp.mFlags = [.sampleTimeValid, .hostTimeValid]
          }
          let status = pull(&flags, &stamp, AUAudioFrameCount(frames), bus, source.list.unsafeMutablePointer)
          guard status == noErr else { return AudioStatus(status) }
          for index in 0..<buffer.count {
            guard let data = source.list[index].mData else { return .noConnection }
            buffer.buffers[index] = data
          }
          return .noError
        }, input: bus)
    }
    self.sources = sources
  }

  func render(
    _ stamp: UnsafePointer<AudioTimeStamp>, _ frames: AUAudioFrameCount, _ bus: Int,
    _ data: UnsafeMutablePointer<AudioBufferList>, _ events: UnsafePointer<AURenderEvent>?,
    _ pull: AURenderPullInputBlock?
  ) -> AUAudioUnitStatus {
    guard let unit, let time = Int64(exactly: stamp.pointee.mSampleTime.rounded(.down)) else {
      return kAudioUnitErr_Uninitialized
    }
    for source in sources { source.pull = pull }
    defer { for source in sources { source.pull = nil } }
    schedule(events, on: unit, at: time)
    do throws(AudioStatus) {
      let output = try unit.render(output: bus, sampleTime: time, frames: Int(frames))
      let format = try unit.streamFormat(.output, element: bus)
      let list = UnsafeMutableAudioBufferListPointer(data)
      let bytes = Int(frames) * format.bytesPerFrame
      for index in 0..<min(list.count, output.count) {
        if let place = list[index].mData, Int(list[index].mDataByteSize) >= bytes {
          place.copyMemory(from: output.buffers[index], byteCount: bytes)
        } else {
          list[index].mData = output.buffers[index]
        }
        list[index].mDataByteSize = UInt32(clamping: bytes)
      }
      return noErr
    } catch { return error.rawValue }
  }

  // MARK: Events

  /// A ramp that lasts beyond the slice that it began in.
  private struct Ramp: BitwiseCopyable {
    var address: AUParameterAddress = 0
    var start: Int64 = 0
    var frames: UInt32 = 0
    var from: Float = 0
    var to: Float = 0
  }
  private let ramps = FlatMemory<Ramp>(repeating: Ramp(), count: 64)
  private var rampCount = 0

  /// Hands over the events of the slice, and goes on with ramps: events of the engine live for one slice. A ramp begins at
  /// the present value.
  private func schedule(_ events: UnsafePointer<AURenderEvent>?, on unit: AudioEngine.Unit, at time: Int64) {
    endRamps { $0.start &+ Int64($0.frames) <= time }
    for index in 0..<rampCount { schedule(ramps[index], on: unit, at: time) }
    var node = events
    while let event = node {
      let parameter = event.pointee.parameter
      let type = event.pointee.head.eventType
      if type == .parameter || type == .parameterRamp {
        endRamps { $0.address == parameter.parameterAddress }
      }
      if type == .parameter {
        let offset = UInt32(clamping: parameter.eventSampleTime &- time)
        try? unit.scheduleParameters(count: 1) { _ in
          .immediate(UnitAddress.parameter(parameter.parameterAddress), offset: offset, value: parameter.value)
        }
      } else if type == .parameterRamp,
        let from = try? unit.parameter(UnitAddress.parameter(parameter.parameterAddress))
      {
        let ramp = Ramp(
          address: parameter.parameterAddress, start: parameter.eventSampleTime,
          frames: parameter.rampDurationSampleFrames, from: from, to: parameter.value)
        schedule(ramp, on: unit, at: time)
        if rampCount < ramps.count {
          ramps[rampCount] = ramp
          rampCount += 1
        }
      }
      node = UnsafePointer(event.pointee.head.next)
    }
  }

  private func endRamps(_ isOver: (Ramp) -> Bool) {
    var kept = 0
    for index in 0..<rampCount where !isOver(ramps[index]) {
      ramps[kept] = ramps[index]
      kept += 1
    }
    rampCount = kept
  }

  private func schedule(_ ramp: Ramp, on unit: AudioEngine.Unit, at time: Int64) {
    try? unit.scheduleParameters(count: 1) { _ in
      .ramp(
        UnitAddress.parameter(ramp.address), startOffset: Int32(clamping: ramp.start &- time),
        durationFrames: ramp.frames, from: ramp.from, to: ramp.to)
    }
  }
}
