import AudioCore
import AudioEngine
import RenderGraph

/// A change of a graph while it is rendered, in front of one frame of its output: what a host does between two slices.
///
/// The render is cut at that frame, whatever the length of its slices, so that the sound does not depend on them.
public struct RenderEdit: Sendable {
  /// A factory preset by what people call it.
  public enum Preset: Hashable, Sendable {
    /// Its number.
    case number(Int32)
    /// Its name.
    case name(String)
  }

  /// The first frame of the output that is rendered with the change, 0 or more.
  public var frame: Int64
  /// The node that changes; nil where only connections do.
  public var node: String?
  /// Parameters of the node with their new values, each in the parameter's own unit and within its range; set in this
  /// order.
  public var settings: [(parameter: ParameterName, value: Float)] = []
  /// A factory preset, selected behind the settings; nil: none.
  public var preset: Preset?
  /// True or false to bypass the node or not from here on; nil: as it was.
  public var bypass: Bool?
  /// True when the node forgets all that it has rendered, in front of what else the edit changes.
  public var resets = false
  /// True when `settings` are scheduled as events of the slice in which the frame lies, which is not cut there: as
  /// hosts do that know a change beforehand. Only for nodes at the output's rate.
  public var isScheduled = false
  /// The length of the ramp of scheduled settings: frames over which a parameter runs in a straight line from its
  /// present to the new value.
  public var rampFrames = 0
  /// Inputs that lose their source: `mix:2`.
  public var disconnections: [String] = []
  /// Connections that are made behind that, as a graph file writes them: `voice -> mix:2`. An input's former source
  /// goes.
  public var connections: [String] = []

  /// An edit that changes nothing until its other properties are set.
  ///
  /// - Parameters:
  ///   - frame: the frame of the output, 0 or more.
  ///   - node: its name in the graph; nil where only connections change.
  public init(frame: Int64, node: String? = nil) {
    self.frame = frame
    self.node = node
  }

  package var changesWiring: Bool { !disconnections.isEmpty || !connections.isEmpty }
}

/// The edits of one render: checked before its first frame, made in the order of their frames, and undone where the
/// graph is to be rendered again.
public final class RenderEdits {
  private let graph: Graph
  private let edits: [RenderEdit]
  private var next = 0
  private let scheduled: [RenderEdit]
  /// The start values of the ramps of scheduled settings, by edit and setting.
  private var rampStarts: [[Float]]
  private var former: [Former] = []

  /// The state before an edit.
  private enum Former {
    case parameter(Unit, ParameterAddress, Float)
    case preset(Unit, Preset)
    case bypass(Unit, PropertyValue)
    case source(Unit, input: Int, (unit: Unit, bus: Int)?)
  }

