import AVFAudio
import TestSupport
import Testing

@Suite("AVAudioSequencer: what is not built fails by name")
struct AVAudioSequencerTests {
  private func code(_ body: () throws -> Void) -> Int? {
    do {
      try body()
      return nil
    } catch { return (error as NSError).code }
  }

  @Test("Files are not read or written, and nothing begins to play")
  func errors() {
    let sequencer = AVAudioSequencer(audioEngine: AVAudioEngine())
    let file = TemporaryFolder()
    let path = file.write("MThd", to: "song.mid")
    #expect(code { try sequencer.load(from: URL(fileURLWithPath: path)) } == -4)
    #expect(code { try sequencer.load(from: URL(fileURLWithPath: path + "x")) } == -43)
    #expect(code { try sequencer.load(from: Data([1]), options: .smf_ChannelsToTracks) } == -4)
    let target = URL(fileURLWithPath: path)
    #expect(code { try sequencer.write(to: target, smpteResolution: 0, replaceExisting: true) } == -4)
    sequencer.prepareToPlay()
    #expect(code { try sequencer.start() } == -4)
    #expect(!sequencer.isPlaying)
    var error: NSError?
    #expect(sequencer.data(withSMPTEResolution: 480, error: &error).isEmpty && error?.code == -4)
    #expect(sequencer.hostTime(forBeats: 1, error: &error) == 0 && error?.code == -10_852)
    sequencer.stop()
  }

  @Test("Tracks come and go; times are at 120 beats a minute; values stay within their ranges")
  func tracks() {
    let sequencer = AVAudioSequencer()
    let (one, two) = (sequencer.createAndAppendTrack(), sequencer.createAndAppendTrack())
    #expect(sequencer.tracks == [one, two] && one.timeResolution == 480)
    #expect(sequencer.removeTrack(one) && !sequencer.removeTrack(one) && sequencer.tracks == [two])
    #expect((sequencer.seconds(forBeats: 3), sequencer.beats(forSeconds: 3)) == (1.5, 6))
    sequencer.currentPositionInSeconds = 2
    sequencer.rate = -1
    #expect((sequencer.currentPositionInBeats, sequencer.rate) == (4, 1))
    #expect((two.numberOfLoops, two.isLoopingEnabled, two.isMuted, two.isSoloed) == (-1, false, false, false))
    two.numberOfLoops = 0
    two.lengthInSeconds = 4
    two.loopRange = AVMakeBeatRange(1, 2)
    #expect((two.numberOfLoops, two.lengthInBeats, two.loopRange.length) == (-1, 8, 2))
    two.destinationMIDIEndpoint = 7
    two.destinationAudioUnit = AVAudioUnitDelay()
    #expect(two.destinationMIDIEndpoint == 0 && two.destinationAudioUnit != nil)
  }
}
