import AudioCore
import Foundation
import Verification

/// The settings of expectations, from the environment.
///
/// - `AUBENCH_BLESS`: `missing`, `failed` or `all` writes goldens; not where `CI` is set.
/// - `AUBENCH_BLESS_REASON`: why, kept in their records; needed.
/// - `AUBENCH_ARTIFACTS`: the folder for the sounds of what failed; a temporary one, for this user only, where it is
///   not set.
package struct ExpectationSettings: Sendable {
  package var policy = GoldenPolicy()
  /// Why goldens cannot be written as asked for; nil: they can.
  package var policyError: BenchError?
  package var artifactFolder: String

  @TaskLocal package static var current = ExpectationSettings(ProcessInfo.processInfo.environment)

  package init(_ environment: [String: String]) {
    let wanted = environment["AUBENCH_ARTIFACTS"] ?? ""
    artifactFolder = wanted.isEmpty ? Self.temporaryFolder(environment["TMPDIR"] ?? "") : wanted
    do { policy = try Self.policy(environment) } catch { policyError = error }
  }

  /// A folder of this user's only: of the same name each time, unless somebody else has taken that.
  private static func temporaryFolder(_ wanted: String) -> String {
    let path = "\(wanted.isEmpty ? "/tmp" : wanted)/aubench-failures-\(geteuid())"
    return FileSystem.privateFolder(path) ?? path
  }

  /// - Throws: `.usage` for goldens that must not be written, or for no reason.
  private static func policy(_ environment: [String: String]) throws(BenchError) -> GoldenPolicy {
    let word = environment["AUBENCH_BLESS"] ?? ""
    guard !word.isEmpty else { return GoldenPolicy() }
    guard let mode = GoldenPolicy.Mode(rawValue: word) else {
      throw BenchError(
        .usage, at: "AUBENCH_BLESS",
        "expected \(GoldenPolicy.Mode.allCases.map(\.rawValue).joined(separator: ", ")), "
          + "found \"\(word)\"")
    }
    guard mode != .never else { return GoldenPolicy() }
    guard !isSet(environment["CI"]) else {
      throw BenchError(
        .usage, at: "AUBENCH_BLESS", "goldens are never written where CI is set",
        advice: "write them on your machine, look at them, and commit them")
    }
    let reason = (environment["AUBENCH_BLESS_REASON"] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    guard GoldenPolicy.isReason(reason) else {
      throw BenchError(
        .usage, at: "AUBENCH_BLESS_REASON", "goldens are written for a reason, which their records keep",
        advice: "as AUBENCH_BLESS_REASON=\"the new shelf\"")
    }
    return GoldenPolicy(mode, reason: reason)
  }

  private static func isSet(_ value: String?) -> Bool {
    value.map { !["", "0", "false"].contains($0.lowercased()) } ?? false
  }
}
