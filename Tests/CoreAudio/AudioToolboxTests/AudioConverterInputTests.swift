import AudioCore
import AudioToolbox
import CoreFoundation
import Glibc
import Testing
import TestSupport

/// What a converter makes of the end of its input and of errors.
@Suite struct AudioConverterInputTests {
  @Test("A converter's input: nothing is its end until a reset, an error is a gap, the first pull asks for more")
  func converter() throws {
    let mono = StreamFormat(sampleRate: 44_100, channelCount: 1)
    let studio = StreamFormat(sampleRate: 48_000, channelCount: 1)
    let input = try noise(mono, frames: 4410)
    let converter = try TestConverter(mono, studio)
    let feed = InputFeed(input, bytesPerFrame: 4)
    // 480 frames of 48 kHz are 441 of 44.1 kHz: the first pull asks for what the filter looks ahead as well.
    let first = converter.fill(feed, frames: 480)
    let asked = feed.requests.reduce(0, +)
    let trailing = try converter.get("prim", as: AudioConverterPrimeInfo(leadingFrames: 0, trailingFrames: 0))
      .trailingFrames
    #expect(first.status == 0 && first.frames == 480)
    #expect(trailing > 0 && asked > 441 && asked <= 441 + Int(trailing))
    let second = converter.fill(feed, frames: 480)
    #expect(second.status == 0 && second.frames == 480)

    // The end: 4410 frames are 4800. From then on the input is not asked any more, though there is some again.
    let rest = converter.drain(feed, sizes: [333])
    let whole = first.bytes[0] + second.bytes[0] + rest[0]
    #expect(whole.count == 4800 * 4 && feed.ends == 1)
    let calls = feed.requests.count
    feed.position = 0
    let after = converter.fill(feed, frames: 100)
    #expect(after.status == 0 && after.frames == 0 && feed.requests.count == calls)
    #expect(AudioConverterReset(converter.ref) == 0)
    feed.rewind()
    #expect(converter.drain(feed, sizes: [512]) == [whole])

    // A gap: what there is comes with the error, and the next call goes on where it stopped.
    let broken = InputFeed(input, bytesPerFrame: 4)
    broken.gaps = [2000]
    #expect(AudioConverterReset(converter.ref) == 0)
    let partial = converter.fill(broken, frames: 4800)
    #expect(partial.status == InputFeed.gapStatus && partial.frames > 1000 && partial.frames < 2178)
    let resumed = converter.drain(broken, sizes: [777])
    #expect(partial.bytes[0] + resumed[0] == whole)

    // One channel into two: the right one is silent until a map says otherwise.
    let stereo = StreamFormat(sampleRate: 44_100, channelCount: 2)
    let spreading = try TestConverter(mono, stereo)
    let plain = spreading.drain(InputFeed(input, bytesPerFrame: 4), sizes: [500])
    #expect(plain == [input[0], [UInt8](repeating: 0, count: 4410 * 4)])
    #expect(AudioConverterReset(spreading.ref) == 0)
    #expect(spreading.set("chmp", words: [0, 0]) == 0)
    #expect(spreading.drain(InputFeed(input, bytesPerFrame: 4), sizes: [500]) == [input[0], input[0]])
  }
}