  /// - Throws: `.graph` for nodes, parameters, values, presets and buses that the graph does not have.
  public init(_ edits: [RenderEdit], of graph: Graph) throws(BenchError) {
    self.graph = graph
    // Those of one frame stay in the order in which they are written.
    let sorted = edits.enumerated().sorted { ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset) }
      .map(\.element)
    self.edits = sorted.filter { !$0.isScheduled }
    scheduled = sorted.filter(\.isScheduled)
    rampStarts = scheduled.map { _ in [] }
    // Ranges may end at half the rate of a node. The render says what is wrong with the graph.
    if !edits.isEmpty { try? graph.propagateFormats(graph.renderOrder()) }
    for edit in sorted {
      guard edit.frame >= 0 else { throw Self.error(edit, "its frame is \(edit.frame); frames are counted from 0") }
      try check(edit)
    }
  }

  private static func error(_ edit: RenderEdit, _ message: String, advice: String? = nil) -> BenchError {
    BenchError(.graph, at: place(edit), message, advice: advice)
  }

  private static func place(_ edit: RenderEdit) -> String {
    "edit at frame \(edit.frame)" + (edit.node.map { ", node \"\(excerpt($0))\"" } ?? "")
  }

  // MARK: Before the render

  private func check(_ edit: RenderEdit) throws(BenchError) {
    for text in edit.disconnections { _ = try end(text, of: edit) }
    for text in edit.connections { _ = try ends(text, of: edit) }
    if edit.isScheduled,
      edit.preset != nil || edit.bypass != nil || edit.resets || edit.changesWiring || edit.settings.isEmpty
    {
      throw Self.error(edit, "only parameters can be scheduled")
    }
    guard (0...Int(Int32.max)).contains(edit.rampFrames), edit.rampFrames == 0 || edit.isScheduled else {
      throw Self.error(edit, "a ramp of \(NumberText.count(edit.rampFrames, "frame")) cannot be scheduled")
    }
    guard edit.node != nil else {
      guard edit.settings.isEmpty, edit.preset == nil, edit.bypass == nil, !edit.resets else {
        throw Self.error(edit, "no node is named to be changed")
      }
      return
    }
    let unit = try unit(of: edit)
    for setting in edit.settings { _ = try address(setting.parameter, setting.value, in: unit, of: edit) }
    if edit.preset != nil { _ = try preset(of: edit, in: unit) }
    guard edit.bypass == nil || (try? unit.property(.bypassEffect)) != nil else {
      throw Self.error(edit, "a \(unit.component.shortName) cannot be bypassed")
    }
  }

  private func unit(of edit: RenderEdit) throws(BenchError) -> Unit { try unit(edit.node ?? "", of: edit) }

  private func unit(_ name: String, of edit: RenderEdit) throws(BenchError) -> Unit {
    try graph.unit(named: name, for: Self.place(edit))
  }

  private func address(
    _ parameter: ParameterName, _ value: Float, in unit: Unit, of edit: RenderEdit
  ) throws(BenchError) -> ParameterAddress {
    let address = try parameter.address(in: unit, at: Self.place(edit))
    guard let row = try? unit.descriptor(of: address), !row.isReadOnly else {
      throw Self.error(edit, "the parameter \"\(parameter)\" can only be read")
    }
    let range = row.acceptedRange(atSampleRate: (try? unit.streamFormat(.output).sampleRate) ?? graph.sampleRate)
    guard range.contains(value) else {
      throw Self.error(
        edit, "\(parameter) is \(value), outside its range of \(range.lowerBound) to \(range.upperBound)",
        advice: "choose a value within it")
    }
    return address
  }

  private func preset(of edit: RenderEdit, in unit: Unit) throws(BenchError) -> Int32 {
    let presets = unit.factoryPresets
    switch edit.preset {
    case .number(let number): if presets.contains(where: { $0.number == number }) { return number }
    case .name(let name): if let found = presets.first(where: { $0.name == name }) { return found.number }
    case nil: break
    }
    throw Self.error(
      edit, presets.isEmpty ? "a \(unit.component.shortName) has no presets" : "the unit has no such preset",
      advice: presets.isEmpty ? nil : "aubench units \(unit.component.shortName) lists them")
  }

  private func end(_ text: String, of edit: RenderEdit) throws(BenchError) -> (unit: Unit, bus: Int) {
    guard let end = GraphFile.end(Substring(text)) else {
      throw Self.error(edit, "an input is written \"node:bus\", found \"\(excerpt(text))\"")
    }
    return (try unit(end.node, of: edit), end.bus)
  }

  private func ends(
    _ text: String, of edit: RenderEdit
  ) throws(BenchError) -> (source: (unit: Unit, bus: Int), destination: (unit: Unit, bus: Int)) {
    guard let (source, destination) = GraphFile.ends(text) else {
      throw Self.error(edit, "a connection is written \"node:bus -> node:bus\", found \"\(excerpt(text))\"")
    }
    return (
      (try unit(source.node, of: edit), source.bus), (try unit(destination.node, of: edit), destination.bus)
    )
  }

  // MARK: While it renders

  /// The frame in front of which the next edit is made; nil: there are no more.
  var nextFrame: Int64? { next < edits.count ? edits[next].frame : nil }

  /// Makes all edits of a frame. Between render calls only.
  /// - Returns: true if connections changed, so that the graph must be compiled again.
  func apply(at frame: Int64) throws(BenchError) -> Bool {
    var changesWiring = false
    while let due = nextFrame, due <= frame {
      let edit = edits[next]
      next += 1
      try apply(edit)
      changesWiring = changesWiring || edit.changesWiring
    }
    return changesWiring
  }

  /// Schedules what changes within a slice. Between render calls only, in front of the slice's own.
  func schedule(from time: Int64, frames: Int) throws(BenchError) {
    for (index, edit) in scheduled.enumerated() {
      let (start, end) = (edit.frame - time, edit.frame + Int64(edit.rampFrames) - time)
      guard start < Int64(frames), edit.rampFrames == 0 ? start >= 0 : end > 0 else { continue }
      let unit = try unit(of: edit)
      do throws(AudioStatus) {
        if rampStarts[index].isEmpty {
          for setting in edit.settings {
            guard let address = try? setting.parameter.address(in: unit) else { continue }
            let value = try unit.parameter(address)
            rampStarts[index].append(value)
            former.append(.parameter(unit, address, value))
          }
        }
        for (setting, value) in zip(edit.settings, rampStarts[index]) {
          guard let address = try? setting.parameter.address(in: unit) else { continue }
          let event: ParameterEvent =
            edit.rampFrames == 0
            ? .immediate(address, offset: UInt32(start), value: setting.value)
            : .ramp(
              address, startOffset: Int32(start), durationFrames: UInt32(edit.rampFrames), from: value,
              to: setting.value)
          try unit.scheduleParameters([event])
        }
      } catch {
        throw Self.error(edit, "the unit refuses it: \(error)")
      }
    }
  }

  /// For how many frames from `time` on nothing is scheduled.
  func framesUnscheduled(from time: Int64) -> Int64 {
    var frames = Int64.max
    for edit in scheduled {
      if edit.frame >= time {
        frames = min(frames, edit.frame - time)
      } else if edit.frame + Int64(edit.rampFrames) > time {
        return 0
      }
    }
    return frames
  }

  private func apply(_ edit: RenderEdit) throws(BenchError) {
    for text in edit.disconnections {
      let (unit, bus) = try end(text, of: edit)
      rememberSource(of: unit, bus)
      try graph.disconnect(unit, input: bus)
    }
    for text in edit.connections {
      let (source, destination) = try ends(text, of: edit)
      rememberSource(of: destination.unit, destination.bus)
      try graph.connect(source.unit, output: source.bus, to: destination.unit, input: destination.bus)
    }
    guard edit.node != nil else { return }
    let unit = try unit(of: edit)
    if edit.resets { unit.reset() }
    do throws(AudioStatus) {
      var settings: [(address: ParameterAddress, value: Float)] = []
      for setting in edit.settings {
        guard let address = try? setting.parameter.address(in: unit) else { continue }
        former.append(.parameter(unit, address, try unit.parameter(address)))
        settings.append((address, setting.value))
      }
      if edit.preset != nil, let number = try? preset(of: edit, in: unit) {
        if case .preset(let present)? = try? unit.property(.presentPreset) { former.append(.preset(unit, present)) }
        try unit.select(preset: number)
      }
      if let bypass = edit.bypass { try setBypass(bypass, of: unit) }
      // Behind the preset, which may set parameters itself.
      for (address, value) in settings { try unit.setParameter(address, to: value) }
    } catch {
      throw Self.error(edit, "the unit refuses it: \(error)")
    }
  }

  private func setBypass(_ isOn: Bool, of unit: Unit) throws(AudioStatus) {
    former.append(.bypass(unit, try unit.property(.bypassEffect)))
    try unit.setProperty(.bypassEffect, to: .uint32(isOn ? 1 : 0))
  }

  private func rememberSource(of unit: Unit, _ bus: Int) {
    former.append(.source(unit, input: bus, graph.source(of: unit, input: bus)))
  }

  /// Undoes what was made, for another render of the same graph from its first frame on.
  public func restore() throws(BenchError) {
    next = 0
    rampStarts = scheduled.map { _ in [] }
    while let undo = former.popLast() {
      switch undo {
      case .parameter(let unit, let address, let value): try? unit.setParameter(address, to: value)
      case .preset(let unit, let preset): try? unit.select(preset: preset.number)
      case .bypass(let unit, let value): try? unit.setProperty(.bypassEffect, to: value)
      case .source(let unit, let bus, nil): try graph.disconnect(unit, input: bus)
      case .source(let unit, let bus, let source?):
        try graph.connect(source.unit, output: source.bus, to: unit, input: bus)
      }
    }
  }
}
