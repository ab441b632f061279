import AudioCore
import Foundation
import Measurement
import Synchronization
import Verification

/// Suites that run one check of a case on a device made in the test.
protocol CheckTrial {}

extension CheckTrial {
  /// Runs one check of a case on a device made here.
  func check(
    _ text: String, on device: any Device, of described: String = ShellDevice.copy, stimulus: String? = nil,
    in folder: SuiteFolder? = nil
  ) throws -> CheckOutcome {
    let folder = try folder ?? SuiteFolder()
    let more = stimulus.map { #""stimulus": \#($0),"# } ?? ""
    let suite = try folder.suite(
      caseText("a", described, checks: text, more: more), caseText("b", #"{"unit": "iPodEQ"}"#, checks: text))
    let testCase = suite.cases[0]
    let context = CheckContext(CheckSubject(testCase), device: device, goldens: suite.goldens, others: suite.cases)
    return try testCase.checks[0].run(context)
  }

  /// Runs one check on a device that is rendered and measured once for all checks of the context.
  func check(_ text: String, in context: CheckContext) throws -> CheckOutcome {
    try SuiteFolder().suite(caseText("a", ShellDevice.copy, checks: text)).cases[0].checks[0].run(context)
  }

  /// A case of a device made here.
  func context(_ device: any Device) throws -> CheckContext {
    let suite = try SuiteFolder().suite(caseText("a", ShellDevice.copy, checks: #"{"check": "length", "channels": 2}"#))
    return CheckContext(CheckSubject(suite.cases[0]), device: device, goldens: suite.goldens)
  }

  func device(
    _ name: String = "a function", _ body: @escaping @Sendable (AudioSignal) throws(BenchError) -> AudioSignal
  ) -> FunctionDevice { FunctionDevice(name, precision: .float32, body) }

  var identity: FunctionDevice { FunctionDevice.identity(.float32) }
  func gain(_ factor: Double) -> FunctionDevice {
    device { (input) throws(BenchError) in mapped(input) { $0 * factor } }
  }
  /// Above −20 dBFS half as many decibels come out, by a follower of the level that lets no wave be bent.
  var compressor: FunctionDevice {
    device("compressor") { (input) throws(BenchError) in
      var output = input
      output.channels = input.channels.map { samples in
        var level = 0.0
        return samples.map { sample in
          level = max(abs(sample), level * 0.9995)
          return Double(Float(level > 0.1 ? sample * pow(level / 0.1, -0.5) : sample))
        }
      }
      return output
    }
  }
  func delay(_ frames: Int) -> FunctionDevice {
    device { (input) throws(BenchError) in
      var output = input
      output.channels = input.channels.map { [Double](repeating: 0, count: frames) + $0 }
      return output
    }
  }

  /// A device that is not the same from its n-th call on.
  func tiring(after calls: Int) -> FunctionDevice {
    let count = CallCounter()
    return device { (input) throws(BenchError) in
      guard count.next() >= calls else { return input }
      return mapped(input) { $0 * 1.5 }
    }
  }
}

final class CallCounter: Sendable {
  let value = Atomic<Int>(0)
  func next() -> Int { value.wrappingAdd(1, ordering: .relaxed).oldValue }
}

/// A signal whose samples are those of another, changed and rounded.
func mapped(_ signal: AudioSignal, _ body: (Double) -> Double) -> AudioSignal {
  var signal = signal
  signal.channels = signal.channels.map { $0.map { Double(Float(body($0))) } }
  return signal
}
