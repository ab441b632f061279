/// What calls itself by this name in reports, records and messages.
public enum Program {
  public static let name = "aubench"
  public static let version = "0.1.0"
}
