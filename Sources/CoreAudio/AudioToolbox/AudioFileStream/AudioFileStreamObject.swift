// The object behind an AudioFileStreamID. Any thread; bytes are parsed by one thread at a time. No lock is held while the
// client's functions run: they may ask, seek and close.

import AudioCore
import CAudioToolbox
import Transcripts

final class AudioFileStreamObject: HandleObject, @unchecked Sendable {
  static var handleKind: HandleKind { .audioFileStream }

  /// The client's functions.
  struct Client: @unchecked Sendable {
    let data: UnsafeMutableRawPointer
    let property: AudioFileStream_PropertyListenerProc
    let packets: AudioFileStream_PacketsProc
  }

  private struct State {
    var parser: StreamParser
    var isParsing = false
    var isClosed = false
    /// Seeks so far: bytes that are being parsed are no more of use after one.
    var seeks = 0
  }

  /// The name of the stream in a transcript of calls.
  let callSubject = CallRecorder.shared?.makeSubject("stream")
  private let client: Client
  private let state: Locked<State>

  init(_ client: Client, hint: AudioFileTypeID) {
    self.client = client
    state = Locked(State(parser: StreamParser(hint: hint)))
  }

  /// Parses bytes, and calls the client's functions.
  /// - Throws: 'nope' from inside of one of these, the error of the stream.
  func parse(
    _ bytes: UnsafeRawBufferPointer, isDiscontinuous: Bool, handle: AudioFileStreamID
  ) throws(AudioStatus) {
    let seeks = try state.withLock { (state) throws(AudioStatus) in
      guard !state.isParsing, !state.isClosed else { throw .streamIllegal }
      if isDiscontinuous { try state.parser.noteDiscontinuity() }
      state.isParsing = true
      return state.seeks
    }
    defer { state.withLock { $0.isParsing = false } }
    var used = 0
    while true {
      let event = try state.withLock { (state) throws(AudioStatus) -> StreamEvent? in
        guard !state.isClosed, state.seeks == seeks else { return nil }
        return try state.parser.next(bytes, used: &used)
      }
      switch event {
      case .property(let id): tell(id, handle)
      case .packets(let packets): deliver(packets)
      case nil: return
      }
    }
  }

  private func tell(_ id: AudioFileStreamPropertyID, _ handle: AudioFileStreamID) {
    // Every value is kept.
    var flags = AudioFileStreamPropertyFlags.propertyIsCached
    recordedCallback("property listener", callSubject, CallText.property(id)) {
      client.property(client.data, handle, id, &flags)
    }
  }

  private func deliver(_ packets: StreamPackets) {
    var descriptions = packets.descriptions
    let count = UInt32(clamping: packets.count)
    recordedCallback("packets callback", callSubject, NumberText.count(count, "packet")) {
      packets.bytes.withUnsafeBytes { bytes in
        descriptions.withUnsafeMutableBufferPointer { descriptions in
          // Packets without bytes lie nowhere.
          withUnsafePointer(to: UInt64(0)) { nothing in
            client.packets(
              client.data, UInt32(clamping: bytes.count), count, bytes.baseAddress ?? UnsafeRawPointer(nothing),
              descriptions.isEmpty ? nil : descriptions.baseAddress)
          }
        }
      }
    }
  }

  /// See ``StreamParser/seek(to:)``.
  func seek(to packet: Int64) throws(AudioStatus) -> (offset: Int64, isEstimated: Bool) {
    try state.withLock { (state) throws(AudioStatus) in
      let place = try state.parser.seek(to: packet)
      state.seeks += 1
      return place
    }
  }

  /// Reads from the parser.
  func ask<Answer>(_ question: (StreamParser) throws(AudioStatus) -> Answer) throws(AudioStatus) -> Answer {
    try state.withLock { (state) throws(AudioStatus) in try question(state.parser) }
  }

  /// No function of the client is called any more, but for one that runs on another thread.
  func close() { state.withLock { $0.isClosed = true } }
}
