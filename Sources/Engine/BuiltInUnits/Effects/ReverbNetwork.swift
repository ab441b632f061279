// The path of one slice: work, in a reverb: the network of Reverb.swift, block by block. A block is no longer than the
// shortest line, so that all of it can be computed line by line. Runs on the render thread; allocates nothing after
// init.

import AudioCore
import AudioEngine
import DSPKernels
import Glibc

/// The lines, diffusers and matrix of a reverb, without its mix.
final class ReverbNetwork {
  private static let lineCount = FeedbackNetwork.lineCount
  /// The delays of a channel's all-passes, milliseconds.
  private static let diffuserTimes = [3.1, 5.3, 7.9, 11.3]
  private static let mostDiffusion = 0.62
  static let mostFrames = 128
  private static let shortestFrames = 16

  private let sampleRate: Double
  private let channelCount: Int
  private let lines: [DelayLine]
  private let diffusers: [[AllPass]]
  private let shortestDiffuser: Int
  /// A row of ``mostFrames`` for each channel's input, and for each channel's output.
  private let rows: PlanarBuffer
  private let network: FeedbackNetwork
  private let lengths: FlatMemory<Int>
  private var blockFrames = 1
  /// The parameters that lengths and weights were computed of.
  private var shape: Shape?
  private var decays = (-1.0, -1.0)
  /// The room fades out before its lines get other lengths, and in afterwards.
  private var fade = Fade.none
  private let fadeFrames: Int

  /// The parameters of a room: seconds, and the seed of its lengths. Any numbers; those out of a range count as its
  /// ends.
  struct Room: Equatable {
    var shortestSeconds: Double
    var longestSeconds: Double
    var decaySecondsAt0Hz: Double
    var decaySecondsAtNyquist: Double
    var seed: Double
  }

  /// In the ranges of its numbers.
  private struct Shape: Equatable {
    let shortest: Double
    let longest: Double
    let seed: Double

    init(_ room: Room) {
      func seconds(_ value: Double) -> Double { min(1, max(1e-4, value)) }
      shortest = seconds(min(room.shortestSeconds, room.longestSeconds))
      longest = seconds(max(room.shortestSeconds, room.longestSeconds))
      seed = min(1000, max(1, room.seed.rounded()))
    }
  }
  private enum Fade {
    case none
    case out(Int)
    case back(Int)
  }

