// AudioToolbox.h: CAShow, which prints the object behind a handle, for debugging. The wording is our own; the lines of
// nodes and connections have the shape that logs of other systems show.

import AudioCore
import AudioEngine
import CAudioToolbox
import DeviceUnits
import Glibc

/// Prints an object to the standard output.
@c @implementation
public func CAShow(_ inObject: UnsafeMutableRawPointer?) { print(ShownObject(inObject).text, terminator: "") }

/// Prints an object to a file of the C library, as ``CAShow(_:)`` does; nothing where that is null.
@c @implementation
public func CAShowFile(_ inObject: UnsafeMutableRawPointer?, _ inFile: UnsafeMutablePointer<FILE>) {
  if !isNull(inFile) { fputs(ShownObject(inObject).text, inFile) }
}

/// The printed text of an object. For a stale handle, and a pointer to anything else, it is only a number.
package struct ShownObject {
  private let handle: OpaquePointer?
  package init(_ object: UnsafeMutableRawPointer?) { handle = OpaquePointer(object) }

  package var text: String {
    shown(GraphModel.self) { Self.text(of: $0) }
      ?? shown(UnitInstance.self) { Self.text(of: $0) }
      ?? shown(ComponentEntry.self) { "AudioComponent \(Self.number(handle)): \(Self.text(of: $0))\n" }
      ?? shown(StreamConverter.self) { Self.text(of: $0, handle) }
      ?? shown(AudioFileObject.self) { "AudioFile \(Self.number(handle)): \(Self.text(of: $0))\n" }
      ?? shown(ExtAudioFileObject.self) { file in file.lock.withLock { Self.text(of: file, handle) } }
      ?? shown(ChangeListener.self) {
        "\($0.isForEvents ? "AUEventListener" : "AUParameterListener") \(Self.number(handle))\n"
      } ?? "\(Self.number(handle)): not a graph, unit or component\n"
  }

  /// Nil where the handle is of another kind.
  private func shown<T: HandleObject>(_ type: T.Type, _ text: (T) -> String) -> String? {
    HandleTable.shared.withObject(handle, type, text)
  }

  static func number(_ pointer: OpaquePointer?) -> String { "0x" + String(UInt(bitPattern: pointer), radix: 16) }

  private static func codes(_ description: AudioComponentDescription) -> String {
    [description.componentType, description.componentSubType, description.componentManufacturer]
      .map { "'\(FourCharCode(rawValue: $0))'" }.joined(separator: " ")
  }

  private static func text(of component: ComponentEntry) -> String {
    "\(codes(component.description)), \(component.name)"
  }

  // MARK: Converters, files

  private static func text(of converter: StreamConverter, _ handle: OpaquePointer?) -> String {
    func words(_ format: ConverterFormat) -> String { format.code.map { "\($0), " } ?? "" }
    return "AudioConverter \(number(handle)): [\(words(converter.input))\(converter.input.stream)]"
      + " => [\(words(converter.output))\(converter.output.stream)]\n"
  }

  private static func text(of file: AudioFileObject) -> String {
    file.withLock {
      let format = file.dataFormat
      let words = StreamFormat(format)?.description ?? "'\(FourCharCode(rawValue: format.mFormatID))'"
      return "'\(FourCharCode(rawValue: file.type.id))', [\(words)], \(file.frameCount) frames"
    }
  }

  private static func text(of file: ExtAudioFileObject, _ handle: OpaquePointer?) -> String {
    let client = file.clientFormat.map { "[\($0)]" } ?? "no client format"
    return "ExtAudioFile \(number(handle)): \(file.isWriting ? "writing" : "reading") AudioFile"
      + " \(number(file.fileHandle)): \(text(of: file.file)); \(client)\n"
  }

  // MARK: Units

  private static func text(of unit: UnitInstance) -> String {
    var text = "AudioUnit \(number(unit.handle)): \(text(of: unit.component))"
    text += unit.isInitialized ? ", initialized\n" : "\n"
    for (name, scope) in [("input", kAudioUnitScope_Input), ("output", kAudioUnitScope_Output)] {
      var count: UInt32 = 0
      guard unit.read(kAudioUnitProperty_ElementCount, scope, 0, into: &count) == noErr else { continue }
      for bus in 0..<count { text += "  \(name) \(bus): [\(format(of: unit, scope, bus))]\n" }
    }
    return text
  }

  private static func format(of unit: UnitInstance, _ scope: AudioUnitScope, _ bus: UInt32) -> String {
    guard let format = unit.streamDescription(scope, bus) else { return "no format" }
    return StreamFormat(format)?.description ?? "'\(FourCharCode(rawValue: format.mFormatID))'"
  }

  // MARK: Graphs

  private static func text(of graph: GraphModel) -> String {
    var text = "AUGraph \(number(graph.handle)):\n"
    let status = graph.call { text += lines(of: graph) }
    return status == noErr ? text : text + "  busy (\(status))\n"
  }

  private static func lines(of graph: GraphModel) -> String {
    var text = "  nodes:\n"
    for node in graph.presentNodes {
      if let member = node.member {
        text += "    node \(node.number): graph \(number(member.handle))\n"
      } else {
        text += "    node \(node.number): \(codes(node.description)), "
        text += node.unit.map { "instance \(number($0))\n" } ?? "not open\n"
      }
    }
    text += "  connections:\n"
    for interaction in graph.presentInteractions.all {
      let input = interaction.input
      switch interaction.source {
      case .node(let node, let bus), .recorded(let node, let bus): text += "    node \(node) bus \(bus)"
      case .callback(let proc, let userData):
        text += "    callback \(number(OpaquePointer(bitPattern: functionAddress(proc))))"
        text += " (\(number(OpaquePointer(userData))))"
      }
      text += " => node \(input.node) bus \(input.bus)"
      if let unit = (try? graph.node(input.node))?.unit {
        _ = withUnit(unit) {
          text += "  [\(format(of: $0, kAudioUnitScope_Input, input.bus))]"
          return noErr
        }
      }
      text += "\n"
    }
    text += "  state: \(graph.state)\(graph.isRunning ? ", running" : ""), \(graph.todo.count) to be done\n"
    return text
  }
}
