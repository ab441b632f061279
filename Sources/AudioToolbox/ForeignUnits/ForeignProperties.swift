import AudioCore
import AudioUnits
import CoreFoundation
import Foundation
import Glibc

/// The engine's properties of a third-party component, beyond those that every unit has.
enum ForeignProperties {
  static func rows(hasBypass: Bool) -> [PropertyDescriptor] {
    var rows = [
      PropertyDescriptor(
        .componentState, "state", type: "path of a .aupreset file",
        set: { (unit, _, _, value) throws(AudioStatus) in
          guard case .text(let path) = value, let unit = unit as? ForeignUnit else { throw .invalidPropertyValue }
          try unit.loadState(path)
        })
    ]
    guard hasBypass else { return rows }
    rows.append(
      PropertyDescriptor(
        .bypassEffect, "bypassEffect", type: "UInt32, 0 or 1",
        get: { (unit, _, _) throws(AudioStatus) in .uint32((unit as? ForeignUnit)?.isBypassed == true ? 1 : 0) },
        set: { (unit, _, _, value) throws(AudioStatus) in
          guard case .uint32(let number) = value, let unit = unit as? ForeignUnit else { throw .invalidPropertyValue }
          try unit.setBypass(number != 0)
        }))
    return rows
  }
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
