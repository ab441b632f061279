import AudioCore
import AudioEngine
import CAudioToolbox

/// Parameters in the C interface: info, value strings, names. Their element is the parameter's number.
enum ParameterProperties {
  static let rows: [AudioUnitPropertyID: CProperty] = [
    kAudioUnitProperty_ParameterInfo: .value(
      AudioUnitParameterInfo.self, scopes, isPerElement: false,
      get: { (place) throws(AudioStatus) in
        let row = try descriptor(place, place.element)
        var described = info(row, sampleRate: try place.unit.streamFormat(.global).sampleRate)
        let clumps = place.scope == .global ? HostTraits.of(place.unit).clumps : []
        if let index = clumps.firstIndex(where: { $0.parameters.contains(row.id) }) {
          described.clumpID = UInt32(index + 1)
          described.flags.insert(.flag_HasClump)
        }
        return described
      }),
    kAudioUnitProperty_ParameterValueStrings: .value(
      UnsafeMutableRawPointer?.self, scopes, isPerElement: false,
      get: { (place) throws(AudioStatus) in
        let names = try descriptor(place, place.element).valueNames
        guard !names.isEmpty else { throw .invalidProperty }
        return PropertyTree.texts(names.map(words)).makeObject()
      }),
    kAudioUnitProperty_ParameterStringFromValue: exchange(AudioUnitParameterStringFromValue.self) {
      (place, request) throws(AudioStatus) in
      let row = try descriptor(place, request.inParamID)
      let value: Float
      if let given = request.inValue {
        value = given.pointee
      } else {
        value = try place.unit.parameter(ParameterAddress(request.inParamID, scope: place.scope))
      }
      request.outString = CFText.make(text(of: value, row))
    },
    kAudioUnitProperty_ParameterValueFromString: exchange(AudioUnitParameterValueFromString.self) {
      (place, request) throws(AudioStatus) in
      let row = try descriptor(place, request.inParamID)
      guard let given = CFText.string(request.inString.takeUnretainedValue()) else {
        throw .invalidPropertyValue
      }
      if let index = row.valueNames.firstIndex(where: { words($0) == given || $0 == given }) {
        request.outValue = row.minimum + Float(index)
      } else if row.unit == .boolean, let value = switchWords.firstIndex(of: given) {
        request.outValue = Float(value)
      } else if let number = Float(given.prefix { !$0.isWhitespace }), number.isFinite {
        request.outValue = number
      } else {
        throw .invalidPropertyValue
      }
    },
    kAudioUnitProperty_ParameterIDName: exchange(AudioUnitParameterIDName.self) {
      (place, request) throws(AudioStatus) in
      let name = words(try descriptor(place, request.inID).name)
      let wanted = Int(request.inDesiredLength)
      request.outName = CFText.make(wanted < 0 ? name : String(name.prefix(wanted)))
    },
    kAudioUnitProperty_ParameterClumpName: exchange(AudioUnitParameterIDName.self) {
      (place, request) throws(AudioStatus) in
      // The system's own.
      guard request.inID != kAudioUnitClumpID_System else { throw .invalidPropertyValue }
      let clumps = place.scope == .global ? HostTraits.of(place.unit).clumps : []
      guard request.inID <= clumps.count else { throw .invalidProperty }
      let name = clumps[Int(request.inID) - 1].name
      let wanted = Int(request.inDesiredLength)
      request.outName = CFText.make(wanted < 0 ? name : String(name.prefix(wanted)))
    },
  ]

  private static let scopes: Set<Scope> = [.global, .input, .output]
  /// The texts of a switch's 0 and 1.
  private static let switchWords = ["Off", "On"]

  private static func descriptor(_ place: PropertyPlace, _ id: UInt32) throws(AudioStatus) -> ParameterDescriptor {
    guard let row = place.unit.parameterTable(place.scope, element: 0).first(where: { $0.id == id }) else {
      throw .invalidParameter
    }
    return row
  }

  /// A property whose request is in the memory that takes the result, and has room for all of it.
  private static func exchange<Request: BitwiseCopyable>(
    _ type: Request.Type,
    _ answer: @escaping @Sendable (PropertyPlace, inout Request) throws(AudioStatus) -> Void
  ) -> CProperty {
    .value(
      Request.self, scopes, isPerElement: false,
      get: { (place) throws(AudioStatus) in
        guard place.question.count >= MemoryLayout<Request>.size else { throw .invalidPropertyValue }
        var request = place.question.loadUnaligned(as: Request.self)
        try answer(place, &request)
        return request
      })
  }

  private static func info(_ row: ParameterDescriptor, sampleRate: Double) -> AudioUnitParameterInfo {
    var info = AudioUnitParameterInfo()
    let name = words(row.name)
    withUnsafeMutableBytes(of: &info.name) { bytes in
      bytes.copyBytes(from: name.utf8.prefix(bytes.count - 1))
    }
    info.cfNameString = CFText.make(name)
    info.unit = AudioUnitParameterUnit(rawValue: row.unit.rawValue) ?? .generic
    info.minValue = row.minimum
    info.maxValue = row.maximum(atSampleRate: sampleRate)
    info.defaultValue = row.initial
    var flags: AudioUnitParameterOptions = [.flag_HasCFNameString, .flag_CFNameRelease, .flag_IsReadable]
    if row.isReadOnly {
      flags.insert(.flag_MeterReadOnly)
    } else {
      flags.insert(.flag_IsWritable)
      if row.unit != .boolean && row.unit != .indexed { flags.insert(.flag_IsHighResolution) }
      if row.canRamp { flags.insert(.flag_CanRamp) }
    }
    if row.unit == .hertz { flags.insert(.flag_DisplayLogarithmic) }
    if !row.valueNames.isEmpty { flags.insert(.flag_ValuesHaveStrings) }
    info.flags = flags
    return info
  }

  /// A value for people: a name, or a number with its unit.
  static func text(of value: Float, _ row: ParameterDescriptor) -> String {
    let index = Int(exactly: (value - row.minimum).rounded()) ?? -1
    if row.valueNames.indices.contains(index) { return words(row.valueNames[index]) }
    if row.unit == .boolean { return switchWords[value != 0 ? 1 : 0] }
    let symbol = row.unit.symbol
    return symbol.isEmpty ? "\(value)" : "\(value) \(symbol)"
  }

  /// `cutoffFrequency` as people write it: `Cutoff Frequency`.
  static func words(_ name: String) -> String {
    var text = ""
    for character in name {
      if character.isUppercase || character.isNumber && !(text.last?.isNumber ?? false) { text += " " }
      text += text.isEmpty ? character.uppercased() : String(character)
    }
    return text
  }
}
