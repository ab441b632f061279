import AVFAudioFiles
import AudioCore
import AudioEngine
import Foundation

/// A player of recorded notes. There is no such unit yet: instruments cannot be loaded, and an engine in which one leads to
/// the output does not start.
open class AVAudioUnitSampler: AVAudioUnitMIDIInstrument, @unchecked Sendable {
  /// A sampler without an instrument.
  public init() { super.init(unit: UnbuiltInstrument()) }

  /// Percent, −100 (left) to 100 (right), 0 at first.
  public var stereoPan: Float = 0 { didSet { stereoPan = stereoPan.within(-100...100) ?? oldValue } }
  /// Decibels, −90 to 12, 0 at first.
  public var overallGain: Float = 0 { didSet { overallGain = overallGain.within(-90...12) ?? oldValue } }
  /// The former name of ``overallGain``.
  public var masterGain: Float {
    get { overallGain }
    set { overallGain = newValue }
  }
  /// Cents, −2400 to 2400, 0 at first.
  public var globalTuning: Float = 0 { didSet { globalTuning = globalTuning.within(-2400...2400) ?? oldValue } }

  /// - Throws: `NSError`: −43 where there is no such file, −10870 for every other: sound banks are not read yet.
  public func loadSoundBankInstrument(at bankURL: URL, program: UInt8, bankMSB: UInt8, bankLSB: UInt8) throws {
    throw Self.refusal(bankURL)
  }

  /// - Throws: `NSError`: −43 where there is no such file, −10870 for every other: instruments are not read yet.
  public func loadInstrument(at instrumentURL: URL) throws { throw Self.refusal(instrumentURL) }

  /// - Throws: `NSError`: −43 where a file is not there, −10870 otherwise: recordings do not become instruments yet.
  public func loadAudioFiles(at audioFiles: [URL]) throws {
    let missing = audioFiles.first { !FileSystem.exists($0.path) }
    throw (missing ?? audioFiles.first).map(Self.refusal) ?? NSError(.parameterError, "no audio files are given")
  }

  private static func refusal(_ url: URL) -> NSError {
    FileSystem.exists(url.path)
      ? NSError(.unknownFileType, "\(url.path): the sampler cannot load instruments yet")
      : NSError(AudioStatus(-43), "\(url.path): no such file")
  }
}

/// The unit of an instrument that is not built: it takes messages, and cannot be initialized.
private final class UnbuiltInstrument: AudioEngine.Unit, @unchecked Sendable {
  static let component = Component(
    ComponentDescription(type: "aumu", subType: "samp"), shortName: "sampler", name: "Apple: AUSampler",
    summary: "Declared for programs that name it; not built."
  ) { UnbuiltInstrument() }

  init() { super.init(Self.component, inputs: 0, outputs: 1) }

  override func makeProcessor() throws(AudioStatus) -> Processor {
    preparationFailure = BenchError(.graph, "a sampler has no instruments yet, and would be silent")
    throw .failedInitialization
  }
}
