import AVFAudio
import AudioEngine
import BuiltInUnits
import RenderGraph
import Testing

@Suite("AVAudioEnvironmentNode: places, listener, distance, room")
struct AVAudioEnvironmentNodeTests {
  /// An engine with an environment of two channels, whose sources repeat what they are given.
  private struct Scene {
    let harness: EngineHarness
    let environment = AVAudioEnvironmentNode()
    var players: [AVAudioPlayerNode] = []

    init(_ sounds: [[[Float]]], configure: (AVAudioEnvironmentNode) -> Void = { _ in }) throws {
      harness = try EngineHarness(channels: 2)
      let engine = harness.engine
      engine.attach(environment)
      engine.connect(environment, to: engine.outputNode, format: harness.format)
      for sound in sounds {
        let player = AVAudioPlayerNode()
        engine.attach(player)
        let format = try #require(
          AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: AVAudioChannelCount(sound.count)))
        engine.connect(player, to: environment, format: format)
        player.scheduleBuffer(try EngineHarness.buffer(format, sound[0].count) { sound[$1][$0] })
        players.append(player)
      }
      configure(environment)
    }

    func render(_ frames: Int, seed: UInt64? = nil) throws -> [[Float]] {
      if !harness.engine.isRunning {
        try harness.engine.start()
        players.forEach { $0.play() }
      }
      return try harness.render(frames, seed: seed)
    }
  }

  private static func noise(_ frames: Int, seed: UInt64) -> [Float] {
    var draw = SystemSeed(seed)
    return (0..<frames).map { _ in Float.random(in: -0.5...0.5, using: &draw) }
  }
  private struct SystemSeed: RandomNumberGenerator {
    var state: UInt64
    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }
    mutating func next() -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state
    }
  }
  private static let ones = [Float](repeating: 1, count: 40_000)

  /// The same scene as a graph of the Swift interface.
  private func graph(
    _ sounds: [[[Float]]], frames: Int, _ configure: (SpatialMixer) throws -> Void
  ) throws -> [[Float]] {
    let graph = Graph(sampleRate: 44_100, maximumFramesPerSlice: 512)
    let mixer = try graph.add(SpatialMixer(inputs: 8))
    for (bus, sound) in sounds.enumerated() {
      let player = try graph.add(try soundPlayer(sound))
      try graph.setOutputFormat(Graph.WantedFormat(sampleRate: 44_100, channelCount: sound.count), of: player)
      try graph.connect(player, to: mixer, input: bus)
      try mixer.set(.reverbBlend, input: bus, to: 0)
    }
    try configure(mixer)
    try graph.setOutputFormat(Graph.WantedFormat(sampleRate: 44_100, channelCount: 2), of: mixer)
    try graph.connect(mixer, to: graph.add(GenericOutput()))
    return try AVFAudioTests.frames(of: graph, frames)
  }

  @Test("Values are the documented ones at first, and stay within their ranges")
  func defaults() {
    let (node, source) = (AVAudioEnvironmentNode(), AVAudioPlayerNode())
    #expect(node.listenerPosition == AVAudioMake3DPoint(0, 0, 0))
    #expect(node.listenerVectorOrientation.forward == AVAudioMake3DVector(0, 0, -1))
    #expect(node.listenerVectorOrientation.up == AVAudioMake3DVector(0, 1, 0))
    #expect(node.listenerAngularOrientation == AVAudioMake3DAngularOrientation(0, 0, 0))
    #expect((node.outputVolume, node.outputType, node.nextAvailableInputBus) == (1, .auto, 0))
    let distance = node.distanceAttenuationParameters
    #expect(distance.distanceAttenuationModel == .inverse)
    #expect((distance.referenceDistance, distance.maximumDistance, distance.rolloffFactor) == (1, 100_000, 1))
    #expect((node.reverbParameters.enable, node.reverbParameters.level) == (false, 0))
    #expect(node.reverbParameters.filterParameters.bypass)
    #expect((source.renderingAlgorithm, source.sourceMode) == (.equalPowerPanning, .spatializeIfMono))
    #expect((source.rate, source.reverbBlend, source.obstruction, source.occlusion) == (1, 0, 0, 0))
    #expect(source.position == AVAudio3DPoint() && source.pointSourceInHeadMode == .mono)
    (source.rate, source.reverbBlend, source.obstruction, source.occlusion) = (9, -1, 5, .nan)
    #expect((source.rate, source.reverbBlend, source.obstruction, source.occlusion) == (2, 0, 0, 0))
    node.reverbParameters.level = -99
    node.listenerPosition = AVAudioMake3DPoint(.nan, 0, 0)
    node.listenerVectorOrientation = AVAudioMake3DVectorOrientation(
      AVAudioMake3DVector(1, 0, 0), AVAudioMake3DVector(2, 0, 0))
    #expect(node.reverbParameters.level == -40 && node.listenerPosition == AVAudio3DPoint())
    #expect(node.listenerVectorOrientation.forward == AVAudioMake3DVector(0, 0, -1))
    #expect(node.applicableRenderingAlgorithms.contains(1) && !node.applicableRenderingAlgorithms.contains(4))
  }

  /// Position, forward, up, place; the azimuth by hand, all at 2 m.
  static let places: [(AVAudio3DPoint, AVAudio3DVector, AVAudio3DVector, AVAudio3DPoint, Double)] = {
    func p(_ x: Float, _ y: Float, _ z: Float) -> AVAudio3DPoint { AVAudioMake3DPoint(x, y, z) }
    return [
      (p(0, 0, 0), p(0, 0, -1), p(0, 1, 0), p(2, 0, 0), 90), (p(0, 0, 0), p(0, 0, -1), p(0, 1, 0), p(-2, 0, 0), -90),
      (p(0, 0, 0), p(0, 0, -1), p(0, 1, 0), p(0, 0, -2), 0),
      (p(0, 0, 0), p(0, 0, -1), p(0, 1, 0), p(Float(2).squareRoot(), 0, -Float(2).squareRoot()), 45),
      // Looks to the right: what was ahead is to the left. Length of a vector has no meaning.
      (p(0, 0, 0), p(7, 0, 0), p(0, 3, 0), p(0, 0, -2), -90), (p(5, 1, 2), p(0, 0, 1), p(0, 1, 0), p(7, 1, 2), -90),
      // Lies on the left ear: what is above is to the right.
      (p(0, 0, 0), p(0, 0, -1), p(-1, 0, 0), p(0, 2, 0), 90),
      // The top leans forward: it is turned to a right angle.
      (p(0, 0, 0), p(0, 0, -1), p(0, 1, -1), p(2, 0, 0), 90),
    ]
  }()

  @Test("A source is heard from its place, as the listener stands and looks", arguments: places)
  func directions(
    position: AVAudio3DPoint, forward: AVAudio3DVector, up: AVAudio3DVector, place: AVAudio3DPoint, azimuth: Double
  ) throws {
    let scene = try Scene([[Self.ones]]) { environment in
      environment.listenerPosition = position
      environment.listenerVectorOrientation = AVAudioMake3DVectorOrientation(forward, up)
    }
    scene.players[0].position = place
    let out = try scene.render(1024)
    // Equal power: cos and sin of π/4 (1 + azimuth / 90°), at 2 m half as loud.
    let angle = Double.pi / 4 * (1 + azimuth / 90)
    #expect(abs(Double(out[0][1000]) - cos(angle) / 2) < 1e-5)
    #expect(abs(Double(out[1][1000]) - sin(angle) / 2) < 1e-5)
  }

  @Test("Both forms of an orientation say the same")
  func orientations() {
    let node = AVAudioEnvironmentNode()
    for yaw in stride(from: Float(-170), through: 170, by: 34) {
      for pitch in stride(from: Float(-80), through: 80, by: 32) {
        for roll in stride(from: Float(-175), through: 175, by: 70) {
          node.listenerAngularOrientation = AVAudioMake3DAngularOrientation(yaw, pitch, roll)
          let vectors = node.listenerVectorOrientation
          node.listenerAngularOrientation = AVAudio3DAngularOrientation()
          node.listenerVectorOrientation = vectors
          let back = node.listenerAngularOrientation
          #expect(abs(back.yaw - yaw) < 0.01 && abs(back.pitch - pitch) < 0.01 && abs(back.roll - roll) < 0.01)
        }
      }
    }
    node.listenerAngularOrientation = AVAudioMake3DAngularOrientation(90, 0, 0)
    let right = node.listenerVectorOrientation
    #expect(abs(right.forward.x - 1) < 1e-6 && abs(right.up.y - 1) < 1e-6)
    node.listenerAngularOrientation = AVAudioMake3DAngularOrientation(0, 90, 0)
    #expect(abs(node.listenerVectorOrientation.forward.y - 1) < 1e-6)
    #expect(abs(node.listenerAngularOrientation.pitch - 90) < 0.1)
    node.listenerAngularOrientation = AVAudioMake3DAngularOrientation(0, 0, 90)
    #expect(abs(node.listenerVectorOrientation.up.x - 1) < 1e-6)
  }

  @Test(
    "Level falls with distance by the documented formulas",
    arguments: [
      AVAudioEnvironmentDistanceAttenuationModel.exponential, .inverse, .linear,
    ], [(1, 100, 1), (2, 50, 0.5), (0.5, 20, 3), (3, 3, 1), (1, 10, 0)] as [(Float, Float, Float)])
  func distances(
    model: AVAudioEnvironmentDistanceAttenuationModel, numbers: (r: Float, m: Float, k: Float)
  ) throws {
    let scene = try Scene([[Self.ones]])
    let parameters = scene.environment.distanceAttenuationParameters
    parameters.distanceAttenuationModel = model
    (parameters.referenceDistance, parameters.maximumDistance, parameters.rolloffFactor) = numbers
    let (r, m, k) = (Double(numbers.r), Double(numbers.m), Double(numbers.k))
    for distance in [0.25, 1, 2, 4, 9, 30, 200] {
      scene.players[0].position = AVAudioMake3DPoint(Float(distance), 0, 0)
      let d = min(m, max(r, distance))
      var expected = 1.0
      if m > r && k > 0 {
        switch model {
        case .exponential: expected = pow(d / r, -k)
        case .inverse: expected = r / (r + k * (d - r))
        case .linear: expected = max(0, 1 - k * (d - r) / (m - r))
        }
      }
      let out = try scene.render(1500)
      #expect(abs(Double(out[1][1499]) - expected) < 2e-5, "\(distance) m")
    }
  }

  @Test(
    "It renders the bits of the unit in a graph, in slices of any length",
    arguments: [AVAudio3DMixingRenderingAlgorithm.equalPowerPanning, .sphericalHead, .soundField, .stereoPassThrough])
  func bits(algorithm: AVAudio3DMixingRenderingAlgorithm) throws {
    let sounds = [[Self.noise(5000, seed: 1)], [Self.noise(5000, seed: 2)], [3, 4].map { Self.noise(5000, seed: $0) }]
    let scene = try Scene(sounds) { $0.outputVolume = 0.5 }
    let (first, second, third) = (scene.players[0], scene.players[1], scene.players[2])
    (first.renderingAlgorithm, second.renderingAlgorithm) = (algorithm, algorithm)
    first.position = AVAudioMake3DPoint(0, 0, 4)
    (second.position, second.occlusion, second.obstruction) = (AVAudioMake3DPoint(-1, 0, 0), -12, -6)
    second.volume = 0.25
    second.rate = 1.25
    third.sourceMode = .pointSource
    third.position = AVAudioMake3DPoint(0, 3, 0)
    let expected = try graph(sounds, frames: 6000) { mixer in
      for bus in 0..<2 {
        let raw = UInt32(algorithm.rawValue)
        try mixer.setProperty(.spatializationAlgorithm, .input, element: bus, to: .uint32(raw))
      }
      try mixer.setProperty(.spatialSourceMode, .input, element: 2, to: .uint32(2))
      let places: [(Int, Float, Float, Float)] = [(0, 180, 0, 4), (1, -90, 0, 1), (2, 0, 90, 3)]
      for (bus, azimuth, elevation, distance) in places {
        try mixer.set(.azimuth, input: bus, to: azimuth)
        try mixer.set(.elevation, input: bus, to: elevation)
        try mixer.set(.distance, input: bus, to: distance)
        try mixer.setProperty(.spatialDistanceParams, .input, element: bus, to: .float32s([1, 100_000, 100]))
      }
      try mixer.set(.gain, input: 1, to: Float(20 * log10(0.25)))
      try mixer.set(.occlusionAttenuation, input: 1, to: -12)
      try mixer.set(.obstructionAttenuation, input: 1, to: -6)
      try mixer.set(.playbackRate, input: 1, to: 1.25)
      try mixer.setParameter(ParameterAddress(3, scope: .output), to: Float(20 * log10(0.5)))
    }
    let out = try scene.render(6000, seed: 5)
    for channel in 0..<2 { #expect(firstDifference(out[channel], expected[channel]) == nil) }
    #expect(out[0].contains { abs($0) > 0.05 })
  }

  @Test("The room is that of the unit: its preset, its level, each source's part, and its last sound")
  func room() throws {
    let sounds = [[Self.noise(2000, seed: 8)], [Self.noise(2000, seed: 9)]]
    let scene = try Scene(sounds) { environment in
      environment.reverbParameters.loadFactoryReverbPreset(.cathedral)
      environment.reverbParameters.enable = true
      environment.reverbParameters.level = 3
    }
    scene.players[0].reverbBlend = 0.5
    let expected = try graph(sounds, frames: 9000) { mixer in
      mixer.usesInternalReverb = true
      mixer.reverbRoom = AVAudioUnitReverbPreset.cathedral.rawValue
      try mixer.setParameter(ParameterAddress(9), to: 3)
      try mixer.set(.reverbBlend, input: 0, to: 50)
      for bus in 0..<2 {
        let flags: SpatialRenderingFlags = [.interAuralDelay, .distanceAttenuation, .reverbSend]
        try mixer.setProperty(.spatialRenderingFlags, .input, element: bus, to: .uint32(flags.rawValue))
      }
    }
    let out = try scene.render(9000)
    for channel in 0..<2 { #expect(firstDifference(out[channel], expected[channel]) == nil) }
    #expect(out[0][8000...].contains { abs($0) > 1e-4 }, "the room is heard after its sources")
    scene.environment.reverbParameters.enable = false
    #expect(try scene.render(100)[0].contains { abs($0) > 1e-5 }, "what is in the room is not cut off")
  }

  @Test("An algorithm that is changed in the middle of a render is heard from the next slice on")
  func change() throws {
    let sound = [Self.noise(20_000, seed: 3)]
    let scene = try Scene([sound])
    scene.players[0].position = AVAudioMake3DPoint(1, 0, 0)
    let before = try scene.render(1000)
    #expect(before[0].dropFirst(500).allSatisfy { abs($0) < 1e-6 }, "panned to the right")
    scene.players[0].renderingAlgorithm = .sphericalHead
    let after = try scene.render(4000)
    let expected = try graph([[Array(sound[0].dropFirst(1000))]], frames: 4000) { mixer in
      try mixer.setAlgorithm(.sphericalHead, input: 0)
      try mixer.set(.azimuth, input: 0, to: 90)
      try mixer.set(.distance, input: 0, to: 1)
      try mixer.setProperty(.spatialDistanceParams, .input, to: .float32s([1, 100_000, 100]))
    }
    for channel in 0..<2 { #expect(firstDifference(after[channel], expected[channel]) == nil) }
    #expect(after[0].contains { abs($0) > 0.01 }, "the sphere's far ear hears it")
  }

  @Test("One source has another place in each of two environments; volume 0 is silence")
  func destinations() throws {
    let harness = try EngineHarness(channels: 2)
    let engine = harness.engine
    let (left, right, player) = (AVAudioEnvironmentNode(), AVAudioEnvironmentNode(), AVAudioPlayerNode())
    for node in [left, right, player] { engine.attach(node) }
    let mono = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1))
    engine.connect(
      player, to: [.init(node: left, bus: 3), .init(node: right, bus: 0)], fromBus: 0, format: mono)
    engine.connect(left, to: engine.mainMixerNode, format: harness.format)
    engine.connect(right, to: engine.mainMixerNode, format: harness.format)
    #expect((left.nextAvailableInputBus, right.nextAvailableInputBus) == (0, 1))
    player.position = AVAudioMake3DPoint(1, 0, 0)
    let there = try #require(player.destination(forMixer: left, bus: 3))
    #expect(there.position == AVAudioMake3DPoint(1, 0, 0))
    there.position = AVAudioMake3DPoint(-1, 0, 0)
    there.volume = 0.5
    #expect(player.position == AVAudioMake3DPoint(1, 0, 0))
    #expect(player.destination(forMixer: right, bus: 0)?.position == player.position)
    #expect(player.destination(forMixer: right, bus: 3) == nil)
    try engine.start()
    player.scheduleBuffer(try EngineHarness.buffer(mono, 9000) { _, _ in 1 })
    player.play()
    let out = try harness.render(2000)
    #expect(abs(out[0][1999] - 0.5) < 1e-5 && abs(out[1][1999] - 1) < 1e-5)
    player.volume = 0
    #expect(try harness.render(2000)[1][1000...].allSatisfy { $0 == 0 })
  }

  @Test("An output among loudspeakers, and one that has no place for sources")
  func loudspeakers() throws {
    func start(_ tag: AudioChannelLayoutTag) throws -> [[Float]] {
      let engine = AVAudioEngine()
      let (environment, player) = (AVAudioEnvironmentNode(), AVAudioPlayerNode())
      for node in [environment, player] { engine.attach(node) }
      let layout = try #require(AVAudioChannelLayout(layoutTag: tag))
      let format = AVAudioFormat(standardFormatWithSampleRate: 44_100, channelLayout: layout)
      let mono = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1))
      try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 512)
      engine.connect(player, to: environment, format: mono)
      engine.connect(environment, to: engine.outputNode, format: format)
      #expect(environment.applicableRenderingAlgorithms == [3, 7])
      player.renderingAlgorithm = .auto
      player.position = AVAudioMake3DPoint(1, 0, 0)
      player.scheduleBuffer(try EngineHarness.buffer(mono, 2000) { _, _ in 1 })
      try engine.start()
      player.play()
      let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 512))
      for _ in 0..<3 { _ = try engine.renderOffline(512, to: buffer) }
      let samples = try #require(buffer.floatChannelData)
      return (0..<Int(format.channelCount)).map { [samples[$0][511]] }
    }
    // At 90° between the loudspeakers at 45° and 135°: both alike, of power 1.
    let quad = try start(kAudioChannelLayoutTag_Quadraphonic)
    #expect(quad.map { ($0[0] * 1000).rounded() } == [0, 707, 0, 707])
    #expect(throws: NSError.self) { try start(kAudioChannelLayoutTag_DiscreteInOrder | 3) }
  }
}
