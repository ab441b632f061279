import Glibc

/// The system's text for an errno, as a clause: "no space left on device".
package func systemMessage(_ number: Int32) -> String {
  guard let text = strerror(number) else { return "error \(number)" }
  let words = String(cString: text)
  // "File too large" → "file too large"; an abbreviation ("RPC failed") stays.
  guard let first = words.first, words.dropFirst().first?.isLowercase == true else { return words }
  return first.lowercased() + words.dropFirst()
}

/// The way to fix an error of writing a file, if known.
package func adviceForWriting(_ number: Int32) -> String? {
  switch number {
  case ENOSPC: "free some space, or write to another disk"
  case EDQUOT: "the user's share of the disk is used up: free some of it, or write to another disk"
  case EFBIG: "the file system or a limit (ulimit -f) allows no larger files"
  case EACCES, EPERM: "choose another folder, or change its permissions"
  case EROFS: "choose another folder"
  default: nil
  }
}

/// A text from a user's file as errors show it: no more than its beginning, as it may be as long as the file.
package func excerpt(_ text: String) -> String {
  let most = 60
  let scalars = text.unicodeScalars
  guard let end = scalars.index(scalars.startIndex, offsetBy: most, limitedBy: scalars.endIndex), end < scalars.endIndex
  else { return text }
  return String(scalars[..<end]) + "\u{2026}"
}

/// "a folder", "a device" …: what a mode says a path is.
package func kindOfFile(_ mode: mode_t) -> String {
  switch mode & S_IFMT {
  case S_IFDIR: "a folder"
  case S_IFCHR, S_IFBLK: "a device"
  case S_IFIFO: "a pipe"
  case S_IFSOCK: "a socket"
  case S_IFLNK: "a link"
  default: "a file"
  }
}
