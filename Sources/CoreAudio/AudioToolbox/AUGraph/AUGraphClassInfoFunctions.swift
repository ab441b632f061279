// AUGraph.h: nodes as of 2003, which come with the state that their units begin with.

import AudioCore
import CAudioToolbox
import CoreFoundation

/// - Parameter inClassData: the place of a reference to the property list of a unit's ClassInfo, as
///   AudioUnitSetProperty takes it; its size is that of a reference. None for a unit in its first state.
@c @implementation
public func AUGraphNewNode(
  _ inGraph: AUGraph, _ inDescription: UnsafePointer<AudioComponentDescription>, _ inClassDataSize: UInt32,
  _ inClassData: UnsafeRawPointer?, _ outNode: UnsafeMutablePointer<AUNode>
) -> OSStatus {
  if isNull(inDescription) { return kAudio_ParamError }
  return answer(inGraph, CallText.component(inDescription), into: outNode) { (graph) throws(AudioStatus) in
    try graph.addNode(inDescription.pointee, classInfo: try classInfo(inClassData, size: inClassDataSize))
  }
}

private func classInfo(_ data: UnsafeRawPointer?, size: UInt32) throws(AudioStatus) -> AnyObject? {
  guard let data, size > 0 else { return nil }
  guard Int(size) == MemoryLayout<UnsafeRawPointer>.size else { throw .parameterError }
  return data.loadUnaligned(as: UnsafeRawPointer?.self).map {
    Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue()
  }
}

/// - Parameter outClassData: gets the property list itself, the caller's to release: the present state of a unit that
///   is open, or else what the node was made with, or nothing.
@c @implementation
public func AUGraphGetNodeInfo(
  _ inGraph: AUGraph, _ inNode: AUNode, _ outDescription: UnsafeMutablePointer<AudioComponentDescription>?,
  _ outClassDataSize: UnsafeMutablePointer<UInt32>?, _ outClassData: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
  _ outAudioUnit: UnsafeMutablePointer<AudioUnit?>?
) -> OSStatus {
  callGraph(inGraph, "node \(inNode)") { (graph) throws(AudioStatus) in
    let node = try graph.node(inNode)
    outDescription?.pointee = node.description
    outAudioUnit?.pointee = node.unit
    guard outClassDataSize != nil || outClassData != nil else { return }
    let info = presentClassInfo(of: node)
    outClassDataSize?.pointee = info == nil ? 0 : UInt32(MemoryLayout<UnsafeRawPointer>.size)
    if let outClassData {
      outClassData.pointee = info
    } else if let info {
      Unmanaged<AnyObject>.fromOpaque(info).release()
    }
  }
}

/// A reference that the caller owns.
private func presentClassInfo(of node: GraphNode) -> UnsafeMutableRawPointer? {
  guard let unit = node.unit else { return node.classInfo.map { Unmanaged.passRetained($0).toOpaque() } }
  var reference: UnsafeMutableRawPointer?
  let status = withUnit(unit) {
    $0.read(kAudioUnitProperty_ClassInfo, kAudioUnitScope_Global, 0, into: &reference)
  }
  return status == noErr ? reference : nil
}
