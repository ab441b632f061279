import Measurement

/// The verdict of a check, a case or a suite. Ordered from good to bad.
public enum Verdict: String, Hashable, Sendable, CaseIterable, Codable {
  /// Every check holds.
  case passed
  /// Left out, with a reason.
  case skipped
  /// A golden that is needed is not there, or was made for another version of the case.
  case unblessed
  /// A check does not hold, or examined nothing.
  case failed
  /// The device under test crashed, or the program did while it ran.
  case crashed
  /// It took longer, or more memory, than it may.
  case timedOut
  /// The case could not be run at all: a file that is missing, a device that does not start.
  case error

  /// Passed, or left out with a reason: a run of nothing else succeeds.
  public var isGood: Bool { self == .passed || self == .skipped }
}

/// The outcome of one check of a case.
public struct CheckOutcome: Sendable, Codable {
  /// Stable: `response`, `sliceInvariance`, or what the suite calls it.
  public var id: String
  public var verdict: Verdict
  /// One line: "worst at 12.1 kHz: −0.31 dB".
  public var found: String
  /// One line: "within ±0.01 dB of the analytic curve from 20 Hz to 20 kHz".
  public var expected: String
  /// The limit on its own, if there is a single one: "±0.01 dB".
  public var limit: String?
  /// Values in fields, for programs.
  public var readings: [Reading]
  /// The first frame that fails, where there is one.
  public var firstFailure: Place?
  /// The amount that was examined; nil if the check does not report it.
  public var examined: Examined?
  /// Curves to be drawn over one another: what was found, what was expected, the mask.
  public var overlay: Overlay?
  /// True when the golden was written anew, in place of a verdict about it.
  public var wasBlessed = false

  /// A frame of one channel.
  public struct Place: Hashable, Sendable, Codable {
    /// From 0.
    public var frame: Int64
    /// From the beginning of the signal.
    public var seconds: Double
    /// From 0.
    public var channel: Int
    /// A frame and a channel from 0, with the time of the frame in seconds.
    public init(frame: Int64, seconds: Double, channel: Int) {
      self.frame = frame
      self.seconds = seconds
      self.channel = channel
    }
  }

  /// Curves of one quantity, to be drawn over one another.
  public struct Overlay: Sendable, Codable {
    /// The measured curve.
    public var actual: Curve
    /// The curve that it is compared with; nil: limits only, or nothing.
    public var expected: Curve?
    /// Limits of `actual`, in its units.
    public var lower: Curve?
    /// As ``lower``, for the other side.
    public var upper: Curve?
    /// Curves over the same axes; nil: not drawn.
    public init(actual: Curve, expected: Curve? = nil, lower: Curve? = nil, upper: Curve? = nil) {
      self.actual = actual
      self.expected = expected
      self.lower = lower
      self.upper = upper
    }
  }

  /// An outcome with a line for what was found and one for what must hold; what was examined is not said.
  public init(
    _ id: String, _ verdict: Verdict, found: String, expected: String, readings: [Reading] = [],
    firstFailure: Place? = nil, overlay: Overlay? = nil
  ) {
    self.id = id
    self.verdict = verdict
    self.found = found
    self.expected = expected
    self.readings = readings
    self.firstFailure = firstFailure
    self.overlay = overlay
  }
}

/// The outcome of one case.
public struct CaseOutcome: Sendable, Codable {
  /// Stable: the suite's name and the case's, `equalizers/lowPass-1k`.
  public var id: String
  /// The worst of its checks, or what ended the case before them.
  public var verdict: Verdict
  /// The suite file that the case is of; nil: known by nothing but the id.
  public var suitePath: String?
  /// A command line that runs this case alone, for people to copy.
  public var command: String?
  /// The device under test, for people.
  public var device: String
  /// Wall-clock time.
  public var seconds: Double
  /// One for each check that ran; none where the case was skipped or could not be run.
  public var checks: [CheckOutcome]
  /// The first node, along the sound, whose output is not what it was when the golden was made.
  public var firstDifferentNode: String?
  /// Why it was skipped, crashed, could not be run: for verdicts that no check gives.
  public var message: String?
  /// The last part of the device's standard error.
  public var log: String?
  /// Files for people to look at and listen to.
  public var files: Files

  /// Files written where a case fails; paths.
  public struct Files: Sendable {
    /// The output of the device; nil: not written.
    public var actual: String?
    /// The expected output; nil if there is none, or it has another number of channels.
    public var expected: String?
    /// Actual − expected, the shorter one continued with zeros; nil as ``expected``.
    public var difference: String?
    /// Pictures: what they show, and where they are.
    public var pictures: [(title: String, path: String)] = []
    /// No files.
    public init() {}
  }

  /// An outcome without files, of a case of no suite file.
  public init(
    _ id: String, _ verdict: Verdict, device: String, seconds: Double, checks: [CheckOutcome] = [],
    message: String? = nil
  ) {
    self.id = id
    self.verdict = verdict
    self.device = device
    self.seconds = seconds
    self.checks = checks
    self.message = message
    files = Files()
  }
}

/// The outcome of a run of suites.
public struct RunOutcome: Sendable {
  /// Paths of the suite files, in order.
  public var suites: [String]
  /// In the order of the suites, however they were run.
  public var cases: [CaseOutcome]
  /// Wall-clock time of the whole run.
  public var seconds: Double
  /// "aubench 0.1.0".
  public var program: String
  /// When it began, in UTC as ISO 8601 writes it: "2026-03-01T09:30:00Z".
  public var startTime: String?
  /// The machine: processor, instruction set, system, versions of the libraries.
  public var machine: [(name: String, value: String)]

  /// An outcome that does not say when it began.
  public init(
    suites: [String], cases: [CaseOutcome], seconds: Double, program: String, machine: [(name: String, value: String)]
  ) {
    self.suites = suites
    self.cases = cases
    self.seconds = seconds
    self.program = program
    self.machine = machine
  }

  /// The worst of all cases; failed where none was run, or every one was skipped: nothing was checked.
  public var verdict: Verdict {
    let worst = cases.map(\.verdict).max() ?? .skipped
    return worst == .skipped && !cases.contains { $0.verdict == .passed } ? .failed : worst
  }

  /// The number of cases with a verdict.
  public func count(_ verdict: Verdict) -> Int { cases.count { $0.verdict == verdict } }
}
