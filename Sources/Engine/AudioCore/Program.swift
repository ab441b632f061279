/// The name of this program in reports, records and messages.
public enum Program {
  /// As it is called on the command line.
  public static let name = "aubench"
  /// `major.minor.patch`, as `aubench --version` prints it and records of runs name it.
  public static let version = "0.13.0"
}
