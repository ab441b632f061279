import AudioCore
import Glibc

/// The folders in which the goldens of a suite may lie. The author of a suite chooses the folder, and `--bless` writes
/// into it: so it lies in the suite's own folder, in the project that the suite belongs to, or it has been marked as a
/// folder of goldens. Links are resolved first: the real folder counts.
enum GoldenPlace {
  /// The file by which a folder anywhere is marked.
  static let mark = ".goldens"

  /// The entries that show that a folder is the root of a project; version control comes first.
  private static let versionControl = [".git", ".hg", ".jj", ".svn"]
  private static let package = ["Package.swift"]

  /// The folder in which goldens of a suite in `folder` (empty, or ending with a slash) may be written. The text of an
  /// error names the folder and the reason.
  static func confinement(_ goldens: String, ofSuiteIn folder: String) -> Result<Confinement, Refusal> {
    guard let own = FileSystem.realPath(folder.isEmpty ? "." : folder) else {
      return .failure(Refusal("the suite's folder cannot be found"))
    }
    guard let place = Confinement.place(of: goldens) else {
      return .failure(Refusal("\"\(excerpt(goldens))\" cannot be followed to a folder: a part of it leads nowhere"))
    }
    let isOfSystem = ["/dev", "/proc", "/sys"].contains { Confinement(root: $0).holds(place) }
    if !isOfSystem, isMarked(place, ownerLike: own) { return .success(Confinement(root: place)) }
    let root = project(of: own)
    let confinement = Confinement(root: root)
    guard !isOfSystem, confinement.holds(place) else {
      return .failure(
        Refusal(
          "\"\(excerpt(goldens))\" is \(excerpt(place)), outside of \(excerpt(root)), the "
            + (ByteText.isSame(root, own) ? "suite's folder" : "project that the suite belongs to")))
    }
    let parts = place.utf8.dropFirst(root.utf8.count).split(separator: UInt8(ascii: "/"))
    if let hidden = versionControl.first(where: { name in parts.contains { $0.elementsEqual(name.utf8) } }) {
      return .failure(Refusal("\"\(excerpt(goldens))\" leads into a folder \(hidden)"))
    }
    return .success(confinement)
  }

  struct Refusal: Error {
    let clause: String
    init(_ clause: String) { self.clause = clause }
    static let advice =
      "choose a folder beside the suite or in its repository; or mark the folder as one of goldens, by an empty file \(mark) in it"
  }

  /// The nearest folder above that is under version control; where there is none, the nearest Swift package, or the
  /// folder itself.
  private static func project(of folder: String) -> String {
    for names in [versionControl, package] {
      var place = folder
      while place != "/" {
        if names.contains(where: { isRoot(place, by: $0, ownerLike: folder) }) { return place }
        place = FileName.folder(of: place)
      }
    }
    return folder
  }

  /// A folder where everybody may write belongs to no project, and what another user has put somewhere makes none.
  private static func isRoot(_ place: String, by name: String, ownerLike folder: String) -> Bool {
    var (status, own) = (stat(), stat())
    guard FileSystem.status(place, &status) == 0, status.st_mode & S_IWOTH == 0,
      FileSystem.linkStatus("\(place)/\(name)", &status) == 0, FileSystem.status(folder, &own) == 0
    else { return false }
    return status.st_uid == geteuid() || status.st_uid == own.st_uid
  }

  private static func isMarked(_ place: String, ownerLike folder: String) -> Bool {
    var (status, own) = (stat(), stat())
    guard FileSystem.linkStatus("\(place)/\(mark)", &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      FileSystem.status(folder, &own) == 0
    else { return false }
    return status.st_uid == geteuid() || status.st_uid == own.st_uid
  }
}
