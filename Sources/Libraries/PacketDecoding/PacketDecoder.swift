// A decoder in a process of its own: `aubench-decode`, which alone links FFmpeg. A packet goes there over a socket, and
// its samples come back.

import AudioCore
import CProcess
import Glibc
import Processes

/// A decoder of one track's packets, in order. One thread at a time.
package final class PacketDecoder {
  /// The frames of a packet, interleaved.
  package struct Samples {
    /// Hertz.
    package let sampleRate: Double
    package let channelCount: Int
    package let values: [Float]
    package var frameCount: Int { channelCount > 0 ? values.count / channelCount : 0 }
  }

  /// A decoder that cannot be had.
  package struct Refusal: Error {
    /// Words that follow the name of a codec.
    package let reason: String
    package let advice: String

    package init(reason: String, advice: String) { (self.reason, self.advice) = (reason, advice) }
  }

  /// Milliseconds until an answer is no longer waited for.
  private static let patience: Int32 = 20_000
  /// Bytes of memory that the program may have: what a packet makes of it has an end.
  private static let memoryBytes: UInt64 = 1 << 30
  private static let damaged = UInt32.max
  private static let mostFrames = 1 << 20

  private let order: DecoderOrder
  /// The program, and this end of its socket; nil once it has ended.
  private var running: (process: process_handle, socket: Int32)?

  /// Starts the program, and opens the decoder in it.
  package init(_ order: DecoderOrder) throws(Refusal) {
    self.order = order
    if let refusal = openDecoder() { throw refusal }
  }

  deinit { end() }

  private static var program: String? { InstalledProgram.path(of: "aubench-decode", variable: "AUBENCH_DECODER") }

  /// True where the program is there.
  package static var isInstalled: Bool { program != nil }

  package static let notInstalled = Refusal(
    reason: "the program aubench-decode, which decodes it, is not installed",
    advice: "run make install, or name the program by AUBENCH_DECODER")

  private func start() -> Refusal? {
    guard let program = Self.program else { return Self.notInstalled }
    var line: [Int32] = [-1, -1]
    var failure = process_make_line(&line)
    if failure == 0 {
      var order = ProcessOrder([program], descriptors: [line[0], -1, 2])
      order.memoryBytes = Self.memoryBytes
      let (process, number) = order.start()
      close(line[0])
      if number == 0 { running = (process, line[1]) } else { close(line[1]) }
      failure = number
    }
    return failure == 0
      ? nil
      : Refusal(
        reason: "\(program), which decodes it, cannot be started: \(systemMessage(failure))",
        advice: "check the program, and how many processes this user may have")
  }

  /// Makes the next packet the first. Answers why that failed, if it did.
  package func openDecoder() -> Refusal? {
    if running == nil, let refusal = start() { return refusal }
    let name = Array(order.name.utf8)
    var message: [UInt8] = [UInt8(ascii: "O")]
    func add(_ number: Int) { message += UInt32(clamping: number).hostBytes }
    add(name.count)
    message += name
    for number in [order.sampleRate, order.channelCount, order.blockBytes, order.bits] { add(Int(number)) }
    add(order.extra.count)
    message += order.extra
    guard send(message), let length = readNumber(), length < 1_024 else { return ended() }
    if length == 0 { return nil }
    guard let text = read(Int(length)) else { return ended() }
    return Refusal(
      reason: "its decoder does not take it: \(String(decoding: text, as: UTF8.self))",
      advice: "convert it to WAV, FLAC or Apple Lossless by another program")
  }

  private func ended() -> Refusal {
    end()
    return Refusal(reason: "aubench-decode, which decodes it, has ended", advice: "the file may be damaged")
  }

  /// The frames of a packet: none where the decoder holds them back; nil for a packet that cannot be decoded, and where
  /// the program has ended.
  package func decode(_ packet: [UInt8]) -> Samples? {
    send([UInt8(ascii: "P")] + UInt32(clamping: packet.count).hostBytes + packet) ? readSamples() : nil
  }

  /// The frames that the decoder holds back; behind them it takes no more packets until it is opened again.
  package func drain() -> Samples? { send([UInt8(ascii: "E")]) ? readSamples() : nil }

  private func readSamples() -> Samples? {
    guard let frames = readNumber(), frames != Self.damaged else { return nil }
    guard let rate = readNumber(), let channels = readNumber(), let low = readNumber(), let high = readNumber(),
      frames <= UInt32(Self.mostFrames), channels <= 64, frames == 0 || channels > 0
    else {
      end()
      return nil
    }
    let count = Int(frames) * Int(channels)
    guard let bytes = read(count * 4) else { return nil }
    var values = bytes.withUnsafeBytes { bytes in
      (0..<count).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) }
    }
    let mask = UInt64(high) << 32 | UInt64(low)
    if order.isAAC, let places = CodecChannels.aac(mask, channelCount: Int(channels)) {
      let given = values
      for frame in 0..<Int(frames) {
        for (channel, place) in places.enumerated() {
          values[frame * Int(channels) + channel] = given[frame * Int(channels) + place]
        }
      }
    }
    return Samples(sampleRate: Double(rate), channelCount: Int(channels), values: values)
  }

  // MARK: The socket

  private func send(_ bytes: [UInt8]) -> Bool {
    var done = 0
    while done < bytes.count {
      guard let socket = running?.socket, isReady(socket, Int16(POLLOUT)) else { return false }
      let count = bytes.withUnsafeBytes { bytes in
        Glibc.send(
          socket, bytes.baseAddress.map { $0 + done }, bytes.count - done, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      }
      if count > 0 { done += count } else if count == 0 || errno != EINTR && errno != EAGAIN { return lose() }
    }
    return true
  }

  private func readNumber() -> UInt32? {
    read(4).map { bytes in bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) } }
  }

  private func read(_ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      guard let socket = running?.socket, isReady(socket, Int16(POLLIN)) else { return nil }
      let got = bytes.withUnsafeMutableBytes { bytes in
        recv(socket, bytes.baseAddress.map { $0 + done }, count - done, Int32(MSG_DONTWAIT))
      }
      if got > 0 {
        done += got
      } else if got == 0 || errno != EINTR && errno != EAGAIN {
        _ = lose()
        return nil
      }
    }
    return bytes
  }

  /// Waits until the socket can be written to or read from; a program that does not answer is ended.
  private func isReady(_ socket: Int32, _ event: Int16) -> Bool {
    while true {
      var watched = pollfd(fd: socket, events: event, revents: 0)
      let count = poll(&watched, 1, Self.patience)
      if count > 0 { return true }
      if count == 0 || errno != EINTR { return lose() }
    }
  }

  private func lose() -> Bool {
    end()
    return false
  }

  /// Ends the program and takes its end: it is no zombie of a host.
  private func end() {
    guard let (process, socket) = running else { return }
    running = nil
    close(socket)
    kill(process.pid, SIGKILL)
    var (handle, result) = (process, process_end())
    _ = process_take_end(&handle, 2_000, &result)
    if process.ended >= 0 { close(process.ended) }
  }
}

extension UInt32 {
  /// Its bytes in memory.
  fileprivate var hostBytes: [UInt8] { withUnsafeBytes(of: self) { Array($0) } }
}
