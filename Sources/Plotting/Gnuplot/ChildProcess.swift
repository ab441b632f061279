import AudioCore
import FoundationEssentials
import Glibc

/// Programs that Plotting runs. Input and output are files without names, so that neither side can wait for the other and
/// nothing is left behind.
enum ChildProcess {
  /// - Throws: `.output` where the program is not there or is stopped by a signal.
  static func run(
    _ command: [String], input: Data = Data()
  ) throws(BenchError) -> (output: Data, code: Int32, errors: Data) {
    let executable = command[0]
    let input = try NamelessFile(input)
    let output = try NamelessFile()
    let errors = try NamelessFile()
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_adddup2(&actions, input.descriptor, 0)
    posix_spawn_file_actions_adddup2(&actions, output.descriptor, 1)
    posix_spawn_file_actions_adddup2(&actions, errors.descriptor, 2)
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    let words = command.map { strdup($0) } + [nil]
    let environment = Self.environment.map { strdup($0) } + [nil]
    defer { for string in words + environment { free(string) } }
    var pid: pid_t = 0
    let failure = posix_spawnp(&pid, executable, &actions, &attributes, words, environment)
    guard failure == 0 else { throw Self.spawnError(failure, executable) }
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0 {
      guard errno == EINTR else { throw Self.spawnError(errno, executable) }
    }
    let signal = status & 0x7F
    if signal != 0 { throw BenchError(.output, at: executable, "was stopped by signal \(signal)") }
    return (try output.contents(), (status >> 8) & 0xFF, try errors.contents())
  }

  /// The user's own, without what would change the picture: settings of gnuplot, languages.
  private static var environment: [String] {
    let ours = ProcessInfo.processInfo.environment.filter { key, _ in
      !key.hasPrefix("GNU") && !key.hasPrefix("LC_") && key != "LANG" && key != "LANGUAGE"
    }
    return ours.map { "\($0.key)=\($0.value)" }.sorted() + ["LC_ALL=C.UTF-8", "SOURCE_DATE_EPOCH=946684800"]
  }

  private static func spawnError(_ number: Int32, _ executable: String) -> BenchError {
    if number == ENOENT {
      return BenchError(
        .output, at: executable, "pictures are drawn by gnuplot, and it is not there", advice: "install gnuplot-nox")
    }
    return BenchError(.output, at: executable, "cannot be run: \(String(cString: strerror(number)))")
  }
}

/// A temporary file without a name: gone with the last process that has it open.
private final class NamelessFile {
  let descriptor: Int32

  init(_ data: Data = Data()) throws(BenchError) {
    let folder = FileSystem.environment("TMPDIR") ?? "/tmp"
    var template = ByteText.bytes("\(folder)/aubench-plot-XXXXXX").map { CChar(bitPattern: $0) } + [0]
    descriptor = mkstemp(&template)
    guard descriptor >= 0 else {
      throw BenchError(
        .output, at: folder, "no temporary file can be made: \(String(cString: strerror(errno)))",
        advice: "set TMPDIR to a folder that can be written in")
    }
    unlink(template)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    guard writeAll(data, to: descriptor) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
      throw BenchError(.output, at: folder, "a temporary file cannot be written: \(String(cString: strerror(errno)))")
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  func contents() throws(BenchError) -> Data {
    lseek(descriptor, 0, SEEK_SET)
    var all = Data()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count == 0 { return all }
      if count > 0 {
        all.append(contentsOf: buffer[..<count])
      } else if errno != EINTR {
        throw BenchError(.output, at: "gnuplot", "its answer cannot be read: \(String(cString: strerror(errno)))")
      }
    }
  }
}

/// Writes everything; answers 0 or the number of the system's error.
func writeAll(_ data: Data, to descriptor: Int32) -> Int32 {
  data.withUnsafeBytes { bytes in
    var done = 0
    while done < bytes.count {
      let count = write(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
      if count > 0 { done += count } else if errno != EINTR { return errno }
    }
    return 0
  }
}
