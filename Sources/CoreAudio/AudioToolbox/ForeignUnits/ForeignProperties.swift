import AudioCore
import AudioEngine
import CoreFoundation
import Foundation
import Glibc

/// The engine's properties of a third-party component, beyond those that every unit has.
enum ForeignProperties {
  static let state = PropertyDescriptor(
    .componentState, "state", .path("path of a .aupreset file"), of: ForeignUnit.self,
    set: { (unit, _, _, path) throws(AudioStatus) in try unit.loadState(path) })

  /// In front of the preset and the bypass: a state may replace both.
  static let stateKey = GraphKey("state", "a .aupreset file, relative to the graph file", .file, of: ForeignUnit.self) {
    (unit, path) throws(AudioStatus) in try unit.loadState(path)
  }

  static let bypass = PropertyDescriptor.bypass(
    of: ForeignUnit.self, get: { $0.isBypassed }, set: { (unit, isOn) throws(AudioStatus) in try unit.setBypass(isOn) })
}

extension PropertyID {
  static let componentState = PropertyID(64_009)
}

/// Saved states of components, as hosts on other systems write them.
enum ForeignState {
  /// More than any state that a person would keep in one file.
  private static let maximumBytes = 256 << 20

  /// The dictionary of a property list file, the caller's to release; nil where the file holds none.
  static func read(_ path: String) -> Unmanaged<CFPropertyList>? {
    guard let bytes = try? FileSystem.contents(of: path, atMost: maximumBytes),
      let object = CFDataCreate(nil, bytes, bytes.count),
      let list = CFPropertyListCreateWithData(nil, object, 0, nil, nil)
    else { return nil }
    if CFGetTypeID(list.takeUnretainedValue()) == CFDictionaryGetTypeID() { return list }
    list.release()
    return nil
  }
}
