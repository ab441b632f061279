// A Swift program outside of the package that gives the listener functions a dispatch queue and the file functions a
// URL.
import AudioToolbox
import Dispatch
import Foundation

@main
struct Client {
  static func main() {
    var description = AudioComponentDescription(
      componentType: kAudioUnitType_Mixer, componentSubType: kAudioUnitSubType_MultiChannelMixer,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0)
    var instance: AudioComponentInstance?
    guard let component = AudioComponentFindNext(nil, &description),
      AudioComponentInstanceNew(component, &instance) == noErr, let mixer = instance
    else { fatalError("no mixer") }
    var parameter = AudioUnitParameter(
      mAudioUnit: mixer, mParameterID: kMultiChannelMixerParam_Volume, mScope: kAudioUnitScope_Output, mElement: 0)

    let queue = DispatchQueue(label: "events")
    let heard = DispatchSemaphore(value: 0)
    var events: AUEventListenerRef?
    print(
      "events",
      AUEventListenerCreateWithDispatchQueue(&events, 0.001, 0.001, queue) { object, event, _, value in
        dispatchPrecondition(condition: .onQueue(queue))
        print("event", event.pointee.mEventType == .parameterValueChange, value)
        heard.signal()
      })
    guard let events else { fatalError("no listener of events") }
    var event = AudioUnitEvent()
    event.mEventType = .parameterValueChange
    event.mArgument.mParameter = parameter
    print("add", AUEventListenerAddEventType(events, nil, &event))
    print("set", AUParameterSet(nil, nil, &parameter, 0.25, 0))
    print("heard", heard.wait(timeout: .now() + 60) == .success)
    print("dispose", AUListenerDispose(events))

    var parameters: AUParameterListenerRef?
    print(
      "parameters",
      AUListenerCreateWithDispatchQueue(&parameters, 0.001, queue) { _, parameter, value in
        print("parameter", parameter.pointee.mParameterID == kMultiChannelMixerParam_Volume, value)
        heard.signal()
      })
    guard let first = parameters else { fatalError("no listener of parameters") }
    print("add", AUListenerAddParameter(first, nil, &parameter))
    print("set", AUParameterSet(nil, nil, &parameter, 0.5, 0))
    print("heard", heard.wait(timeout: .now() + 60) == .success)
    print("dispose", AUListenerDispose(first))
    print("interval below 0", AUListenerCreateWithDispatchQueue(&parameters, -1, queue) { _, _, _ in })

    var file: ExtAudioFileRef?
    print("open", ExtAudioFileOpenURL(URL(fileURLWithPath: CommandLine.arguments[1]), &file))
    guard let file else { fatalError("no file") }
    print("dispose", ExtAudioFileDispose(file))
    var web: AudioFileID?
    guard let page = URL(string: "https://example.org/a.wav") else { fatalError("no URL") }
    print("no file", AudioFileOpenURL(page, .readPermission, 0, &web), web == nil)
    let flag: DarwinBoolean = true
    print("flag", flag.boolValue)
  }
}
