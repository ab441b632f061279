// Markers and regions of a file, as the lists of AudioFile.h: the points of the sound, and its stretches.

import AudioCore
import CAudioToolbox
import SoundFile
import Tags

extension AudioFileObject {
  /// Bytes of an AudioFileMarker, and of a list, or a region, in front of its markers.
  private static let (markerBytes, listLead, regionLead) = (40, 8, 24)

  /// Markers, regions and instruments of the file; none of one that a coder is writing.
  private func extras() throws(AudioStatus) -> SoundExtras {
    guard encoder == nil else { return SoundExtras() }
    try flush()
    return SoundExtras(storage).withCueSheetAsMarkers
  }

  /// An AudioFileMarkerList of the points, in the order of the file; their ids count from 1.
  func markerList() throws(AudioStatus) -> CValue {
    let points = try extras().markers.filter { $0.length == 0 }
    return CValue.made(size: Self.listLead + points.count * Self.markerBytes) {
      var list = Words(UInt32(0), UInt32(points.count))
      for (index, point) in points.enumerated() {
        list.addMarker(Double(point.position), name: point.name, id: Int32(index + 1), type: 0)
      }
      return list.bytes
    }
  }

  /// An AudioFileRegionList: each region has a marker at its first frame and one behind its last.
  func regionList() throws(AudioStatus) -> CValue {
    let regions = try extras().markers.filter { $0.length > 0 }
    return CValue.made(size: Self.listLead + regions.count * (Self.regionLead + 2 * Self.markerBytes)) {
      var list = Words(UInt32(0), UInt32(regions.count))
      for (index, region) in regions.enumerated() {
        list.add(UInt32(index + 1))
        list.add(UInt32(0))
        list.add(Words.pointer(region.name))
        // kAudioFileRegionFlag_PlayForward, and the number of markers.
        list.add(UInt32(2))
        list.add(UInt32(2))
        let first = Double(region.position)
        for (place, type) in [(first, 0x7262_6567), (first + Double(region.length), 0x7265_6E64)] as [(Double, UInt32)]
        {
          list.addMarker(place, name: "", id: Int32(2 * index) + (type == 0x7262_6567 ? 1 : 2), type: type)
        }
      }
      return list.bytes
    }
  }

  /// Puts the points of a list in place of those that there are; regions stay.
  /// - Throws: '!siz' for fewer bytes than the list has markers, -50 for a position that is none, 'op??' for a file that
  ///   has no place for them.
  func setMarkerList(_ data: UnsafeRawPointer, size: Int) throws(AudioStatus) {
    guard size >= Self.listLead else { throw .filePropertySize }
    let count = Int(data.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
    guard count <= (size - Self.listLead) / Self.markerBytes else { throw .filePropertySize }
    var points: [SoundExtras.Marker] = []
    for index in 0..<count {
      points.append(try Self.marker(data + Self.listLead + index * Self.markerBytes))
    }
    let old = try extras()
    try replaceMarkers(old.markers.filter { $0.length > 0 } + points, old)
  }

  /// As ``setMarkerList(_:size:)``, the regions. Each goes from the first of its markers to the last.
  func setRegionList(_ data: UnsafeRawPointer, size: Int) throws(AudioStatus) {
    guard size >= Self.listLead else { throw .filePropertySize }
    let count = Int(data.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
    var (place, regions): (Int, [SoundExtras.Marker]) = (Self.listLead, [])
    for _ in 0..<count {
      guard size - place >= Self.regionLead else { throw .filePropertySize }
      let name = data.loadUnaligned(fromByteOffset: place + 8, as: UnsafeRawPointer?.self)
      let markers = Int(data.loadUnaligned(fromByteOffset: place + 20, as: UInt32.self))
      place += Self.regionLead
      guard markers <= (size - place) / Self.markerBytes else { throw .filePropertySize }
      var places: [Int64] = []
      for index in 0..<markers { places.append(try Self.marker(data + place + index * Self.markerBytes).position) }
      place += markers * Self.markerBytes
      guard let first = places.min(), let last = places.max(), first < last else { throw .parameterError }
      regions.append(
        SoundExtras.Marker(position: first, length: last - first, name: CFText.string(at: name) ?? ""))
    }
    let old = try extras()
    try replaceMarkers(old.markers.filter { $0.length == 0 } + regions, old)
  }

  /// True for files that can have markers and get them here.
  var takesMarkers: Bool { canWrite && layout.map { $0.kind != .wave64 && $0.kind != .au } ?? false }

  private static func marker(_ data: UnsafeRawPointer) throws(AudioStatus) -> SoundExtras.Marker {
    let position = data.loadUnaligned(as: Float64.self)
    guard position >= 0, position < 0x1p53 else { throw .parameterError }
    let name = data.loadUnaligned(fromByteOffset: 8, as: UnsafeRawPointer?.self)
    return SoundExtras.Marker(position: Int64(clamping: position.rounded()), name: CFText.string(at: name) ?? "")
  }

  private func replaceMarkers(_ markers: [SoundExtras.Marker], _ old: SoundExtras) throws(AudioStatus) {
    guard canWrite else { throw .filePermissions }
    guard takesMarkers, let layout, let family = SoundExtras.Family(layout) else { throw .fileOperationUnsupported }
    var new = SoundExtras()
    new.markers = markers
    new.instrument = old.instrument
    let (chunks, lost) = new.chunks(for: family, sampleRate: sampleRate)
    guard lost.isEmpty else { throw .fileOperationUnsupported }
    for name in ["cue ", "smpl", "inst", "MARK", "INST", "COMT", "mark", "regn", "strg"] {
      while try chunkCount(Self.id(name)) > 0 { try removeChunk(Self.id(name), index: 0) }
    }
    let list = Self.id("LIST")
    for index in (0..<UInt32(try chunkCount(list))).reversed() {
      let kind = storage.bytes(at: try chunk(list, index: index).offset, count: 4)
      if kind?.elementsEqual("adtl".utf8) ?? false { try removeChunk(list, index: index) }
    }
    for chunk in chunks {
      let id = Self.id(chunk.name)
      try setChunk(id, index: UInt32(try chunkCount(id)), bytes: chunk.bytes)
    }
  }

  private static func id(_ name: String) -> UInt32 { UInt32(truncatingIfNeeded: name.utf8.bigEndianValue) }
}

/// Fields of a C structure, one behind the other.
private struct Words {
  private(set) var bytes: [UInt8] = []

  init(_ first: UInt32, _ second: UInt32) {
    add(first)
    add(second)
  }

  /// A CFString that the caller owns.
  static func pointer(_ text: String) -> UInt { UInt(bitPattern: CFText.make(text)?.toOpaque()) }

  mutating func add<T: BitwiseCopyable>(_ value: T) { withUnsafeBytes(of: value) { bytes += $0 } }

  mutating func addMarker(_ position: Double, name: String, id: Int32, type: UInt32) {
    add(position)
    add(Self.pointer(name))
    add(id)
    // No SMPTE time.
    add(UInt64(0))
    add(type)
    // Reserved, and the channel: all of them.
    add(UInt64(0))
  }
}
