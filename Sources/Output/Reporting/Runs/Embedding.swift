import Measurement
import AudioCore
import Foundation

/// Files that go into a page, as long as there is room; the rest is linked, relative to the page where that can be.
struct Embedding {
  /// The path of the page; nil: unknown, links are absolute.
  let pagePath: String?
  /// Bytes left for the whole page, before Base64 makes a third more of them.
  private(set) var left: Int
  /// The largest file that is embedded.
  let largestFile: Int

  init(pagePath: String?, budget: Int = 24 << 20, largestFile: Int = 3 << 20) {
    self.pagePath = pagePath
    left = budget
    self.largestFile = largestFile
  }

  enum Result {
    /// A data URI.
    case embedded(String)
    /// Why not.
    case linked(String)
  }

  mutating func take(_ bytes: [UInt8], type: String) -> Result {
    guard bytes.count <= min(left, largestFile) else {
      return .linked("\(NumberText.bytes(bytes.count)): too large for this page")
    }
    left -= bytes.count
    return .embedded("data:\(type);base64,\(Data(bytes).base64EncodedString())")
  }

  /// A picture, by what its first bytes say that it is.
  mutating func picture(_ path: String) -> Result {
    let data: Data
    do {
      data = Data(try FileSystem.contents(of: path, atMost: min(left, largestFile)))
    } catch {
      return switch error {
      case .system(ENOENT), .isNoPlainFile: .linked("the file is missing")
      case .system: .linked("cannot be read")
      case .isTooLong(let bytes, _): .linked("\(NumberText.bytes(bytes)): too large for this page")
      }
    }
    guard let type = Self.pictureType(data) else { return .linked("no picture that a browser shows") }
    return take(Array(data), type: type)
  }

  private static func pictureType(_ data: Data) -> String? {
    let head = Array(data.prefix(512))
    if head.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "image/png" }
    if head.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    if head.starts(with: Array("RIFF".utf8)) && head.dropFirst(8).starts(with: Array("WEBP".utf8)) {
      return "image/webp"
    }
    return String(decoding: head, as: UTF8.self).contains("<svg") ? "image/svg+xml" : nil
  }

  /// The address of a file, as the page can use it.
  func address(_ path: String) -> String {
    let target = Self.absolute(path)
    guard let pagePath else { return "file://" + Self.percentEncoded(target) }
    let folder = Self.parts(Self.absolute(pagePath)).dropLast()
    let parts = Self.parts(target)
    let common = zip(folder, parts).prefix { $0 == $1 }.count
    // Nothing in common but the root: a page that is moved would lead astray.
    guard common > 0 else { return "file://" + Self.percentEncoded(target) }
    let up = Array(repeating: "..", count: folder.count - common)
    let relative = (up + parts.dropFirst(common)).joined(separator: "/")
    // In front of a name with a colon, which would be a scheme.
    return "./" + Self.percentEncoded(relative)
  }

  private static func absolute(_ path: String) -> String {
    let whole = FileName.path(path, in: (FileSystem.currentFolder ?? "") + "/")
    return "/" + parts(whole).joined(separator: "/")
  }

  private static func parts(_ path: String) -> [String] {
    var parts: [String] = []
    for part in path.unicodeScalars.split(separator: "/") where !part.elementsEqual(["."]) {
      if part.elementsEqual([".", "."]) { _ = parts.popLast() } else { parts.append(String(part)) }
    }
    return parts
  }

  private static func percentEncoded(_ path: String) -> String {
    var answer = ""
    for byte in ByteText.bytes(path) {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: "."), UInt8(ascii: "~"):
        answer.unicodeScalars.append(Unicode.Scalar(byte))
      default: answer += String(format: "%%%02X", Int(byte))
      }
    }
    return answer
  }
}
