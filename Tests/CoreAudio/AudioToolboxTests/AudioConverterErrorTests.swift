// Calls that AudioConverter refuses, with which number, and that nothing makes it crash.

import AudioCore
import AudioToolbox
import TestSupport
import Testing

@Suite struct AudioConverterErrorTests {
  static let float = StreamFormat(sampleRate: 44_100, channelCount: 2)
  static let int16 = StreamFormat(sampleRate: 44_100, channelCount: 2, encoding: .int16, isInterleaved: true)

  /// A null pointer of any type, as a program in C may pass where the header says that there is none.
  static func null<Pointer>(_ type: Pointer.Type) -> Pointer { unsafeBitCast(0, to: type) }

  static func status(_ change: (inout AudioStreamBasicDescription) -> Void) -> OSStatus {
    var asbd = int16.audioStreamBasicDescription
    change(&asbd)
    do {
      _ = try TestConverter(asbd, int16.audioStreamBasicDescription)
      return 0
    } catch {
      return error.rawValue
    }
  }

  @Test func conversionsThatCannotBeMade() {
    #expect(Self.status { _ in } == 0)
    #expect(Self.status { $0.mFormatID = 0x696C_6263 } == code("fmt?"))
    #expect(Self.status { $0.mSampleRate = 0 } == code("fmt?"))
    #expect(Self.status { $0.mSampleRate = .nan } == code("fmt?"))
    #expect(Self.status { $0.mSampleRate = 100 } == code("fmt?"))
    #expect(Self.status { $0.mChannelsPerFrame = 0 } == code("fmt?"))
    #expect(Self.status { $0.mChannelsPerFrame = 3 } == code("fmt?"))
    #expect(Self.status { $0.mBitsPerChannel = 17 } == code("fmt?"))
    #expect(Self.status { $0.mFramesPerPacket = 2 } == code("fmt?"))
  }

