// The three property functions for units of this package: the rules of the dispatch, which are the same for every
// property. The properties themselves are rows in the tables next to this file.

import AudioCore
import AudioEngine
import CAudioToolbox
import DeviceUnits

extension NativeInstance {
  /// The row of a property: one of the C interface's own, or one of the engine's table.
  private func row(_ id: AudioUnitPropertyID) throws(AudioStatus) -> CProperty {
    if let row = HostProperties.rows[id], HostProperties.applies(id, to: self) { return row }
    if let row = EngineProperties.row(PropertyID(id), of: unit) { return row }
    if let row = DeviceProperties.row(id, of: unit) { return row }
    throw .invalidProperty
  }

  /// The place at which a property is looked up. A property that a Mac's output unit has once is found on every scope
  /// and element: hosts use either of its two elements.
  private func place(
    _ row: CProperty, _ scope: AudioUnitScope, _ element: AudioUnitElement
  ) throws(AudioStatus) -> PropertyPlace {
    if row.scopes == [.global], let device = unit.deviceOutput, device.kind.isOfTheMac,
      scope <= kAudioUnitScope_Output, element <= 1
    {
      return PropertyPlace(instance: self, scope: .global, element: 0)
    }
    return PropertyPlace(instance: self, scope: try row.check(self, scope, element), element: element)
  }

  func readPropertyInfo(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    size: UnsafeMutablePointer<UInt32>?, isWritable: UnsafeMutablePointer<Bool>?
  ) -> OSStatus {
    edit { () throws(AudioStatus) in
      let row = try row(id)
      let place = try place(row, scope, element)
      var bytes = row.size ?? 0
      if row.size == nil, let get = row.get { bytes = try get(place).size }
      size?.pointee = UInt32(bytes)
      isWritable?.pointee = row.set != nil && row.isWritable(place)
    }
  }

  func readProperty(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement, data: UnsafeMutableRawPointer?,
    size: UnsafeMutablePointer<UInt32>
  ) -> OSStatus {
    guard let data else { return readPropertyInfo(id, scope, element, size: size, isWritable: nil) }
    let room = Int(size.pointee)
    guard room > 0 else { return kAudio_ParamError }
    let result = edit { () throws(AudioStatus) in
      let row = try row(id)
      var place = try place(row, scope, element)
      place.question = UnsafeRawBufferPointer(start: data, count: room)
      guard let get = row.get else { throw .invalidProperty }
      let bytes = try get(place).taken
      // A caller with too little room gets the beginning.
      let count = min(bytes.count, room)
      data.copyMemory(from: bytes, byteCount: count)
      size.pointee = UInt32(count)
    }
    if result != noErr { size.pointee = 0 }
    return result
  }

  func writeProperty(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement, data: UnsafeRawPointer?,
    size: UInt32
  ) -> OSStatus {
    guard (data == nil) == (size == 0) else { return kAudio_ParamError }
    // Sources wait for the render side: not under the lock.
    if id == kAudioUnitProperty_MakeConnection || id == kAudioUnitProperty_SetRenderCallback {
      return setSourceProperty(id, scope, element, data: data, size: size)
    }
    var hasChanged = false
    let result = edit { () throws(AudioStatus) in
      let row = try row(id)
      let place = try place(row, scope, element)
      guard let data else {
        guard let remove = row.remove else { throw .invalidPropertyValue }
        try remove(place)
        hasChanged = true
        return
      }
      guard let set = row.set else { throw .propertyNotWritable }
      let bytes = UnsafeRawBufferPointer(start: data, count: Int(size))
      if unit.isInitialized, Self.settingsOfStoppedOutputs.contains(id), takesSettingsWhileInitialized {
        let former = row.get.flatMap { get in try? get(place).taken }
        try initializeAgain(
          after: { () throws(AudioStatus) in try set(place, bytes) },
          orBack: {
            former?.withUnsafeBytes { bytes in _ = status { () throws(AudioStatus) in try set(place, bytes) } }
          })
      } else {
        try set(place, bytes)
      }
      if id == kAudioOutputUnitProperty_SetInputCallback { try followInputCallback() }
      hasChanged = true
    }
    if hasChanged { didSet(id, scope, element) }
    if id == kAudioUnitProperty_StreamFormat { noteRefusal(of: data, size: size, scope, element, result) }
    return result
  }

