import AudioCore
import CAudioToolbox
import CoreAudioStreams
import Foundation

/// The loudspeakers of a stream's channels, in their order. Immutable.
open class AVAudioChannelLayout: NSObject, NSSecureCoding, @unchecked Sendable {
  private let data: ChannelLayoutData
  /// The C structure, with its descriptions behind it.
  private let memory: UnsafeMutableRawPointer

  init(_ data: ChannelLayoutData) {
    self.data = data
    let bytes = data.structureBytes
    memory = .allocate(byteCount: bytes.count, alignment: 8)
    memory.copyMemory(from: bytes, byteCount: bytes.count)
  }

  deinit { memory.deallocate() }

  /// Nil for a tag that says nothing of its own: `kAudioChannelLayoutTag_UseChannelDescriptions` and `…UseChannelBitmap`.
  public convenience init?(layoutTag: AudioChannelLayoutTag) {
    guard
      ![kAudioChannelLayoutTag_UseChannelDescriptions, kAudioChannelLayoutTag_UseChannelBitmap].contains(layoutTag)
    else { return nil }
    self.init(ChannelLayoutData(tag: layoutTag))
  }

  /// A copy of a C structure, of whatever length it says it has.
  public convenience init(layout: UnsafePointer<AudioChannelLayout>) {
    let size = ChannelLayouts.size(of: layout)
    self.init(
      ChannelLayoutData(UnsafeRawPointer(layout), size: size)
        ?? ChannelLayoutData(tag: layout.pointee.mChannelLayoutTag))
  }

  /// Reads a layout from an archive; nil where it has none.
  public required convenience init?(coder: NSCoder) {
    guard let layout = coder.bytes(forKey: "AULayout").flatMap({ ChannelLayoutData(Data($0)) }) else { return nil }
    self.init(layout)
  }

  /// Writes the layout's structure. Archives are this project's own: Apple's systems have others.
  public func encode(with coder: NSCoder) {
    let bytes = data.structureBytes
    coder.encodeBytes(bytes, length: bytes.count, forKey: "AULayout")
  }

  /// True.
  public static var supportsSecureCoding: Bool { true }

  /// The tag; `kAudioChannelLayoutTag_UseChannelDescriptions` where each channel is described.
  public var layoutTag: AudioChannelLayoutTag { data.tag }

  /// The C structure, valid as long as this object lives.
  public var layout: UnsafePointer<AudioChannelLayout> {
    UnsafePointer(memory.assumingMemoryBound(to: AudioChannelLayout.self))
  }

  /// The number of channels that it describes.
  public var channelCount: AVAudioChannelCount { AVAudioChannelCount(data.channelCount) }

  /// Its structure's bytes, as settings have them.
  var settingsData: Data { Data(data.structureBytes) }

  /// The loudspeakers; nil where the layout does not name them.
  package var loudspeakers: ChannelLayout? { ChannelLayout(chunk: data.chunkBytes) }

  convenience init(_ loudspeakers: ChannelLayout) {
    // A tag where one has this order: programs compare tags.
    if let tag = ChannelLayouts.tag(of: loudspeakers.labels) {
      self.init(ChannelLayoutData(tag: tag))
    } else {
      self.init(
        ChannelLayoutData(
          tag: kAudioChannelLayoutTag_UseChannelDescriptions,
          descriptions: loudspeakers.labels.map { [$0, 0, 0, 0, 0] }))
    }
  }

  /// True of layouts with the same loudspeakers in the same order, however they are written.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? AVAudioChannelLayout else { return false }
    if data == other.data { return true }
    guard let mine = loudspeakers, let theirs = other.loudspeakers else { return false }
    return mine.isSame(as: theirs)
  }

  /// Equal layouts have one hash.
  public override var hash: Int { loudspeakers?.positions.hashValue ?? data.tag.hashValue }

  /// For people.
  public override var description: String { loudspeakers.map { "\($0)" } ?? "layout tag \(data.tag)" }
}
