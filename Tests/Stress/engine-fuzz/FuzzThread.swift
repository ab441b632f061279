import AVFAudio
import AVFAudioFiles
import Foundation
import Synchronization
import TestSupport

/// The engine of all threads, with what one of them has rendered.
final class SharedEngine: @unchecked Sendable {
  let engine = AVAudioEngine()
  let format: AVAudioFormat
  private let frames = Atomic<Int>(0)
  /// A sample that is no finite number; set by the thread that renders, read when all have ended.
  var notFinite: Float?

  init(seed: UInt64) throws {
    guard let format = AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2) else {
      throw CocoaError(.featureUnsupported)
    }
    self.format = format
    _ = engine.mainMixerNode
    try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 512)
    try engine.start()
  }

  var renderedFrames: Int { frames.load(ordering: .relaxed) }

  func render(_ count: AVAudioFrameCount, into buffer: AVAudioPCMBuffer) {
    guard (try? engine.renderOffline(count, to: buffer)) != nil, let samples = buffer.floatChannelData else { return }
    frames.add(Int(buffer.frameLength), ordering: .relaxed)
    for channel in 0..<2 {
      for frame in 0..<Int(buffer.frameLength) where !samples[channel][frame].isFinite {
        notFinite = samples[channel][frame]
      }
    }
  }
}

/// A thread's own nodes, buffers and converters, and its calls in a drawn order.
final class FuzzThread {
  private let shared: SharedEngine
  private let renders: Bool
  /// True where no other thread plays on the engine: only then may it be stopped.
  private let isAlone: Bool
  private let folder: String
  private var draw: SeededGenerator
  private let output: AVAudioPCMBuffer?
  private var nodes: [AVAudioNode] = []
  private var tapped: Set<ObjectIdentifier> = []
  private var converters: [AVAudioConverter] = []
  private var fileNumber = 0

  init(_ shared: SharedEngine, renders: Bool, isAlone: Bool, folder: String, seed: UInt64) {
    self.shared = shared
    self.renders = renders
    self.isAlone = isAlone
    self.folder = folder
    draw = SeededGenerator(seed: seed)
    output = AVAudioPCMBuffer(pcmFormat: shared.format, frameCapacity: 512)
  }

  func end() {
    while !nodes.isEmpty { removeNode() }
  }

  func call() {
    switch Int.random(in: 0..<100, using: &draw) {
    case 0..<4: addNode()
    case 4..<7: removeNode()
    case 7..<14: connect()
    case 14..<17: disconnect()
    case 17..<27: schedule()
    case 27..<37: steer()
    case 37..<57: setValue()
    case 57..<61: tap()
    case 61..<65: converters.count < 4 ? makeConverter() : convert()
    case 65..<69: convert()
    case 69..<70: file()
    case 70..<78: format()
    case 78..<80: state()
    case 80..<84: ask()
    default: render()
    }
  }

  // MARK: Draws