  @Test func nullPointersAndForeignHandles() throws {
    var asbd = Self.float.audioStreamBasicDescription
    var ref: AudioConverterRef?
    expectStatus(-50, AudioConverterNew(Self.null(UnsafePointer<AudioStreamBasicDescription>.self), &asbd, &ref))
    expectStatus(-50, AudioConverterNew(&asbd, Self.null(UnsafePointer<AudioStreamBasicDescription>.self), &ref))
    expectStatus(-50, AudioConverterNew(&asbd, &asbd, Self.null(UnsafeMutablePointer<AudioConverterRef?>.self)))
    let noClasses = Self.null(UnsafePointer<AudioClassDescription>.self)
    expectStatus(-50, AudioConverterNewSpecific(&asbd, &asbd, 1, noClasses, &ref))
    #expect(AudioConverterNewSpecific(&asbd, &asbd, 0, noClasses, &ref) == 0)
    let stale = try #require(ref)
    #expect(AudioConverterDispose(stale) == 0)

    let strangers = [stale, Self.null(AudioConverterRef.self), try #require(OpaquePointer(bitPattern: 0x1234_5670))]
    for handle in strangers {
      var size: UInt32 = 64
      var packets: UInt32 = 4
      let out = OutputList(Self.float, frames: 64)
      let feed = InputFeed([[1], [2]], bytesPerFrame: 1)
      let user = Unmanaged.passUnretained(feed).toOpaque()
      expectStatus(-50, AudioConverterDispose(handle))
      expectStatus(-50, AudioConverterReset(handle))
      expectStatus(-50, AudioConverterGetPropertyInfo(handle, 0x7072_696D, nil, nil))
      expectStatus(-50, AudioConverterGetProperty(handle, 0x7072_696D, &size, out.list))
      expectStatus(-50, AudioConverterSetProperty(handle, 0x7072_696D, 8, out.list))
      expectStatus(-50, AudioConverterConvertBuffer(handle, 4, out.list, &size, out.list))
      expectStatus(-50, AudioConverterConvertComplexBuffer(handle, 4, out.list, out.list))
      expectStatus(-50, AudioConverterFillComplexBuffer(handle, InputFeed.proc, user, &packets, out.list, nil))
      #expect(feed.requests.isEmpty)
    }
  }

  @Test func nullArgumentsOfALivingConverter() throws {
    let converter = try TestConverter(Self.float, Self.int16)
    let out = OutputList(Self.int16, frames: 8)
    var size: UInt32 = 8
    let noList = Self.null(UnsafeMutablePointer<AudioBufferList>.self)
    let noSize = Self.null(UnsafeMutablePointer<UInt32>.self)
    let noProc = Self.null(AudioConverterComplexInputDataProc.self)
    expectStatus(-50, AudioConverterFillComplexBuffer(converter.ref, noProc, nil, &size, out.list, nil))
    expectStatus(-50, AudioConverterFillComplexBuffer(converter.ref, InputFeed.proc, nil, noSize, out.list, nil))
    expectStatus(-50, AudioConverterFillComplexBuffer(converter.ref, InputFeed.proc, nil, &size, noList, nil))
    expectStatus(-50, AudioConverterGetProperty(converter.ref, 1, noSize, out.list))
    expectStatus(-50, AudioConverterGetProperty(converter.ref, 1, &size, Self.null(UnsafeMutableRawPointer.self)))
    expectStatus(-50, AudioConverterSetProperty(converter.ref, 1, 4, Self.null(UnsafeRawPointer.self)))
    expectStatus(-50, AudioConverterConvertComplexBuffer(converter.ref, 4, noList, out.list))
    expectStatus(-50, AudioConverterConvertBuffer(converter.ref, 4, out.list, noSize, out.list))
  }

  /// Any bits in the fields of a description make a converter or 'fmt?'.
  @Test func descriptionsOfAnyKind() throws {
    var generator = SeededGenerator(seed: 11)
    var made = 0
    for _ in 0..<3000 {
      let channels = UInt32.random(in: 0...4, using: &generator)
      let bytes = [1, 2, 3, 4, 8].randomElement(using: &generator).map { UInt32($0) } ?? 1
      let flags = UInt32.random(in: 0...0x3F, using: &generator)
      var asbd = AudioStreamBasicDescription()
      asbd.mSampleRate = [8000, 44_100, 48_000].randomElement(using: &generator) ?? 0
      asbd.mFormatID = Bool.random(using: &generator) ? 0x6C70_636D : 0x756C_6177
      asbd.mFormatFlags = flags | (generator.next() % 4 == 0 ? UInt32.random(in: 0...0x3F, using: &generator) << 7 : 0)
      asbd.mFramesPerPacket = UInt32.random(in: 0...1, using: &generator)
      asbd.mBytesPerFrame = bytes * (flags & 0x20 == 0 ? channels : 1)
      asbd.mBytesPerPacket = asbd.mBytesPerFrame
      asbd.mChannelsPerFrame = channels
      asbd.mBitsPerChannel = UInt32.random(in: 0...70, using: &generator) & ~3
      do {
        let converter = try TestConverter(asbd, Self.int16.audioStreamBasicDescription)
        let format = try converter.get("acid", as: AudioStreamBasicDescription())
        let planar = format.mFormatFlags & 0x20 != 0 && format.mFormatID == 0x6C70_636D
        let silence = [UInt8](repeating: 0, count: Int(format.mBytesPerFrame) * 40)
        let feed = InputFeed(
          Array(repeating: silence, count: planar ? Int(channels) : 1), bytesPerFrame: Int(format.mBytesPerFrame))
        let frames = FrameCount.converted(40, from: asbd.mSampleRate, to: 44_100)
        #expect(converter.drain(feed, sizes: [64])[0].count == Int(frames) * 4)
        made += 1
      } catch {
        #expect(error.rawValue == code("fmt?"))
      }
    }
    #expect(made > 50)
  }

  @Test func outputBuffersOfTheWrongShape() throws {
    let converter = try TestConverter(Self.float, Self.int16)
    let feed = InputFeed(try noise(Self.float, frames: 64), bytesPerFrame: 4)
    let user = Unmanaged.passUnretained(feed).toOpaque()
    func fill(_ change: (UnsafeMutablePointer<AudioBufferList>) -> Void) -> (OSStatus, UInt32) {
      let out = OutputList(Self.int16, frames: 16)
      change(out.list)
      var packets: UInt32 = 16
      let status = AudioConverterFillComplexBuffer(converter.ref, InputFeed.proc, user, &packets, out.list, nil)
      return (status, packets)
    }
    #expect(fill { $0.pointee.mNumberBuffers = 0 } == (-50, 0))
    #expect(fill { $0.pointee.mBuffers.mData = nil } == (-50, 0))
    #expect(fill { $0.pointee.mBuffers.mDataByteSize = 63 } == (code("otsz"), 0))
    #expect(fill { $0.pointee.mBuffers.mDataByteSize = 0 } == (code("otsz"), 0))
    #expect(feed.requests.isEmpty)
    // A buffer of a round size (32768 bytes for frames of 12 is Apple's sample) holds the requested frames, and a rest.
    #expect(fill { $0.pointee.mBuffers.mDataByteSize = 66 } == (0, 16))
    // Fewer bytes than packets: what there is room for.
    #expect(fill { $0.pointee.mBuffers.mDataByteSize = 20 } == (0, 5))
  }

  @Test func inputBuffersOfTheWrongShape() throws {
    let wrongs: [AudioConverterComplexInputDataProc] = [
      { _, _, list, _, _ in
        list.pointee.mNumberBuffers = 1
        return 0
      },
      { _, _, list, _, _ in
        list.pointee.mBuffers.mData = nil
        return 0
      },
      { _, _, list, _, _ in
        list.pointee.mBuffers.mDataByteSize -= 4
        return 0
      },
      { _, packets, list, _, _ in
        packets.pointee = 1
        list.pointee.mBuffers.mDataByteSize = 7
        return 0
      },
      { _, packets, list, _, _ in
        packets.pointee = 1 << 24
        bufferPointer(of: list)[0].mDataByteSize = 4 << 24
        bufferPointer(of: list)[1].mDataByteSize = 4 << 24
        return 0
      },
    ]
    for rate in [44_100.0, 48_000] {
      for wrong in wrongs {
        let converter = try TestConverter(Self.float, Self.int16.at(sampleRate: rate))
        let out = OutputList(Self.int16, frames: 16)
        var packets: UInt32 = 16
        #expect(AudioConverterFillComplexBuffer(converter.ref, wrong, nil, &packets, out.list, nil) == code("insz"))
        #expect(packets == 0)
      }
    }
  }

  @Test func disposingInsideTheProcEndsTheCall() throws {
    for rate in [44_100.0, 48_000] {
      let converter = try TestConverter(Self.float, Self.int16.at(sampleRate: rate))
      let feed = InputFeed(try noise(Self.float, frames: 5000), bytesPerFrame: 4)
      feed.answer = { _ in 100 }
      feed.insideProc = {
        guard feed.position > 1000, !converter.isDisposed else { return }
        converter.isDisposed = true
        #expect(AudioConverterDispose(converter.ref) == 0)
      }
      let made = converter.fill(feed, frames: 4000)
      #expect(made.status == -50 && feed.position <= 1200)
      expectStatus(-50, converter.fill(feed, frames: 10).status)
    }
  }

  @Test func fillingInsideTheProcIsRefused() throws {
    let converter = try TestConverter(Self.float, Self.int16)
    let feed = InputFeed(try noise(Self.float, frames: 100), bytesPerFrame: 4)
    var inner: [OSStatus] = []
    feed.insideProc = {
      let other = InputFeed([[], []], bytesPerFrame: 4)
      inner.append(converter.fill(other, frames: 10).status)
    }
    #expect(converter.fill(feed, frames: 100).frames == 100)
    #expect(inner == [code("op??")])
  }

  @Test func resettingInsideTheProcBeginsAnew() throws {
    for rate in [44_100.0, 48_000] {
      let converter = try TestConverter(Self.float, Self.int16.at(sampleRate: rate))
      let feed = InputFeed(try noise(Self.float, frames: 3000), bytesPerFrame: 4)
      feed.answer = { _ in 200 }
      feed.insideProc = { if feed.position == 1000 { #expect(AudioConverterReset(converter.ref) == 0) } }
      let made = converter.drain(feed, sizes: [512])
      #expect(made[0].count > 0)
      #expect(converter.fill(feed, frames: 10).frames == 0)
    }
  }
}
