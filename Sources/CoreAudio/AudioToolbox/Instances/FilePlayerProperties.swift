import AudioCore
import AudioEngine
import BuiltInUnits
import CAudioToolbox

/// A host's scheduling of a file player: files, regions, priming, the start time.
enum FilePlayerProperties {
  static let rows: [AudioUnitPropertyID: CProperty] = [
    kAudioUnitProperty_ScheduledFileIDs: CProperty(
      set: { (place, bytes) throws(AudioStatus) in
        let instance = place.instance
        let player = try player(instance)
        let handles: [AudioFileID?] = try bytes.propertyList()
        var files: [any PlayableFile] = []
        for handle in handles {
          let reader = HandleTable.shared.withObject(handle, AudioFileObject.self) { file in
            if file.path == nil { noteHostCode(of: instance, player) }
            do { return try file.makeReader() as (any PlayableFile)? } catch { return nil }
          }
          // No such file; a file that cannot be decoded.
          guard let reader else { throw .parameterError }
          guard let file = reader else { throw .invalidFile }
          files.append(file)
        }
        player.setFiles(files)
        instance.hostValues.scheduledFiles = handles
      }),
    kAudioUnitProperty_ScheduledFileRegion: .value(
      ScheduledAudioFileRegion.self,
      set: { (place, region) throws(AudioStatus) in try schedule(region, with: place.instance) }),
    kAudioUnitProperty_ScheduledFilePrime: .value(
      UInt32.self,
      set: { (place, frames) throws(AudioStatus) in try player(place.instance).prime(frames: frames) }),
    // Documented as without effect.
    kAudioUnitProperty_ScheduledFileBufferSizeFrames: .kept(\.fileBufferFrames),
    kAudioUnitProperty_ScheduledFileNumberBuffers: .kept(\.fileBufferCount),
  ]

  private static func player(_ instance: NativeInstance) throws(AudioStatus) -> ScheduledFilePlayer {
    guard let player = instance.unit.scheduledPlayer else { throw .invalidProperty }
    return player
  }

  /// Lets the player render on the thread that pulls it from now on, as functions of the host will be called.
  private static func noteHostCode(of instance: NativeInstance, _ player: ScheduledFilePlayer) {
    guard !player.runsHostCode else { return }
    player.noteHostCode()
    instance.domain.noteRequest()
    instance.domain.settle()
  }

  private static func schedule(
    _ region: ScheduledAudioFileRegion, with instance: NativeInstance
  ) throws(AudioStatus) {
    let player = try player(instance)
    guard let file = instance.hostValues.scheduledFiles.firstIndex(of: region.mAudioFile) else {
      throw instance.hostValues.scheduledFiles.isEmpty ? .fileNotSpecified : .invalidFile
    }
    let time = try region.mTimeStamp.scheduledFrame()
    var completion: (@Sendable (ScheduledRegion.End) -> Void)?
    if let proc = region.mCompletionProc {
      noteHostCode(of: instance, player)
      let copy = RegionCopy(region)
      completion = { end in copy.call(proc, end) }
    }
    try player.scheduleRegion(
      ScheduledRegion(
        file: file, startFrame: region.mStartFrame, frameCount: region.mFramesToPlay, loopCount: region.mLoopCount,
        sampleTime: time, completion: completion))
  }
}

/// The unit's own copy of a region, which its completion is shown.
private final class RegionCopy: @unchecked Sendable {
  private let region: UnsafeMutablePointer<ScheduledAudioFileRegion>

  init(_ region: ScheduledAudioFileRegion) {
    self.region = .allocate(capacity: 1)
    self.region.initialize(to: region)
  }

  deinit { region.deallocate() }

  func call(_ proc: ScheduledAudioFileRegionCompletionProc, _ end: ScheduledRegion.End) {
    recordedCallback("region completion", nil, end == .played ? "played" : "ended early") {
      proc(
        UnsafeContext(region.pointee.mCompletionProcUserData).pointer, region,
        end == .played ? noErr : kAudioUnitErr_Uninitialized)
    }
  }
}
