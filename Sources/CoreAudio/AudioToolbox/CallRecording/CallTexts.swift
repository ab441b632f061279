// Texts of functions' arguments and results in a transcript: without handles and addresses.

import AudioCore
import AudioEngine
import CAudioToolbox
import CRealtime
import Transcripts

enum CallText {
  private static let propertyNames: [UInt32: String] = {
    var names: [UInt32: String] = [:]
    for line in String(decoding: PackageResources.property_names_tsv, as: UTF8.self).split(separator: "\n") {
      let cells = line.split(separator: "\t")
      if cells.count == 2, let number = UInt32(cells[0]) { names[number] = String(cells[1]) }
    }
    return names
  }()

  /// The name of AudioUnitProperties.h or AudioSession.h; of any other property its number or code.
  static func property(_ id: UInt32) -> String {
    propertyNames[id] ?? (id > 0xFFFFFF ? "\(FourCharCode(rawValue: id))" : "\(id)")
  }

  static func place(_ scope: AudioUnitScope, _ element: AudioUnitElement) -> String {
    let names = ["global", "input", "output", "group", "part", "note", "layer", "layer item"]
    let name = Int(scope) < names.count ? names[Int(scope)] : "scope \(scope)"
    return scope == kAudioUnitScope_Global && element == 0 ? "" : ", \(name) \(element)"
  }

  static func scopeAndElement(_ scope: AudioUnitScope, _ element: AudioUnitElement) -> String {
    String(place(scope, element).dropFirst(2))
  }

  static func property(_ id: UInt32, _ scope: AudioUnitScope, _ element: AudioUnitElement) -> String {
    property(id) + place(scope, element)
  }

  static func parameter(
    _ unit: AudioUnit?, _ id: AudioUnitParameterID, _ scope: AudioUnitScope, _ element: AudioUnitElement
  ) -> String {
    let name = HandleTable.shared.withObject(unit, UnitInstance.self) { instance -> String? in
      guard let native = instance as? NativeInstance, let place = Scope(rawValue: scope) else { return nil }
      return native.unit.parameterTable(place, element: Int(element)).first { $0.id == id }?.name
    }
    return ((name ?? nil) ?? "parameter \(id)") + place(scope, element)
  }

  /// The value at an address of the program's, which may be wrong: a call that is to be refused may come with one.
  static func read<Value: BitwiseCopyable>(_ address: UnsafeRawPointer?, as type: Value.Type = Value.self) -> Value? {
    withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { memory in
      guard let start = memory.baseAddress, realtime_copy(start, address, MemoryLayout<Value>.size) else { return nil }
      return start.pointee
    }
  }

  /// The value of a property that is a number, a format or a source; of any other how large it is.
  static func value(_ id: UInt32, _ data: UnsafeRawPointer?, _ size: UInt32) -> String {
    guard let data, !isNull(data) else { return "nothing" }
    return readableValue(id, data, Int(size)) ?? "what cannot be read"
  }

  private static func readableValue(_ id: UInt32, _ data: UnsafeRawPointer, _ size: Int) -> String? {
    switch (id, size) {
    case (kAudioUnitProperty_StreamFormat, 40...), (kExtAudioFileProperty_ClientDataFormat, 40...),
      (kExtAudioFileProperty_FileDataFormat, 40...):
      return read(data).map { (description: AudioStreamBasicDescription) in format(description) }
    case (kAudioUnitProperty_SetRenderCallback, 16...), (kAudioOutputUnitProperty_SetInputCallback, 16...):
      return read(data).map { (function: UInt) in function == 0 ? "none" : "a callback" }
    case (kAudioUnitProperty_MakeConnection, 16...):
      return read(data).map { (connection: AudioUnitConnection) in
        let source =
          connection.sourceAudioUnit.map { CallSubject(unit: $0)?.description ?? "a stale handle" } ?? "nothing"
        return "\(source) output \(connection.sourceOutputNumber) to input \(connection.destInputNumber)"
      }
    case (kAudioUnitProperty_SampleRate, 8), (kAudioUnitProperty_Latency, 8), (kAudioUnitProperty_TailTime, 8),
      (kAudioUnitProperty_PresentationLatency, 8), (kAudioUnitProperty_LastRenderSampleTime, 8),
      (kAudioSessionProperty_PreferredHardwareSampleRate, 8), (kAudioSessionProperty_CurrentHardwareSampleRate, 8):
      return read(data).map { (number: Double) in NumberText.short(number) }
    case (_, 4):
      if AudioSessionProperty.named(id)?.form == .float32 {
        return read(data).map { (number: Float) in NumberText.short(number) }
      }
      return read(data).map { (number: UInt32) in
        let code = "\(FourCharCode(rawValue: number))"
        return code.hasPrefix("0x") ? "\(number)" : "'\(code)'"
      }
    default: return "\(size) bytes"
    }
  }