  init(sampleRate: Double, channelCount: Int) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    let longest = Self.longestFrames(sampleRate)
    lines = (0..<Self.lineCount).map { _ in DelayLine(longest: longest + Self.mostFrames) }
    let rate = sampleRate
    diffusers = (0..<channelCount).map { channel in
      // The right channel's are a little longer.
      Self.diffuserTimes.map { time in
        AllPass(frames: Self.prime(from: Int(clamping: time * (channel == 0 ? 1 : 1.083) / 1000 * rate)))
      }
    }
    shortestDiffuser = diffusers.joined().map(\.frames).min() ?? 1
    rows = PlanarBuffer(channelCount: 2 * channelCount, frameCapacity: Self.mostFrames)
    network = FeedbackNetwork(rows: rows.planes)
    lengths = FlatMemory(repeating: 1, count: Self.lineCount)
    fadeFrames = max(1, Int(clamping: (0.01 * sampleRate).rounded()))
  }

  /// The longest line that can be: of one second, and as many primes from there on as there are lines. The last of 16
  /// is less than 400 farther, up to 4 MHz.
  private static func longestFrames(_ sampleRate: Double) -> Int { Int(clamping: sampleRate * 1.02) + 512 }

  /// About how many bytes a network takes.
  static func bytes(sampleRate: Double) -> Int {
    MemoryBudget.product(lineCount, MemoryBudget.product(4, longestFrames(sampleRate) + 8192)) + (64 << 10)
  }

  // MARK: Design

  private static func isPrime(_ number: Int) -> Bool {
    guard number > 3 else { return number > 1 }
    guard number % 2 == 1 else { return false }
    var divisor = 3
    while divisor * divisor <= number {
      if number % divisor == 0 { return false }
      divisor += 2
    }
    return true
  }

  /// The first prime number that is not below a number, and not below the shortest length.
  private static func prime(from number: Int) -> Int {
    var candidate = max(shortestFrames + 1, number)
    while !isPrime(candidate) { candidate += 1 }
    return candidate
  }

  private func adopt(_ wanted: Shape) {
    shape = wanted
    let ratio = wanted.longest / wanted.shortest
    var random = SplitMix64(seed: UInt64(clamping: wanted.seed))
    var least = Int.max
    for index in 0..<Self.lineCount {
      // Both ends stay what they are set to.
      let chance = index == 0 || index == Self.lineCount - 1 ? 0 : 0.7 * (random.unit() - 0.5)
      let seconds = wanted.shortest * pow(ratio, (Double(index) + chance) / Double(Self.lineCount - 1))
      var length = Self.prime(from: Int(clamping: (seconds * sampleRate).rounded()))
      while (0..<index).contains(where: { lengths[$0] == length }) { length = Self.prime(from: length + 1) }
      lengths[index] = length
      least = min(least, length)
      // An old room is not heard through the new one.
      lines[index].reset(longest: length + Self.mostFrames)
    }
    blockFrames = min(Self.mostFrames, least, shortestDiffuser)
    decays = (-1, -1)
  }

  private func damp(_ wanted: (Double, Double)) {
    decays = wanted
    var energy = 0.0
    for index in 0..<Self.lineCount {
      let seconds = Double(lengths[index]) / sampleRate
      let low = pow(10, -3 * seconds / min(20, max(1e-3, wanted.0)))
      let high = pow(10, -3 * seconds / min(20, max(1e-3, wanted.1)))
      network.setWeights(index, present: Float((low + high) / 2), former: Float((low - high) / 2))
      energy += (low * low + high * high) / 2 / Double(Self.lineCount)
    }
    for diffusers in diffusers {
      for (diffuser, time) in zip(diffusers, Self.diffuserTimes) {
        // An all-pass decays by 60 dB in a third of the shorter time, so that four in a row do not prolong it.
        let decay = pow(10, -9 * time / 1000 / min(20, max(1e-3, min(wanted.0, wanted.1))))
        diffuser.gain = Float(min(Self.mostDiffusion, decay))
      }
    }
    outputGain = Float(((1 - energy) / max(1e-12, energy) / Double(channelCount)).squareRoot())
  }

  // MARK: Rendering

  /// Renders frames, block by block.
  ///
  /// - Parameters:
  ///   - input: the input of a channel, from a frame on.
  ///   - take: called behind each block with its first frame and its length: ``sound(_:)`` and ``share(_:)`` are of
  ///     this block then.
  func process(
    _ room: Room, frames: Int, input: (_ channel: Int, _ frame: Int) -> Plane<Float>,
    _ take: (_ start: Int, _ count: Int) -> Void
  ) {
    let wanted = Shape(room)
    if shape == nil { adopt(wanted) }
    var done = 0
    while done < frames {
      if wanted != shape, case .none = fade { fade = .out(0) }
      let decay = (room.decaySecondsAt0Hz, room.decaySecondsAtNyquist)
      if decay != decays { damp(decay) }
      var count = min(frames - done, blockFrames)
      switch fade {
      case .none: break
      case .out(let position), .back(let position): count = min(count, fadeFrames - position)
      }
      work(count) { input($0, done) }
      take(done, count)
      done += count
      switch fade {
      case .none: break
      case .out(let position) where position + count == fadeFrames:
        adopt(wanted)
        fade = .back(0)
      case .out(let position): fade = .out(position + count)
      case .back(let position): fade = position + count == fadeFrames ? .none : .back(position + count)
      }
    }
  }

  /// The output of the room, in the present block.
  func sound(_ channel: Int) -> Plane<Float> { row(channelCount + channel) }
  /// The factor for ``sound(_:)``, if nothing fades.
  private(set) var outputGain: Float = 0
  var isFading: Bool { if case .none = fade { false } else { true } }

  private func row(_ index: Int) -> Plane<Float> { rows.planes[index] }

  private func work(_ count: Int, _ source: (_ channel: Int) -> Plane<Float>) {
    for channel in 0..<channelCount {
      let input = row(channel)
      input.update(from: source(channel), count: count)
      for diffuser in diffusers[channel] { diffuser.process(input, frames: count) }
      if case .back = fade { for frame in 0..<count { input[frame] *= share(frame) } }
    }
    for index in 0..<Self.lineCount {
      // Writing may move what is read.
      let write = lines[index].writing(count)
      network.setPlace(index, read: lines[index].reading(lengths[index] + count + 1), write: write, frames: count)
    }
    network.process(frames: count)
  }

  /// The share of the room, at a frame of the present block.
  func share(_ frame: Int) -> Float {
    switch fade {
    case .none: 1
    case .out(let position): 1 - Float(position + frame + 1) / Float(fadeFrames)
    case .back(let position): Float(position + frame + 1) / Float(fadeFrames)
    }
  }

  func reset() {
    // The lines are reset when the room is taken over anew.
    for diffuser in diffusers.joined() { diffuser.reset() }
    shape = nil
    decays = (-1, -1)
    fade = .none
  }
}

/// Samples of the past in one piece: what is written moves on through memory, and comes back to its beginning with what
/// is still to be read.
final class DelayLine {
  private static let room = 4096
  private let memory: FlatMemory<Float>
  /// Frames that can lie between the end of what is written and what is read: no more than memory was made for.
  private var longest: Int
  private var end: Int

  /// - Parameter longest: frames that can lie between the end of what is written and what is read.
  init(longest: Int) {
    self.longest = longest
    memory = FlatMemory(repeating: 0, count: longest + 1 + Self.room + FeedbackNetwork.lanes)
    end = longest + 1
  }

  /// The frames from so many before the next to be written.
  func reading(_ frames: Int) -> Plane<Float> {
    precondition(frames <= longest + 1)
    return memory.all + (end - frames)
  }

  /// The place of the next frames, at most 4096. A few more may be written, which the next ones replace.
  func writing(_ frames: Int) -> Plane<Float> {
    if end + frames > longest + 1 + Self.room {
      memory.all.update(from: memory.all + (end - longest - 1), count: longest + 1)
      end = longest + 1
    }
    defer { end += frames }
    return memory.all + end
  }

  func reset() { reset(longest: longest) }

  /// Silence came before, of which no more frames are read from now on.
  ///
  /// - Parameter longest: no more than memory was made for.
  func reset(longest: Int) {
    precondition(longest + 1 + Self.room + FeedbackNetwork.lanes <= memory.count)
    self.longest = longest
    end = longest + 1
    memory.all.update(repeating: 0, count: end)
  }
}

/// y = u[n − d] − g·u[n], u[n] = x[n] + g·u[n − d]: all frequencies as loud as they were, each echo many.
private final class AllPass {
  var gain: Float = 0
  let frames: Int
  private let line: DelayLine

  init(frames: Int) {
    self.frames = frames
    line = DelayLine(longest: frames + ReverbNetwork.mostFrames)
  }

  /// - Parameter frames: no more than the delay.
  func process(_ samples: Plane<Float>, frames: Int) {
    // Writing may move what is read.
    let write = line.writing(frames)
    FeedbackNetwork.allPass(
      samples, read: line.reading(self.frames + frames), write: write, gain: gain, frames: frames)
  }

  func reset() { line.reset() }
}