  private func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &draw) }
  /// Often within a usual range, sometimes anything.
  private func value(_ usual: ClosedRange<Float>) -> Float {
    switch number(0...19) {
    case 0: Float(bitPattern: UInt32.random(in: 0 ... .max, using: &draw))
    case 1: [.nan, .infinity, -.infinity, 0, -0, .greatestFiniteMagnitude, .leastNonzeroMagnitude][number(0...6)]
    default: Float.random(in: usual, using: &draw)
    }
  }
  private var rate: Double { [8_000, 16_000, 22_050, 44_100, 48_000, 96_000][number(0...5)] }
  private func standard() -> AVAudioFormat? {
    AVAudioFormat(standardFormatWithSampleRate: rate, channels: AVAudioChannelCount(number(1...2)))
  }
  private func anyNode<Node>(_ type: Node.Type) -> Node? {
    nodes.compactMap { $0 as? Node }.randomElement(using: &draw)
  }
  private func time() -> AVAudioTime? {
    switch number(0...5) {
    case 0: nil
    case 1: AVAudioTime(sampleTime: .random(in: .min ... .max, using: &draw), atRate: rate)
    case 2: AVAudioTime(hostTime: .random(in: 0 ... .max, using: &draw))
    default: AVAudioTime(sampleTime: AVAudioFramePosition(number(0...100_000)), atRate: rate)
    }
  }
  private func sound(_ format: AVAudioFormat, _ frames: Int) -> AVAudioPCMBuffer? {
    guard let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(frames)) else { return nil }
    buffer.frameLength = buffer.frameCapacity
    guard let samples = buffer.floatChannelData else { return buffer }
    for channel in 0..<Int(format.channelCount) {
      for frame in 0..<frames { samples[channel][frame * buffer.stride] = Float.random(in: -1...1, using: &draw) }
    }
    return buffer
  }

  // MARK: Calls

  private func addNode() {
    guard nodes.count < 12 else { return }
    let node: AVAudioNode
    switch number(0...8) {
    case 0...2: node = AVAudioPlayerNode()
    case 3: node = AVAudioMixerNode()
    case 4: node = AVAudioUnitEQ(numberOfBands: number(1...8))
    case 5: node = AVAudioUnitDelay()
    case 6: node = [AVAudioUnitDistortion(), AVAudioUnitReverb()][number(0...1)]
    case 7: node = [AVAudioUnitVarispeed(), AVAudioUnitTimePitch()][number(0...1)]
    default:
      let level = Float.random(in: 0...1, using: &draw)
      node = AVAudioSourceNode { _, _, frames, list in
        for buffer in UnsafeMutableAudioBufferListPointer(list) {
          let samples = buffer.mData?.assumingMemoryBound(to: Float.self)
          for frame in 0..<Int(frames) { samples?[frame] = level }
        }
        return noErr
      }
    }
    nodes.append(node)
    shared.engine.attach(node)
  }

  private func removeNode() {
    guard let index = nodes.indices.randomElement(using: &draw) else { return }
    let node = nodes.remove(at: index)
    if tapped.remove(ObjectIdentifier(node)) != nil { node.removeTap(onBus: 0) }
    shared.engine.detach(node)
  }

  private func connect() {
    guard let source = nodes.randomElement(using: &draw) else { return }
    let takes = nodes.filter { $0.numberOfInputs > 0 }
    let destination = number(0...1) == 0 ? nil : takes.randomElement(using: &draw)
    let format = number(0...3) == 0 ? nil : standard()
    // A tap holds its bus to the format that it has.
    guard !tapped.contains(ObjectIdentifier(source)) else { return }
    if let destination {
      shared.engine.connect(
        source, to: destination, fromBus: 0, toBus: number(0...destination.numberOfInputs - 1), format: format)
    } else {
      shared.engine.connect(source, to: shared.engine.mainMixerNode, format: format)
    }
  }

  private func disconnect() {
    guard let node = nodes.randomElement(using: &draw) else { return }
    number(0...1) == 0 ? shared.engine.disconnectNodeOutput(node) : shared.engine.disconnectNodeInput(node)
  }

  private func schedule() {
    guard let player = anyNode(AVAudioPlayerNode.self) else { return }
    let format = player.outputFormat(forBus: 0)
    guard let buffer = sound(format, number(1...3000)) else { return }
    let options = AVAudioPlayerNodeBufferOptions(rawValue: UInt(number(0...7)))
    let again = number(0...9) == 0
    player.scheduleBuffer(buffer, at: time(), options: options) { [weak player] in
      if again { player?.stop() }
    }
  }

  private func steer() {
    guard let player = anyNode(AVAudioPlayerNode.self) else { return }
    let canPlay = shared.engine.isRunning && !shared.engine.outputConnectionPoints(for: player, outputBus: 0).isEmpty
    switch number(0...6) {
    case 0...2 where canPlay: player.play()
    case 3 where canPlay: player.play(at: time())
    case 4: player.pause()
    case 5: player.stop()
    default:
      if let when = player.lastRenderTime { _ = player.playerTime(forNodeTime: when) }
      if let when = time() { _ = player.nodeTime(forPlayerTime: when) }
    }
  }

  private func setValue() {
    guard let node = nodes.randomElement(using: &draw) else { return }
    if let mixing = node as? any AVAudioMixing, number(0...2) == 0 {
      mixing.volume = value(0...2)
      mixing.pan = value(-1...1)
    }
    switch node {
    case let mixer as AVAudioMixerNode: mixer.outputVolume = value(0...1)
    case let eq as AVAudioUnitEQ:
      eq.globalGain = value(-20...20)
      guard let band = eq.bands.randomElement(using: &draw) else { return }
      band.frequency = value(20...20_000)
      band.gain = value(-24...24)
      band.bandwidth = value(0.05...5)
      band.bypass = number(0...1) == 0
      if let type = AVAudioUnitEQFilterType(rawValue: number(-1...11)) { band.filterType = type }
    case let delay as AVAudioUnitDelay:
      delay.delayTime = Double(value(0...2))
      delay.feedback = value(-100...100)
      delay.lowPassCutoff = value(10...22_050)
      delay.wetDryMix = value(0...100)
    case let reverb as AVAudioUnitReverb:
      reverb.wetDryMix = value(0...100)
      if let preset = AVAudioUnitReverbPreset(rawValue: number(-1...13)) { reverb.loadFactoryPreset(preset) }
    case let distortion as AVAudioUnitDistortion:
      distortion.preGain = value(-80...20)
      distortion.wetDryMix = value(0...100)
      if let preset = AVAudioUnitDistortionPreset(rawValue: number(-1...22)) { distortion.loadFactoryPreset(preset) }
    case let speed as AVAudioUnitVarispeed: speed.rate = value(0.25...4)
    case let pitch as AVAudioUnitTimePitch:
      pitch.rate = value(0.25...4)
      pitch.pitch = value(-2400...2400)
      pitch.overlap = value(3...32)
    default: break
    }
    (node as? AVAudioUnitEffect)?.bypass = number(0...3) == 0
    (node as? AVAudioUnitTimeEffect)?.bypass = number(0...3) == 0
  }

  private func tap() {
    guard let node = nodes.randomElement(using: &draw) else { return }
    let id = ObjectIdentifier(node)
    if tapped.remove(id) != nil { return node.removeTap(onBus: 0) }
    tapped.insert(id)
    node.installTap(onBus: 0, bufferSize: AVAudioFrameCount(number(1...5000)), format: nil) { buffer, time in
      _ = buffer.floatChannelData?[0][0]
      _ = time.sampleTime
    }
  }

  private func makeConverter() {
    let depths: [AVAudioCommonFormat] = [.pcmFormatFloat32, .pcmFormatFloat64, .pcmFormatInt16, .pcmFormatInt32]
    func any() -> AVAudioFormat? {
      AVAudioFormat(
        commonFormat: depths[number(0...3)], sampleRate: rate, channels: AVAudioChannelCount(number(1...8)),
        interleaved: number(0...1) == 0)
    }
    guard let from = any(), let to = any(), let converter = AVAudioConverter(from: from, to: to) else { return }
    converters.append(converter)
  }

  private func convert() {
    guard let index = converters.indices.randomElement(using: &draw) else { return }
    let converter = converters[index]
    switch number(0...9) {
    case 0: converter.reset()
    case 1: converters.remove(at: index)
    case 2: converter.sampleRateConverterQuality = number(-10...200)
    case 3:
      let inputs = Int(converter.inputFormat.channelCount)
      converter.channelMap = (0..<converter.outputFormat.channelCount).map { _ in
        NSNumber(value: number(-1...inputs - 1))
      }
    case 4: converter.downmix.toggle()
    default:
      guard let input = sound(converter.inputFormat, number(0...2000)),
        let output = AVAudioPCMBuffer(
          pcmFormat: converter.outputFormat, frameCapacity: AVAudioFrameCount(number(1...3000)))
      else { return }
      var problem: NSError?
      var left = number(0...3)
      _ = converter.convert(to: output, error: &problem) { [ends = number(0...4) == 0] _, status in
        left -= 1
        status.pointee = left >= 0 ? .haveData : ends ? .endOfStream : .noDataNow
        return left >= 0 ? input : nil
      }
    }
  }

  private func file() {
    fileNumber += 1
    let url = URL(filePath: "\(folder)/\(UInt(bitPattern: ObjectIdentifier(self).hashValue))-\(fileNumber % 3).wav")
    guard let format = standard(), let buffer = sound(format, number(0...2000)) else { return }
    if let writing = try? AVAudioFile(forWriting: url, settings: format.settings) { try? writing.write(from: buffer) }
    guard let reading = try? AVAudioFile(forReading: url),
      let into = AVAudioPCMBuffer(
        pcmFormat: reading.processingFormat, frameCapacity: AVAudioFrameCount(number(1...3000)))
    else { return }
    reading.framePosition = AVAudioFramePosition(number(0...Int(clamping: reading.length)))
    try? reading.read(into: into)
    guard let player = anyNode(AVAudioPlayerNode.self),
      player.outputFormat(forBus: 0).channelCount == reading.processingFormat.channelCount
    else { return }
    player.scheduleFile(reading, at: time())
  }

  private func format() {
    let settings: [String: Any] = [
      AVFormatIDKey: number(0...3) == 0 ? UInt32.random(in: 0 ... .max, using: &draw) : 0x6C70_636D,
      AVSampleRateKey: Double(value(0...200_000)), AVNumberOfChannelsKey: number(-1...40),
      AVLinearPCMBitDepthKey: [0, 8, 16, 24, 32, 64, 7][number(0...6)], AVLinearPCMIsFloatKey: number(0...1) == 0,
      AVLinearPCMIsBigEndianKey: number(0...1) == 0, AVLinearPCMIsNonInterleaved: number(0...1) == 0,
    ]
    guard let format = AVAudioFormat(settings: settings), format.streamDescription.pointee.mFormatID == 0x6C70_636D
    else { return }
    _ = format.isEqual(shared.format)
    _ = format.description
    if let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(number(0...1000))) {
      _ = buffer.copy()
    }
  }

  private func state() {
    guard renders else { return }
    switch number(0...7) {
    case 0 where isAlone: shared.engine.stop()
    case 1 where isAlone: shared.engine.pause()
    case 2: shared.engine.reset()
    case 3: shared.engine.prepare()
    default: break
    }
    try? shared.engine.start()
  }

  private func ask() {
    guard let node = nodes.randomElement(using: &draw) else { return }
    _ = node.lastRenderTime
    _ = node.outputFormat(forBus: 0).description
    _ = shared.engine.outputConnectionPoints(for: node, outputBus: 0)
    if node.numberOfInputs > 0 { _ = shared.engine.inputConnectionPoint(for: node, inputBus: 0) }
    _ = shared.engine.attachedNodes.count
  }

  private func render() {
    guard let output else { return }
    guard renders else { return ask() }
    shared.render(AVAudioFrameCount(number(1...512)), into: output)
  }
}