  /// A property of the hardware interface, with its new value; without data it is read.
  static func property(
    _ object: AudioObjectID, _ address: AudioObjectPropertyAddress, _ data: UnsafeRawPointer?, _ size: UInt32
  ) -> String {
    let name = "object \(object), \(FourCharCode(rawValue: address.mSelector))"
    guard let data else { return name }
    let value =
      switch size {
      case 4: read(data).map { (number: UInt32) in "\(number)" }
      case 8: read(data).map { (number: Double) in NumberText.short(number) }
      default: "\(size) bytes" as String?
      }
    return "\(name) = \(value ?? "what cannot be read")"
  }

  /// The buffers that a slice is to be rendered into, where they are not those that the output needs.
  static func buffers(
    _ list: UnsafePointer<AudioBufferList>, _ unit: AudioUnit?, bus: UInt32, frames: UInt32
  ) -> String {
    let format = HandleTable.shared.withObject(unit, UnitInstance.self) { instance -> StreamFormat? in
      guard let native = instance as? NativeInstance else { return nil }
      return try? native.unit.streamFormat(.output, element: Int(bus))
    }
    guard let format = format ?? nil, let given = read(list, as: AudioBufferList.self) else { return "" }
    let needed = Int(frames) * format.bytesPerFrame
    guard given.mNumberBuffers == UInt32(format.bufferCount) else {
      return
        "\(NumberText.count(given.mNumberBuffers, "buffer")), and \(format.bufferCount) of \(needed) bytes are needed"
    }
    let first = UnsafeRawPointer(list) + (MemoryLayout.offset(of: \AudioBufferList.mBuffers) ?? 8)
    for index in 0..<format.bufferCount {
      let place = first + index * MemoryLayout<AudioBuffer>.stride
      guard let buffer = read(place, as: AudioBuffer.self) else { break }
      guard buffer.mData != nil, Int(buffer.mDataByteSize) < needed else { continue }
      return
        "buffer \(index + 1) of \(format.bufferCount) has \(buffer.mDataByteSize) bytes, and \(needed) are needed"
    }
    return ""
  }

  /// A number that a function takes or has written.
  static func count(_ number: UnsafePointer<UInt32>, _ noun: String) -> String {
    read(number).map { (number: UInt32) in NumberText.count(number, noun) } ?? ""
  }

  /// A size.
  static func bytes(_ count: UInt32) -> String { NumberText.count(count, "byte") }

  /// A chunk of a file, by its name and its index among those of the name.
  static func chunk(_ id: UInt32, _ index: UInt32) -> String { "'\(FourCharCode(rawValue: id))' \(index)" }

  /// A type of file, and where it is known the format in it.
  static func file(_ type: AudioFileTypeID, _ format: UnsafePointer<AudioStreamBasicDescription>? = nil) -> String {
    let kind = type == 0 ? "" : "'\(FourCharCode(rawValue: type))'"
    let text = read(format).map { (description: AudioStreamBasicDescription) in self.format(description) }
    return [kind, text ?? ""].filter { !$0.isEmpty }.joined(separator: ", ")
  }

  static func format(_ format: AudioStreamBasicDescription) -> String {
    if let known = StreamFormat(format) { return "\(known)" }
    return "\(NumberText.short(format.mSampleRate)) Hz, \(format.mChannelsPerFrame) ch, "
      + "'\(FourCharCode(rawValue: format.mFormatID))', flags 0x\(String(format.mFormatFlags, radix: 16)), "
      + "\(format.mBitsPerChannel) bits, \(format.mBytesPerFrame) bytes a frame, \(format.mFramesPerPacket) frames a packet"
  }

  static func component(_ description: UnsafePointer<AudioComponentDescription>) -> String {
    if isNull(description) { return "nothing" }
    return read(description).map { (description: AudioComponentDescription) in component(description) }
      ?? "what cannot be read"
  }

  static func component(_ component: AudioComponent?) -> String {
    HandleTable.shared.withObject(component, ComponentEntry.self) { self.component($0.description) } ?? "a stale handle"
  }

  static func component(_ description: AudioComponentDescription) -> String {
    [description.componentType, description.componentSubType, description.componentManufacturer]
      .map { $0 == 0 ? "any" : "'\(FourCharCode(rawValue: $0))'" }.joined(separator: " ")
  }

  /// A number or a switch that a function has written; nothing of any other type.
  static func answer<Value>(_ value: UnsafePointer<Value>) -> String {
    switch value.pointee {
    case let number as UInt32: "\(number)"
    case let number as Int32: "\(number)"
    case let isSo as Bool: isSo ? "true" : "false"
    default: ""
    }
  }
}