  /// The properties that a Mac's output unit takes although it is initialized.
  private static let settingsOfStoppedOutputs: Set<AudioUnitPropertyID> = [
    kAudioUnitProperty_StreamFormat, kAudioUnitProperty_SampleRate, kAudioOutputUnitProperty_EnableIO,
    kAudioOutputUnitProperty_ChannelMap,
  ]

  /// True where formats, elements and channel maps can be set although the unit is initialized: programs initialize a
  /// Mac's output units first and say only then what they will give them, and whether they record. Not while it runs.
  var takesSettingsWhileInitialized: Bool {
    guard let device = unit.deviceOutput else { return false }
    return device.kind.isOfTheMac && !device.isRunning
  }

  /// Makes a change that an initialized unit does not take, between uninitializing and initializing it. If that fails,
  /// it is initialized with the former settings.
  func initializeAgain(
    after change: () throws(AudioStatus) -> Void, orBack restore: () -> Void
  ) throws(AudioStatus) {
    _ = uninitialize()
    var failure: AudioStatus?
    do { try change() } catch { failure = error }
    let result = initialize()
    if let failure { throw failure }
    guard result != noErr else { return }
    restore()
    _ = initialize()
    throw AudioStatus(result)
  }

  private func didSet(_ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement) {
    if id == kAudioUnitProperty_ElementCount { elementCountDidChange() }
    propertyChanged(id, scope, element)
    // Two views of one value.
    if id == kAudioUnitProperty_SampleRate { propertyChanged(kAudioUnitProperty_StreamFormat, scope, element) }
    if id == kAudioUnitProperty_ClassInfo {
      propertyChanged(kAudioUnitProperty_PresentPreset, kAudioUnitScope_Global, 0)
    }
  }

  /// A mixer of which a host has set the number of inputs to 0, and which it then gives a callback as a whole, gets an
  /// input for that.
  private func makeFirstInput() -> OSStatus {
    guard unit.elementCount(.input) == 0, HostTraits.of(unit).mayHaveNoInputs else { return noErr }
    let result = edit { () throws(AudioStatus) in try unit.setElementCount(1, .input) }
    if result == noErr { propertyChanged(kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0) }
    return result
  }

  /// kAudioUnitProperty_MakeConnection and kAudioUnitProperty_SetRenderCallback, on the input scope or the global one.
  private func setSourceProperty(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement, data: UnsafeRawPointer?,
    size: UInt32
  ) -> OSStatus {
    guard unit.elementCount(.input) > 0 || HostTraits.of(unit).mayHaveNoInputs else {
      return kAudioUnitErr_InvalidProperty
    }
    // Hosts that mean the direction of the sound use the output scope of an output unit.
    guard
      scope == kAudioUnitScope_Input || scope == kAudioUnitScope_Global
        || (scope == kAudioUnitScope_Output && unit.deviceOutput != nil)
    else { return kAudioUnitErr_InvalidScope }
    guard let data else { return kAudioUnitErr_InvalidPropertyValue }
    let result: OSStatus
    if id == kAudioUnitProperty_MakeConnection {
      guard Int(size) >= MemoryLayout<AudioUnitConnection>.size else { return kAudioUnitErr_InvalidPropertyValue }
      let connection = data.loadUnaligned(as: AudioUnitConnection.self)
      let source = connection.sourceAudioUnit.map {
        InputSource.connection(source: $0, bus: connection.sourceOutputNumber)
      }
      result = setSource(source ?? .none, input: connection.destInputNumber)
    } else {
      guard Int(size) >= MemoryLayout<AURenderCallbackStruct>.size else { return kAudioUnitErr_InvalidPropertyValue }
      let callback = data.loadUnaligned(as: AURenderCallbackStruct.self)
      let source = callback.inputProc.map { InputSource.callback($0, userData: callback.inputProcRefCon) }
      if scope == kAudioUnitScope_Global, source != nil {
        let status = makeFirstInput()
        guard status == noErr else { return status }
      }
      result = setSource(source ?? .none, input: element)
    }
    if result == noErr { propertyChanged(id, scope, element) }
    return result
  }
}
