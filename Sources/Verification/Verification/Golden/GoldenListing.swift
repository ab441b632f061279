import AudioCore

/// The files that belong to goldens. Each folder is read once.
package struct GoldenListing {
  /// By the bytes of a folder, and of what stands in front of a point in a table's name: a letter that is written in
  /// two ways makes two names.
  private var curves: [[UInt8]: [[UInt8]: [String]]] = [:]

  package init() {}

  /// The record and the sound of a golden, which may be made, and the curves that are there.
  package mutating func files(of name: String, in store: GoldenStore) -> [String] {
    let record = store.path(name, "json")
    let folder = FileName.folderPrefix(of: record)
    let key = ByteText.bytes(folder)
    let listed = curves[key] ?? Self.curves(in: folder)
    curves[key] = listed
    let own = listed[ByteText.bytes(FileName.stem(of: FileName.last(of: record)))] ?? []
    return [record, store.path(name, "flac")] + own.map { folder + $0 }
  }

  /// The tables in a folder, by each beginning of their names that ends at a point.
  private static func curves(in folder: String) -> [[UInt8]: [String]] {
    var curves: [[UInt8]: [String]] = [:]
    for name in (FileSystem.names(in: folder) ?? []).sorted() where FileName.fileExtension(of: name) == "tsv" {
      let bytes = ByteText.bytes(name)
      for point in bytes.indices.dropLast(4) where bytes[point] == UInt8(ascii: ".") {
        curves[Array(bytes[..<point]), default: []].append(name)
      }
    }
    return curves
  }
}
