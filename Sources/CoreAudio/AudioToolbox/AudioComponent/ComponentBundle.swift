// A third-party component on disk: what its property list says, and the shared object that holds the code. Nothing
// here runs any of it except `factory()`.

import AudioCore
import CAudioToolbox
import Foundation

/// A folder `Name.component`, laid out as on the systems that bundles come from.
final class ComponentBundle: @unchecked Sendable {
  /// One entry of the property list's `AudioComponents`.
  struct Listing: Sendable {
    let description: AudioComponentDescription
    let name: String
    /// 0xMMMMmmDD.
    let version: UInt32
    /// The C function that makes it.
    let factoryName: String
  }

  let path: String
  let listings: [Listing]
  /// The shared object; nil where the bundle has none for this machine.
  let executable: String?
  /// The errors of the bundle as a whole or of entries of its list, in words; empty if there are none.
  let problems: [String]

  private let loading = RecursiveLock()
  private var handle: UnsafeMutableRawPointer?

  init(path: String) {
    self.path = path
    var problems: [String] = []
    var listings: [Listing] = []
    var executableName = FileName.stem(of: FileName.last(of: path))
    do {
      let properties = try Self.properties(of: path)
      if let name = properties["CFBundleExecutable"] {
        if let name = name as? String, !name.isEmpty, !name.utf8.contains(UInt8(ascii: "/")), name != "..", name != "."
        {
          executableName = name
        } else {
          problems.append("CFBundleExecutable is not the name of a file")
        }
      }
      guard let entries = properties["AudioComponents"] as? [Any], !entries.isEmpty else {
        throw ParseError("its Info.plist lists no AudioComponents")
      }
      for (index, entry) in entries.enumerated() {
        do { listings.append(try Self.listing(entry)) } catch {
          problems.append("AudioComponents[\(index)]: \((error as? ParseError)?.text ?? "\(error)")")
        }
      }
    } catch {
      problems.append((error as? ParseError)?.text ?? "its Info.plist cannot be read")
    }
    self.listings = listings
    executable = Self.findExecutable(executableName, in: path)
    if executable == nil {
      problems.append("it has no shared object \"\(executableName)\" for Linux on \(Self.architecture)")
    }
    self.problems = problems
  }

  private struct ParseError: Error {
    let text: String
    init(_ text: String) { self.text = text }
  }

  /// More than any list of components takes.
  private static let maximumPropertyBytes = 1 << 20

  static func propertyList(of path: String) -> String { path + "/Contents/Info.plist" }

  private static func properties(of path: String) throws -> [String: Any] {
    let bytes: [UInt8]
    do {
      bytes = try FileSystem.contents(of: propertyList(of: path), atMost: maximumPropertyBytes)
    } catch {
      switch error {
      case .system(ENOENT), .system(ENOTDIR): throw ParseError("it has no Contents/Info.plist")
      case .system: throw ParseError("its Info.plist cannot be read")
      case .isNoPlainFile, .isTooLong: throw ParseError("its Info.plist is no property list")
      }
    }
    guard let list = try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil),
      let properties = list as? [String: Any]
    else { throw ParseError("its Info.plist is no property list") }
    return properties
  }

  private static func listing(_ entry: Any) throws -> Listing {
    guard let entry = entry as? [String: Any] else { throw ParseError("it is no dictionary") }
    func code(_ key: String) throws -> UInt32 {
      guard let text = entry[key] as? String, let code = AudioCore.FourCharCode(text) else {
        throw ParseError("its \(key) is not a four-character code")
      }
      return code.rawValue
    }
    let description = AudioComponentDescription(
      componentType: try code("type"), componentSubType: try code("subtype"),
      componentManufacturer: try code("manufacturer"),
      componentFlags: (entry["sandboxSafe"] as? Bool) == true ? AudioComponentFlags.sandboxSafe.rawValue : 0,
      componentFlagsMask: 0)
    guard let factory = entry["factoryFunction"] as? String, !factory.isEmpty else {
      throw ParseError("it names no factoryFunction")
    }
    let version = (entry["version"] as? NSNumber)?.int64Value ?? 0
    let name = (entry["name"] as? String) ?? "\(ComponentCodes(description))"
    return Listing(
      description: description, name: name, version: UInt32(truncatingIfNeeded: version), factoryName: factory)
  }

  // MARK: The shared object

  static var architecture: String {
    #if arch(x86_64)
      "x86_64"
    #elseif arch(arm64)
      "aarch64"
    #else
      "this machine"
    #endif
  }

  /// The folders in which the code may be, in order; each name with and without `.so`.
  private static func findExecutable(_ name: String, in path: String) -> String? {
    for folder in ["Contents/Linux-\(architecture)", "Contents/Linux", "Contents/MacOS", "."] {
      for file in [name, name + ".so"] {
        let candidate = folder == "." ? "\(path)/\(file)" : "\(path)/\(folder)/\(file)"
        // A bundle may also carry the code of other systems.
        if isELF(candidate) { return candidate }
      }
    }
    return nil
  }

  private static func isELF(_ path: String) -> Bool {
    var status = stat()
    guard FileSystem.status(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
    let descriptor = FileSystem.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var magic = [UInt8](repeating: 0, count: 4)
    return read(descriptor, &magic, 4) == 4 && magic == [0x7F, 0x45, 0x4C, 0x46]
  }

  /// Loads the code and finds a factory in it. Loaded code stays.
  ///
  /// - Throws: `.invalidFile` where there is no code, it cannot be loaded, or the function is not in it.
  func factory(_ listing: Listing) throws(AudioStatus) -> AudioComponentFactoryFunction {
    loading.lock()
    defer { loading.unlock() }
    if handle == nil, let executable {
      ForeignCode.willLoad(path)
      handle = ByteText.withCString(executable) { dlopen($0, RTLD_NOW | RTLD_LOCAL) }
    }
    guard let handle, let symbol = dlsym(handle, listing.factoryName) else { throw .invalidFile }
    return unsafeBitCast(symbol, to: AudioComponentFactoryFunction.self)
  }
}

/// The three codes of a component as graph files and messages write them: `aufx demo Acme`.
package struct ComponentCodes: Hashable, Sendable, CustomStringConvertible {
  package let type: UInt32
  package let subType: UInt32
  package let manufacturer: UInt32

  package init(_ description: AudioComponentDescription) {
    type = description.componentType
    subType = description.componentSubType
    manufacturer = description.componentManufacturer
  }

  package var description: String {
    [type, subType, manufacturer].map { "\(AudioCore.FourCharCode(rawValue: $0))" }.joined(separator: " ")
  }
}
