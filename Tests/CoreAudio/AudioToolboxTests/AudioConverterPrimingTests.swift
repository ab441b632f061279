// Priming: how much input the first pulls ask for, and where the first output frame lies, by method.

import AudioCore
import AudioToolbox
import TestSupport
import Testing

@Suite struct AudioConverterPrimingTests {
  static let from = StreamFormat(sampleRate: 44_100, channelCount: 1)
  static let to = StreamFormat(sampleRate: 48_000, channelCount: 1)

  static func info(_ converter: TestConverter) throws -> (leading: Int, trailing: Int) {
    let info = try converter.get("prim", as: AudioConverterPrimeInfo(leadingFrames: 9, trailingFrames: 9))
    return (Int(info.leadingFrames), Int(info.trailingFrames))
  }

  static func asked(_ converter: TestConverter, output: Int) throws -> Int {
    let feed = InputFeed(try noise(from, frames: 20_000), bytesPerFrame: 4)
    #expect(converter.fill(feed, frames: output).frames == output)
    return feed.requests.reduce(0, +)
  }

  @Test func withoutRateConversionThereIsNothingToPrime() throws {
    let converter = try TestConverter(Self.from, Self.from)
    #expect(try Self.info(converter) == (0, 0))
    #expect(try Self.asked(converter, output: 480) == 480)
  }

  @Test(arguments: ["norm", "bats"] as [AudioCore.FourCharCode])
  func normalAsksForTrailingFramesFirst(complexity: AudioCore.FourCharCode) throws {
    let converter = try TestConverter(Self.from, Self.to)
    #expect(converter.set("srca", complexity.rawValue) == 0)
    let (leading, trailing) = try Self.info(converter)
    #expect(trailing > 0 && leading >= trailing && leading % 147 == 0)
    // 480 frames at 48000 Hz are 441 at 44100 Hz.
    let asked = try Self.asked(converter, output: 480)
    #expect(asked > 441 && asked <= 441 + trailing)
  }

  @Test func preAsksForLeadingFramesToo() throws {
    let converter = try TestConverter(Self.from, Self.to)
    #expect(converter.set("prmm", UInt32(0)) == 0)
    let (leading, trailing) = try Self.info(converter)
    let asked = try Self.asked(converter, output: 480)
    #expect(asked > 441 + leading && asked <= 441 + leading + trailing)
  }

  @Test func noneAsksForNoMoreThanABlockExtra() throws {
    let normal = try Self.asked(try TestConverter(Self.from, Self.to), output: 4800)
    let converter = try TestConverter(Self.from, Self.to)
    #expect(converter.set("prmm", UInt32(2)) == 0)
    let trailing = try Self.info(converter).trailing
    let asked = try Self.asked(converter, output: 4800)
    #expect(asked <= 4410)
    #expect(normal - asked == trailing)
  }

  /// Primed with what came before, the output begins at the frame after it, as if the stream had run through there.
  @Test func preBeginsAtTheFrameAfterTheLeadingOnes() throws {
    let converter = try TestConverter(Self.from, Self.to)
    #expect(converter.set("prmm", UInt32(0)) == 0)
    let leading = try Self.info(converter).leading
    let input = try noise(Self.from, frames: 5000)
    let whole = try engineConversion(from: Self.from, to: Self.to, input)
    let made = converter.drain(InputFeed(input, bytesPerFrame: 4), sizes: [100, 1, 777])
    #expect(made == [Array(whole[0].dropFirst(leading / 147 * 160 * 4))])
  }

  @Test func noneIsLateByTheTrailingFrames() throws {
    let converter = try TestConverter(Self.from, Self.to)
    #expect(converter.set("prmm", UInt32(2)) == 0)
    let trailing = try Self.info(converter).trailing
    let input = try noise(Self.from, frames: 5000)
    let late = [[UInt8](repeating: 0, count: 4 * trailing) + input[0]]
    let made = converter.drain(InputFeed(input, bytesPerFrame: 4), sizes: [100, 1, 777])
    #expect(try made == engineConversion(from: Self.from, to: Self.to, late))
  }

  @Test func anEmptyStreamStaysEmpty() throws {
    for method in [UInt32(0), 1, 2] {
      let converter = try TestConverter(Self.from, Self.to)
      #expect(converter.set("prmm", method) == 0)
      #expect(converter.drain(InputFeed([[]], bytesPerFrame: 4), sizes: [100]) == [[]])
    }
  }

  @Test func linearAndMinimumPhaseTakeNoNoticeOfTheMethod() throws {
    let input = try noise(Self.from, frames: 3000)
    for complexity in ["line", "minp"] as [AudioCore.FourCharCode] {
      var outputs: [[[UInt8]]] = []
      for method in [UInt32(0), 1, 2] {
        let converter = try TestConverter(Self.from, Self.to)
        #expect(converter.set("srca", complexity.rawValue) == 0)
        #expect(converter.set("prmm", method) == 0)
        outputs.append(converter.drain(InputFeed(input, bytesPerFrame: 4), sizes: [500]))
      }
      #expect(outputs[0] == outputs[1] && outputs[1] == outputs[2] && outputs[0][0].count == 3265 * 4)
    }
  }

  @Test func aRateOfBrokenHertzCannotBePrimedWithItsPast() throws {
    let converter = try TestConverter(Self.from.at(sampleRate: 44_100.5), Self.to)
    #expect(converter.set("prmm", UInt32(0)) == code("op??"))
    #expect(try converter.get("prmm", as: UInt32(9)) == 1)
  }
}
