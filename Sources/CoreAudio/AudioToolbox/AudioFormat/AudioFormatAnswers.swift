// The values of AudioFormat's properties: for each property, its specifier read and its value made. Any thread; nothing
// is kept. Numbers: the header; specifiers and values: the SDK's documentation.

import AudioCore
import CAudioToolbox
import SoundFile

/// The codes of AudioFormat. A null pointer where one is needed is -50.
enum FormatError {
  /// A question that has no answer: no tag for these channels, no bitmap for this tag.
  static let unspecified = code("what")
  static let unsupportedProperty = code("prop")
  static let badPropertySize = code("!siz")
  static let badSpecifierSize = code("!spc")
  static let unsupportedDataFormat = code("fmt?")
  static let unknownFormat = code("!fmt")

  private static func code(_ text: AudioCore.FourCharCode) -> AudioStatus {
    AudioStatus(Int32(bitPattern: text.rawValue))
  }
}

/// The specifier of a query: memory of the client, or nothing.
struct FormatSpecifier {
  let pointer: UnsafeRawPointer?
  let size: Int

  /// - Throws: '!spc' where the specifier is shorter than `bytes` or missing.
  func bytes(atLeast bytes: Int) throws(AudioStatus) -> UnsafeRawPointer {
    guard let pointer, size >= bytes else { throw FormatError.badSpecifierSize }
    return pointer
  }

  func word() throws(AudioStatus) -> UInt32 { try bytes(atLeast: 4).loadUnaligned(as: UInt32.self) }

  func description() throws(AudioStatus) -> AudioStreamBasicDescription {
    try bytes(atLeast: MemoryLayout<AudioStreamBasicDescription>.size).loadUnaligned(
      as: AudioStreamBasicDescription.self)
  }

  /// The channels of a layout that is the specifier.
  func layout() throws(AudioStatus) -> [UInt32] {
    let layout = try bytes(atLeast: ChannelLayouts.headerSize)
    guard let labels = ChannelLayouts.labels(of: layout, size: size) else { throw FormatError.unspecified }
    return labels
  }

  /// The channels of the two layouts that the specifier points at.
  func twoLayouts() throws(AudioStatus) -> ([UInt32], [UInt32]) {
    let pointers = try bytes(atLeast: 16)
    return (
      try Self.layout(at: pointers.loadUnaligned(as: Int.self)),
      try Self.layout(at: pointers.loadUnaligned(fromByteOffset: 8, as: Int.self))
    )
  }

  static func layout(at address: Int) throws(AudioStatus) -> [UInt32] {
    guard let layout = UnsafePointer<AudioChannelLayout>(bitPattern: address) else { throw .parameterError }
    guard let labels = ChannelLayouts.labels(of: layout) else { throw FormatError.unspecified }
    return labels
  }
}

enum FormatAnswer {
  /// - Throws: 'prop' for a property that is not among them; '!spc'; '!fmt' and 'fmt?' for formats; 'what' where there
  ///   is no answer.
  static func value(_ id: UInt32, about specifier: FormatSpecifier) throws(AudioStatus) -> CValue {
    switch AudioCore.FourCharCode(rawValue: id) {
    // Filled in where it lies: only its size is an answer.
    case "fmti": return CValue(AudioStreamBasicDescription())
    case "fnam": return .text(FormatFacts.name(of: try specifier.description()))
    case "acof": return .numbers(EncodingFacts.formats)
    case "acif": return .numbers(EncodingFacts.formats + PacketStream.formatIDs)
    case "aven", "avde":
      // Codecs of this project are no components to choose.
      guard FormatFacts(id: try specifier.word()) != nil else { throw FormatError.unknownFormat }
      return .bytes([])
    case "flst", "ofls": return try formatList(specifier)
    case "fpfl": return .number(try firstPlayable(specifier))
    case "fvbr": return .number(try facts(specifier).isVariable ? 1 : 0)
    case "fexf": return .number(try facts(specifier).isExternallyFramed ? 1 : 0)
    case "cryp":
      _ = try facts(specifier)
      return .number(0)
    case "nchm":
      let layout = try specifier.bytes(atLeast: ChannelLayouts.headerSize)
      guard let count = ChannelLayouts.channelCount(of: layout, size: specifier.size) else {
        throw FormatError.unspecified
      }
      return .number(UInt32(count))
    case "vacl":
      _ = try specifier.layout()
      return .bytes([])
    case "cmpl":
      guard let labels = ChannelLayouts.labels(ofTag: try specifier.word()) else { throw FormatError.unspecified }
      return .bytes(ChannelLayouts.layout(of: labels))
    case "cmpb":
      guard let labels = ChannelLayouts.labels(ofBitmap: try specifier.word()) else { throw FormatError.unspecified }
      return .bytes(ChannelLayouts.layout(of: labels))
    case "cmpt":
      guard let tag = ChannelLayouts.tag(of: try specifier.layout()) else { throw FormatError.unspecified }
      return .number(tag)
    case "bmtg":
      guard let labels = ChannelLayouts.labels(ofTag: try specifier.word()),
        let bitmap = ChannelLayouts.bitmap(of: labels)
      else { throw FormatError.unspecified }
      return .number(bitmap)
    case "tagc": return .numbers(ChannelLayouts.tags(channelCount: try specifier.word()))
    case "lonm": return .text(ChannelNames.name(of: try specifier.layout()))
    case "lsnm": return .text(ChannelNames.simpleName(of: try specifier.layout()))
    case "cnam": return .text(ChannelNames.name(of: try specifier.word()))
    case "csnm": return .text(ChannelNames.shortName(of: try specifier.word()))
    case "chmp":
      let (inputs, outputs) = try specifier.twoLayouts()
      return .numbers(ChannelMixing.map(from: inputs, to: outputs).map(UInt32.init(bitPattern:)))
    case "mmap":
      let (inputs, outputs) = try specifier.twoLayouts()
      return CValue(array: ChannelMixing.matrix(from: inputs, to: outputs))
    case "cheq":
      let (first, second) = try specifier.twoLayouts()
      return .number(first.map(ChannelLayouts.plainLabel) == second.map(ChannelLayouts.plainLabel) ? 1 : 0)
    case "chha": return .number(hash(of: try specifier.layout()))
    case "panm": return CValue(array: try panning(specifier))
    case "balf": return CValue(array: try balance(specifier))
    default: return try EncodingFacts.value(id, about: specifier)
    }
  }

