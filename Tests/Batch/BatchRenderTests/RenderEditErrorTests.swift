import AudioCore
import AudioEngine
import BatchRender
import BuiltInUnits
import RenderGraph
import SoundFile
import TestSupport
import Testing

/// The errors of edits, lengths and taps that are impossible, by the Swift interface alone.
@Suite struct RenderEditErrorTests {
  private let folder: TemporaryFolder
  private let graph: Graph

  init() throws {
    folder = TemporaryFolder()
    try writeSound(folder.file("in.wav"), noise(frames: 3000))
    graph = Graph()
    let player = try graph.add(FilePlayer(folder.file("in.wav")), as: "voice")
    let eq = try graph.add(LowPassFilter(), as: "low")
    try graph.connect(player, to: eq)
    try graph.connect(eq, to: try graph.add(GenericOutput(), as: "out"))
  }

  private func message(_ edit: RenderEdit) -> String {
    do throws(BenchError) {
      _ = try RenderEdits([edit], of: graph)
      return "none"
    } catch {
      return "\(error.kind): \(error)"
    }
  }

  @Test("edits name what is wrong")
  func edits() throws {
    let cutoff = try ParameterName("cutoffFrequency")
    var scheduled = RenderEdit(frame: 10, node: "low")
    scheduled.isScheduled = true
    #expect(message(scheduled).contains("only parameters can be scheduled"))
    scheduled.settings = [(cutoff, 500)]
    #expect(message(scheduled) == "none")
    for change in [
      { $0.preset = .number(1) }, { $0.bypass = true }, { $0.disconnections = ["low:0"] },
      { $0.connections = ["voice -> low:0"] },
    ] as [(inout RenderEdit) -> Void] {
      var edit = scheduled
      change(&edit)
      #expect(message(edit).contains("only parameters can be scheduled"))
    }
    var ramp = scheduled
    ramp.rampFrames = -1
    #expect(message(ramp).contains("ramp of -1 frames"))
    ramp.rampFrames = 100
    #expect(message(ramp) == "none")
    ramp.isScheduled = false
    #expect(message(ramp).contains("ramp of 100 frames"))
    for change in [{ $0.settings = [(cutoff, 5)] }, { $0.preset = .name("x") }, { $0.bypass = false }]
      as [(inout RenderEdit) -> Void]
    {
      var edit = RenderEdit(frame: 0)
      change(&edit)
      #expect(message(edit).contains("no node is named"))
    }
    #expect(message(RenderEdit(frame: 0)) == "none")
    #expect(message(RenderEdit(frame: -1)).contains("frames are counted from 0"))
    #expect(message(RenderEdit(frame: 0, node: "nobody")).contains("nobody"))
    var bypass = RenderEdit(frame: 0, node: "voice")
    bypass.bypass = true
    #expect(message(bypass).contains("cannot be bypassed"))
  }

  private func failure(_ change: (inout OfflineRenderer.Options) -> Void, to path: String? = nil) -> String {
    var options = OfflineRenderer.Options()
    change(&options)
    do throws(BenchError) {
      _ = try OfflineRenderer(graph).render(to: path ?? folder.file("out.wav"), options: options)
      return "none"
    } catch {
      return "\(error.kind): \(error)"
    }
  }

  @Test("lengths and taps that cannot be are refused before a frame is rendered")
  func refusals() {
    let (out, own) = (folder.file("out.wav"), folder.file("tap.wav"))
    #expect(
      failure { $0.taps = [.init(node: "low", path: out, format: SoundFileFormat(container: .wav))] }.contains(
        "two outputs of one render"))
    #expect(
      failure {
        $0.taps = [
          .init(node: "low", path: own, format: SoundFileFormat(container: .wav)),
          .init(node: "voice", path: own, format: SoundFileFormat(container: .wav)),
        ]
      }
      .contains("two outputs of one render"))
    #expect(failure { $0.taps = [.init(node: "low", path: own, format: SoundFileFormat(container: .wav))] } == "none")
    for threshold in [0, 1, Double.nan, -Double.infinity] {
      #expect(
        failure { $0.length = .untilSilent(thresholdDecibels: threshold, holdSeconds: 1, capSeconds: nil) }
          .contains("below 0 dBFS"))
    }
    #expect(failure { $0.length = .frames(-1) }.contains("a render has 0 to"))
    #expect(failure { $0.length = .frames(100) } == "none")
  }

  @Test("a silence that is waited for is cut at its first frame, whatever the hold")
  func untilSilent() throws {
    var options = OfflineRenderer.Options()
    for hold in [0, 0.0001, 0.5] {
      options.length = .untilSilent(thresholdDecibels: -100, holdSeconds: hold, capSeconds: nil)
      let (channels, report) = try OfflineRenderer(graph).renderToMemory(options: options)
      #expect(channels[0].count == Int(report.frames))
      #expect(channels[0].count >= 3000 && channels[0].count < 3100)
    }
  }
}
