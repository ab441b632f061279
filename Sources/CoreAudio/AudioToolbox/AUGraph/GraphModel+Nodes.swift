import AudioCore
import AudioEngine
import CAudioToolbox

/// Adding, removing and asking for nodes.
extension GraphModel {
  /// Adds a node for a unit, and makes the unit where the graph is open.
  ///
  /// - Throws: -10862 for a second output, and in a graph inside another for one that is not generic; -10864 where no
  ///   component matches.
  func addNode(_ wanted: AudioComponentDescription, classInfo: AnyObject? = nil) throws(AudioStatus) -> AUNode {
    if wanted.componentType == kAudioUnitType_Output && head != nil { throw .outputNodeError }
    guard let component = ComponentList.shared.next(after: nil, matching: wanted) else { throw .invalidAudioUnit }
    var description = wanted
    description.componentType = component.description.componentType
    description.componentSubType = component.description.componentSubType
    description.componentManufacturer = component.description.componentManufacturer
    var node = GraphNode(
      number: newNumber(), description: description, content: .component(component), classInfo: classInfo)
    if node.isOutput {
      let isGeneric = description.componentSubType == kAudioUnitSubType_GenericOutput
      guard head == nil, parent == nil || isGeneric else { throw .outputNodeError }
    }
    if state >= .open { try open(&node) }
    nodes.append(node)
    return node.number
  }

  /// Adds a node for a graph, which is as open as this one.
  func addMember() throws(AudioStatus) -> AUNode {
    let member = try GraphModel.make(in: domain, parent: self)
    if state >= .open { try member.open() }
    let node = GraphNode(
      number: newNumber(), description: AudioComponentDescription(), content: .graph(member))
    nodes.append(node)
    return node.number
  }

  /// Removes a node with its interactions; while the graph is initialized, with the next update.
  ///
  /// - Throws: -10860; -10862 for the output of a running graph, and on the thread that renders in any case; -10863 on
  ///   that thread for a graph.
  func remove(_ number: AUNode) throws(AudioStatus) {
    let index = try index(of: number)
    let isRendering = domain.isRenderingHere
    if nodes[index].isOutput && (isRendering || isRunning) { throw .outputNodeError }
    if nodes[index].member != nil && isRendering { throw .cannotDoInCurrentContext }
    if state == .initialized {
      nodes[index].isLeaving = true
      make(.remove(number))
    } else {
      let node = nodes.remove(at: index)
      make(.remove(number))
      abandoned = abandoned.filter { $0.node != number }
      dispose(node)
    }
  }

  func member(_ number: AUNode) throws(AudioStatus) -> GraphModel {
    guard let member = try node(number).member else { throw .nodeNotFound }
    return member
  }

  // MARK: Units of nodes

  /// Makes the unit of a node, or those of the graph that it is.
  func open(_ node: inout GraphNode) throws(AudioStatus) {
    switch node.content {
    case .graph(let member):
      try member.open()
    case .component(let component):
      guard node.unit == nil else { return }
      let unit = try UnitInstance.make(component, domain: domain).handle
      if let info = node.classInfo {
        let reference = Unmanaged.passUnretained(info).toOpaque()
        let result = withUnit(unit) {
          $0.write(kAudioUnitProperty_ClassInfo, kAudioUnitScope_Global, 0, reference)
        }
        guard result == noErr else {
          _ = UnitInstance.dispose(unit)
          throw AudioStatus(result)
        }
      }
      node.unit = unit
      if node.isOutput { cycle.attach(to: unit) }
    }
  }

  /// Ends the unit of a node that is not in the graph any more, or the graph that it was.
  func dispose(_ node: GraphNode) {
    if let unit = node.unit { _ = UnitInstance.dispose(unit) }
    node.member?.dispose()
  }
}
