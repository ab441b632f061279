import AudioCore
import AudioEngine
import DeviceUnits
import Hardware
import Synchronization
import Testing

/// An app's view of its own clock while the hardware changes its rate.
@Suite struct DeviceOutputRateChangeTests {
  @Test(
    "the app is asked for one moment after the other, and both of its buses go on together",
    arguments: [44_100.0, 8_000, 48_000])
  func clocks(_ appRate: Double) throws {
    var scenario = Scenario()
    scenario.device.clock = .told
    scenario.device.sampleRate = 44_100
    scenario.device.slices = [441, 512]
    scenario.events = [48_000.0, 44_100, 8_000, 44_100].enumerated().map { index, rate in
      var change = ScenarioEvent.RouteChange()
      (change.blockedSeconds, change.sampleRate) = (index == 2 ? 0.1 : 0, rate)
      return ScenarioEvent(seconds: 0.5 * Double(index + 1), .route(change))
    }
    let hardware = SimulatedHardware(DeviceConfiguration())
    try hardware.follow(scenario)
    let unit = DeviceOutput(.remoteIO, hardware: hardware)
    try unit.setProperty(.enableIO, .input, element: 1, to: .uint32(1))
    let format = StreamFormat(sampleRate: appRate, channelCount: 1)
    try unit.setStreamFormat(format, .input, element: 0)
    try unit.setStreamFormat(format, .output, element: 1)
    struct Seen {
      var asked: [(start: Int64, frames: Int)] = []
      var heard: [(start: Int64, frames: Int)] = []
      var apart: [Double] = []
    }
    let seen = Mutex(Seen())
    try unit.setRenderCallback(
      RenderCallback { time, _, frames, buffer in
        buffer.fillWithSilence(format, frames: frames)
        seen.withLock {
          $0.asked.append((time, frames))
          if let last = $0.heard.last { $0.apart.append(Double(time - last.start) / appRate) }
        }
        return .noError
      }, input: 0)
    unit.inputAvailable = { time, frames in
      seen.withLock { $0.heard.append((time.sampleTime, frames)) }
    }
    try unit.initialize()
    try unit.start()
    try hardware.advance(seconds: 2.5)
    unit.stop()
    let (asked, heard, apart) = seen.withLock { ($0.asked, $0.heard, $0.apart) }
    for (name, slices) in [("asked", asked), ("heard", heard)] {
      let jumps = zip(slices, slices.dropFirst()).map { $1.start - ($0.start + Int64($0.frames)) }
      #expect(jumps.allSatisfy { $0 >= 0 }, "\(name): \(jumps.filter { $0 < 0 })")
      // Four changes; nothing is rendered or heard in the blocked 0.1 s. The frames that were read ahead are left out,
      // some milliseconds at 8 kHz.
      let long = jumps.filter { $0 > 0 }
      #expect(long.count <= 4 && Double(long.reduce(0, +)) < 0.2 * appRate, "\(name): \(long)")
    }
    // Frames are pulled ahead by the read-ahead of the conversion, and by no more.
    #expect(
      apart.allSatisfy { (-0.001..<0.05).contains($0) }, "\(apart.filter { !(-0.001..<0.05).contains($0) }.prefix(5))")
    let end = Double(heard.last.map { $0.start + Int64($0.frames) } ?? 0) / appRate
    #expect(abs(end - 2.5) < 0.1, "\(end)")
  }
}
