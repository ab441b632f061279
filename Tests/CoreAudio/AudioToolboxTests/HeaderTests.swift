import AudioToolbox
import CAudioToolbox
import Foundation
import TestSupport
import Testing

@Suite("The C headers stand alone, in every language that includes them")
struct HeaderTests {
  static let headers = "Sources/CoreAudio/CAudioToolbox/include"

  /// The folder of the toolchain's programs: where the first `swiftc` of the path really is.
  static let toolchain: URL? = (ProcessInfo.processInfo.environment["PATH"] ?? "")
    .split(separator: ":").map { URL(filePath: String($0)).appending(path: "swiftc") }
    .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    .map { $0.resolvingSymlinksInPath().deletingLastPathComponent() }

  /// Compiles texts, one file each, without code; what the compiler said, warnings as errors.
  func compile(_ texts: [String], _ standard: String, coreFoundation: Bool = false) throws -> String {
    let toolchain = try #require(Self.toolchain, "no swiftc on the path")
    let folder = TemporaryFolder()
    let cxx = standard.hasPrefix("c++")
    let files = texts.enumerated().map { folder.write($1, to: "\($0).\(cxx ? "cpp" : "c")") }
    var arguments = ["-std=\(standard)", "-fsyntax-only", "-I", "\(Repository.path)/\(Self.headers)"]
    arguments += ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    if coreFoundation {
      // Its own warnings are not the question.
      let library = toolchain.deletingLastPathComponent().appending(path: "lib/swift").path
      arguments += ["-fblocks", "-fcf-runtime-abi=swift", "-isystem", library]
    }
    let process = Process()
    process.executableURL = toolchain.appending(path: "clang")
    process.arguments = arguments + files
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0 || !said.isEmpty)
    return said
  }

  @Test("Each header compiles as the first of a file", arguments: ["c11", "c++14", "c++17", "c++20", "c++23"])
  func alone(standard: String) throws {
    let names = try Repository.files(below: Self.headers, suffix: ".h")
      .map { $0.dropFirst(Self.headers.count + 1) }
    #expect(names.count > 25)
    let said = try compile(names.map { "#include <\($0)>\nextern int declared;\n" }, standard)
    #expect(said == "")
  }

  @Test(
    "CoreFoundation goes with them, included before, after, or by them",
    arguments: ["c11", "gnu17", "c++17", "c++23"])
  func withCoreFoundation(standard: String) throws {
    // Strict C leaves out what CoreFoundation's own headers call.
    let coreFoundation =
      standard == "c11"
      ? "#include <CoreFoundation/CFBase.h>\n#include <CoreFoundation/CFString.h>\n"
      : "#include <CoreFoundation/CoreFoundation.h>\n"
    let umbrella = "#include <AudioToolbox/AudioToolbox.h>\n"
    let use = """
      CFStringRef key = CFSTR(kAUPresetVersionKey);
      CFIndex length(void);
      CFIndex length(void) { return CFStringGetLength(key); }
      dispatch_queue_t queue(void);
      dispatch_queue_t queue(void) { return dispatch_get_global_queue(0, 0); }

      """
    let said = try compile(
      [coreFoundation + umbrella + use, umbrella + coreFoundation + use, umbrella + use], standard,
      coreFoundation: true)
    #expect(said == "")
  }

  @Test("Old sources compile: helpers, assertions, the Component Manager", arguments: ["c11", "c++14", "c++20"])
  func oldSources(standard: String) throws {
    let address = standard.hasPrefix("c++") ? "" : "&"
    let said = try compile(
      [
        """
        #include <AssertMacros.h>
        #include <AudioUnit/AudioUnit.h>
        #include <CoreAudio/CoreAudioTypes.h>
        extern OSStatus run(Component *found);
        OSStatus run(Component *found) {
          OSStatus status = paramErr;
          AudioStreamBasicDescription format;
          AudioTimeStamp time;
          AudioUnitRenderActionFlags flags = 0;
          ComponentDescription wanted = {kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput, 0, 0, 0};
          flags |= kAudioUnitRenderAction_PreRender;
          FillOutASBDForLPCM(\(address)format, 44100, 2, 16, 16, false, false, false);
          FillOutAudioTimeStampWithSampleTime(\(address)time, 0);
          require(TestAudioFormatNativeEndian(format), bail);
          require(format.mFormatFlags == (kLinearPCMFormatFlagIsSignedInteger | kLinearPCMFormatFlagIsPacked), bail);
          *found = FindNextComponent(nil, &wanted);
          status = flags == 4 && time.mFlags == kAudioTimeStampSampleTimeValid ? noErr : eofErr;
          verify_noerr(status);
        bail:
          return status;
        }
        """
      ], standard)
    #expect(said == "")
  }

  /// Apple's headers have the helpers in C++ only, and so C programs bring their own, of the same name.
  @Test("C programs may have helpers of their own under the names of ours", arguments: ["c11", "gnu17"])
  func ownHelpers(standard: String) throws {
    let include = "#include <AudioToolbox/AudioToolbox.h>\n"
    let said = try compile(
      [
        include + """
          static inline UInt32 CalculateLPCMFlags(UInt32 valid, UInt32 total, bool isFloat, bool isBig, bool isApart) {
            return valid + total + isFloat + isBig + isApart;
          }
          static void FillOutASBDForLPCM(AudioStreamBasicDescription *out, Float64 rate, UInt32 channels, UInt32 valid,
                                         UInt32 total, bool isFloat, bool isBig, bool isApart) {
            out->mSampleRate = rate + channels;
            out->mFormatFlags = CalculateLPCMFlags(valid, total, isFloat, isBig, isApart);
          }
          extern void run(AudioStreamBasicDescription *out);
          void run(AudioStreamBasicDescription *out) { FillOutASBDForLPCM(out, 1, 2, 16, 16, false, false, false); }
          """,
        include + """
          extern void FillOutASBDForLPCM(AudioStreamBasicDescription *out, Float64 rate, UInt32 bits, signed char isFloat);
          void FillOutASBDForLPCM(AudioStreamBasicDescription *out, Float64 rate, UInt32 bits, signed char isFloat) {
            out->mSampleRate = rate + bits + isFloat;
          }
          """,
      ], standard)
    #expect(said == "")
  }

  @Test("Swift hosts declare a Boolean as on the systems they come from")
  func darwinBoolean() {
    var isRunning: DarwinBoolean = false
    func asHostsDo(_ out: UnsafeMutablePointer<DarwinBoolean>) { out.pointee = true }
    asHostsDo(&isRunning)
    #expect(isRunning.boolValue)
    isRunning = DarwinBoolean(false)
    #expect(!isRunning.boolValue)
  }

  @Test("Swift sees constants of the type they are used as")
  func typedConstants() {
    #expect(type(of: kAudioUnitType_Output) == UInt32.self)
    #expect(type(of: kAudioUnitSubType_GenericOutput) == UInt32.self)
    #expect(type(of: kAudioUnitScope_Global) == UInt32.self)
    #expect(type(of: kAudioUnitProperty_StreamFormat) == UInt32.self)
    #expect(type(of: kMultiChannelMixerParam_Volume) == UInt32.self)
    #expect(type(of: kAudioFormatLinearPCM) == UInt32.self)
    #expect(type(of: kAudioFormatFlagIsFloat) == UInt32.self)
    #expect(type(of: kAudioChannelLayoutTag_Stereo) == UInt32.self)
    #expect(type(of: kAudioUnitErr_InvalidProperty) == Int32.self)
    #expect(type(of: kAUGraphErr_NodeNotFound) == Int32.self)
    #expect(type(of: kAudio_ParamError) == Int32.self)
    #expect(type(of: noErr) == Int32.self)
  }

  @Test("Swift sees option sets and enumerations by the names that programs use")
  func swiftNames() {
    var flags: AudioUnitRenderActionFlags = [.unitRenderAction_PostRender, .offlineUnitRenderAction_Complete]
    flags.insert(.unitRenderAction_OutputIsSilence)
    #expect(flags.rawValue == 0x98)
    var time = AudioTimeStamp()
    time.mFlags = [.sampleTimeValid, .hostTimeValid]
    #expect(time.mFlags == .sampleHostTimeValid)
    var info = AudioUnitParameterInfo()
    info.unit = .decibels
    info.flags = [.flag_IsReadable, .flag_IsWritable]
    #expect(info.unit.rawValue == 13 && info.flags.rawValue == 3 << 30)
    var event = AudioUnitEvent()
    event.mEventType = .propertyChange
    #expect(event.mEventType.rawValue == 3)
    #expect(AudioComponentInstantiationOptions.loadOutOfProcess.rawValue == 1)
    #expect(AudioChannelLayoutTag_GetNumberOfChannels(kAudioChannelLayoutTag_MPEG_5_1_A) == 6)
  }

  @Test("A Swift closure is a render callback without an optional in sight")
  func closuresAreCallbacks() throws {
    let callback = AURenderCallbackStruct(
      inputProc: { refCon, flags, time, bus, frames, data in
        flags.pointee.insert(.unitRenderAction_OutputIsSilence)
        refCon.storeBytes(of: Float64(bus) + time.pointee.mSampleTime, as: Float64.self)
        return data == nil && frames == 512 ? noErr : kAudioUnitErr_TooManyFramesToProcess
      }, inputProcRefCon: nil)
    let call = try #require(callback.inputProc)
    var flags = AudioUnitRenderActionFlags()
    var time = AudioTimeStamp()
    time.mSampleTime = 40
    var seen = 0.0
    expectNoError(call(&seen, &flags, &time, 2, 512, nil))
    #expect(seen == 42 && flags == .unitRenderAction_OutputIsSilence)
  }
}