  private static func facts(_ specifier: FormatSpecifier) throws(AudioStatus) -> FormatFacts {
    guard let facts = FormatFacts(id: try specifier.description().mFormatID) else { throw FormatError.unknownFormat }
    return facts
  }

  /// The one way to play a format that can be played: itself, with a layout by its number of channels.
  private static func formatList(_ specifier: FormatSpecifier) throws(AudioStatus) -> CValue {
    let asbd = try specifier.description()
    _ = try facts(specifier)
    guard ConverterFormat(asbd) != nil else { throw FormatError.unsupportedDataFormat }
    return CValue(array: [EncodingFacts.listItem(asbd)])
  }

  /// The first entry of a list that can be played.
  private static func firstPlayable(_ specifier: FormatSpecifier) throws(AudioStatus) -> UInt32 {
    let stride = MemoryLayout<AudioFormatListItem>.stride
    let list = try specifier.bytes(atLeast: stride)
    let index = (0..<specifier.size / stride).first {
      ConverterFormat(list.loadUnaligned(fromByteOffset: $0 * stride, as: AudioStreamBasicDescription.self)) != nil
    }
    guard let index else { throw FormatError.unsupportedDataFormat }
    return UInt32(index)
  }

  /// The same number for equivalent layouts: FNV-1a over their labels.
  private static func hash(of labels: [UInt32]) -> UInt32 {
    var hash: UInt32 = 0x811C_9DC5
    for label in labels.map(ChannelLayouts.plainLabel) {
      for shift in stride(from: UInt32(0), to: 32, by: 8) {
        hash ^= label >> shift & 0xFF
        hash = hash &* 0x0100_0193
      }
    }
    return hash
  }

  private static func panning(_ specifier: FormatSpecifier) throws(AudioStatus) -> [Float] {
    let info = try specifier.bytes(atLeast: MemoryLayout<AudioPanningInfo>.size)
    func number(_ offset: Int) -> Double { Double(info.loadUnaligned(fromByteOffset: offset, as: Float.self)) }
    guard let mode = ChannelPanning.Mode(rawValue: info.loadUnaligned(as: UInt32.self)) else {
      throw .parameterError
    }
    // Rectangular: to the right, to the front, up; spherical: degrees to the right, degrees up, distance.
    let isRectangular = info.loadUnaligned(fromByteOffset: 4, as: UInt32.self) & 1 != 0
    let azimuth = isRectangular ? ChannelPanning.direction(x: number(8), y: number(12)) : number(8)
    let scale = number(20)
    guard azimuth.isFinite, scale.isFinite else { throw .parameterError }
    let outputs = try FormatSpecifier.layout(at: info.loadUnaligned(fromByteOffset: 24, as: Int.self))
    return ChannelPanning.gains(mode: mode, azimuth: azimuth, scale: scale, outputs: outputs)
  }

  private static func balance(_ specifier: FormatSpecifier) throws(AudioStatus) -> [Float] {
    let info = try specifier.bytes(atLeast: MemoryLayout<AudioBalanceFade>.size)
    let leftRight = Double(info.loadUnaligned(as: Float.self))
    let backFront = Double(info.loadUnaligned(fromByteOffset: 4, as: Float.self))
    let type = info.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
    guard (-1...1).contains(leftRight), (-1...1).contains(backFront), type <= 1 else { throw .parameterError }
    let labels = try FormatSpecifier.layout(at: info.loadUnaligned(fromByteOffset: 16, as: Int.self))
    return ChannelPanning.balance(
      leftRight: leftRight, backFront: backFront, equalPower: type == 1, labels: labels)
  }
}
