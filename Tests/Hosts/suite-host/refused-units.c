// Units asked wrongly: the properties, parameters and render calls of an effect before, while and after it is initialized, and what each kind of unit
// has at all.
#include <AudioToolbox/MusicDevice.h>

#include "refused.h"

static const MIDIEventList words = {kMIDIProtocol_1_0, 0, {{0, 0, {0}}}};

static void hear(void *user, AudioUnit unit, UInt32 id, UInt32 scope, UInt32 element) { (void)user, (void)unit, (void)id, (void)scope, (void)element; }

static void wrong_handles(void) {
  const Handles handles = handles_but(unit, NULL);
  AudioStreamBasicDescription format;
  UInt32 size = sizeof format;
  Boolean writable;
  Float32 value;
  AudioUnitRenderActionFlags flags = 0;
  const AudioTimeStamp now = at_frame(0);
  const AudioUnitParameterEvent event = {.scope = 0, .parameter = 0, .eventType = kParameterEvent_Immediate, .eventValues.immediate = {0, 1000}};
  Planes *planes = planes_of(2, 64);
  const AudioBufferList *inputs[] = {planes->list};
  AudioBufferList *outputs[] = {planes->list};
  NoteInstanceID note;
  const MusicDeviceNoteParams params = {2, 60, 100, {{0, 0}}};
  for (int at = 0; at < handles.count; ++at) {
    AudioUnit none = handles.list[at];
    ANSWERS(-50, AudioUnitInitialize(none));
    ANSWERS(-50, AudioUnitUninitialize(none));
    ANSWERS(-50, AudioUnitReset(none, 0, 0));
    ANSWERS(-50, AudioUnitGetPropertyInfo(none, 8, 2, 0, &size, &writable));
    ANSWERS(-50, AudioUnitGetProperty(none, 8, 2, 0, &format, &size));
    ANSWERS(-50, AudioUnitSetProperty(none, 8, 2, 0, &format, sizeof format));
    ANSWERS(-50, AudioUnitAddPropertyListener(none, 8, hear, NULL));
    ANSWERS(-50, AudioUnitRemovePropertyListenerWithUserData(none, 8, hear, NULL));
    ANSWERS(-50, AudioUnitRemovePropertyListener(none, 8, hear));
    ANSWERS(-50, AudioUnitAddRenderNotify(none, give_silence, NULL));
    ANSWERS(-50, AudioUnitRemoveRenderNotify(none, give_silence, NULL));
    ANSWERS(-50, AudioUnitGetParameter(none, 0, 0, 0, &value));
    ANSWERS(-50, AudioUnitSetParameter(none, 0, 0, 0, 1000, 0));
    ANSWERS(-50, AudioUnitScheduleParameters(none, &event, 1));
    ANSWERS(-50, AudioUnitRender(none, &flags, &now, 0, 64, planes->list));
    ANSWERS(-50, AudioUnitProcess(none, &flags, &now, 64, planes->list));
    ANSWERS(-50, AudioUnitProcessMultiple(none, &flags, &now, 64, 1, inputs, 1, outputs));
    ANSWERS(-50, AudioOutputUnitStart(none));
    ANSWERS(-50, AudioOutputUnitStop(none));
    ANSWERS(-50, AudioComponentInstanceDispose(none));
    HOLDS(AudioComponentInstanceGetComponent(none) == NULL);
    HOLDS(!AudioComponentInstanceCanDo(none, kAudioUnitInitializeSelect));
    ANSWERS(-50, MusicDeviceMIDIEvent(none, 0x90, 60, 100, 0));
    ANSWERS(-50, MusicDeviceSysEx(none, (const UInt8 *)"\xF0\xF7", 2));
    ANSWERS(-50, MusicDeviceMIDIEventList(none, 0, &words));
    ANSWERS(-50, MusicDeviceStartNote(none, 0, 0, &note, 0, &params));
    ANSWERS(-50, MusicDeviceStopNote(none, 0, 1, 0));
    ANSWERS(-50, MusicDevicePrepareInstrument(none, 0));
    ANSWERS(-50, MusicDeviceReleaseInstrument(none, 0));
    const AudioUnitConnection from = {none, 0, 0};
    // A null source takes the connection away.
    ANSWERS(none ? -50 : 0, AudioUnitSetProperty(unit, kAudioUnitProperty_MakeConnection, 1, 0, &from, sizeof from));
  }
  say_judged("units that are none");
}

// Calls of one unit in each state; `silent` is what a render call without a source answers.
static void ask_effect(AudioUnit effect, int is_initialized) {
  AudioUnitRenderActionFlags flags = 0;
  AudioTimeStamp now = at_frame(0);
  Planes *planes = planes_of(2, 64);
  const AudioBufferList *inputs[] = {planes->list, planes->list};
  AudioBufferList *outputs[] = {planes->list, planes->list};
  Float32 value;
  const OSStatus state = is_initialized ? noErr : kAudioUnitErr_Uninitialized;
#define OR(status) (is_initialized ? (status) : kAudioUnitErr_Uninitialized)
  // Pointers come before the state.
  ANSWERS(-50, AudioUnitRender(effect, &flags, (const AudioTimeStamp *)nothing, 0, 64, planes->list));
  ANSWERS(-50, AudioUnitRender(effect, &flags, &now, 0, 64, (AudioBufferList *)nothing));
  ANSWERS(-50, AudioUnitProcess(effect, &flags, (const AudioTimeStamp *)nothing, 64, planes->list));
  ANSWERS(-50, AudioUnitProcess(effect, &flags, &now, 64, (AudioBufferList *)nothing));
  ANSWERS(-50, AudioUnitProcessMultiple(effect, &flags, (const AudioTimeStamp *)nothing, 64, 1, inputs, 1, outputs));
  ANSWERS(-50, AudioUnitProcessMultiple(effect, &flags, &now, 64, 1, (const AudioBufferList **)nothing, 1, outputs));
  ANSWERS(-50, AudioUnitProcessMultiple(effect, &flags, &now, 64, 1, inputs, 1, (AudioBufferList **)nothing));
  ANSWERS(OR(kAudioUnitErr_NoConnection), AudioUnitRender(effect, &flags, &now, 0, 64, planes_of(2, 64)->list));
  ANSWERS(state, AudioUnitProcess(effect, &flags, &now, 64, planes_of(2, 64)->list));
  ANSWERS(state, AudioUnitProcess(effect, (AudioUnitRenderActionFlags *)nothing, &now, 64, planes_of(2, 64)->list));
  ANSWERS(state, AudioUnitProcess(effect, &flags, &now, 1156, planes_of(2, 1156)->list));
  ANSWERS(state, AudioUnitProcessMultiple(effect, &flags, &now, 64, 1, inputs, 1, outputs));
  // Frames before the bus, the bus before the buffers.
  ANSWERS(OR(kAudioUnitErr_TooManyFramesToProcess), AudioUnitRender(effect, &flags, &now, 7, 1157, planes_of(1, 64)->list));
  ANSWERS(OR(kAudioUnitErr_TooManyFramesToProcess), AudioUnitRender(effect, &flags, &now, 0, 0xFFFFFFFF, planes_of(2, 64)->list));
  ANSWERS(OR(kAudioUnitErr_InvalidElement), AudioUnitRender(effect, &flags, &now, 1, 64, planes_of(1, 64)->list));
  ANSWERS(OR(kAudioUnitErr_InvalidElement), AudioUnitRender(effect, &flags, &now, 0xFFFFFFFF, 64, planes_of(2, 64)->list));
  ANSWERS(OR(-50), AudioUnitRender(effect, &flags, &now, 0, 64, planes_of(1, 64)->list));
  ANSWERS(OR(-50), AudioUnitRender(effect, &flags, &now, 0, 64, planes_of(3, 64)->list));
  ANSWERS(OR(-50), AudioUnitRender(effect, &flags, &now, 0, 64, planes_of(2, 63)->list));
  planes_of(2, 64), planes->list->mBuffers[1].mDataByteSize = 255;
  ANSWERS(OR(-50), AudioUnitRender(effect, &flags, &now, 0, 64, planes->list));
  HOLDS(planes->list->mBuffers[0].mDataByteSize == 256 && planes->list->mBuffers[1].mDataByteSize == 255);
  ANSWERS(OR(kAudioUnitErr_TooManyFramesToProcess), AudioUnitProcess(effect, &flags, &now, 1157, planes_of(2, 1157)->list));
  ANSWERS(OR(-50), AudioUnitProcess(effect, &flags, &now, 64, planes_of(1, 64)->list));
  ANSWERS(OR(-50), AudioUnitProcess(effect, &flags, &now, 64, planes_of(3, 64)->list));
  ANSWERS(OR(-50), AudioUnitProcess(effect, &flags, &now, 64, planes_of(2, 63)->list));
  planes_of(2, 64), planes->list->mBuffers[1].mData = NULL;
  ANSWERS(OR(-50), AudioUnitProcess(effect, &flags, &now, 64, planes->list));
  planes_of(2, 64);
  ANSWERS(OR(kAudioUnitErr_InvalidElement), AudioUnitProcessMultiple(effect, &flags, &now, 64, 2, inputs, 1, outputs));
  ANSWERS(OR(kAudioUnitErr_InvalidElement), AudioUnitProcessMultiple(effect, &flags, &now, 64, 1, inputs, 2, outputs));
  ANSWERS(OR(kAudioUnitErr_TooManyFramesToProcess), AudioUnitProcessMultiple(effect, &flags, &now, 1157, 1, inputs, 1, outputs));
  ANSWERS(OR(kAudioUnitErr_NoConnection), AudioUnitProcessMultiple(effect, &flags, &now, 64, 0, inputs, 1, outputs));
  inputs[0] = NULL;
  ANSWERS(OR(kAudioUnitErr_NoConnection), AudioUnitProcessMultiple(effect, &flags, &now, 64, 1, inputs, 1, outputs));
  inputs[0] = planes->list, outputs[0] = NULL;
  ANSWERS(state, AudioUnitProcessMultiple(effect, &flags, &now, 64, 1, inputs, 1, outputs));
  const Float64 times[] = {NAN, INFINITY, -INFINITY, 1e300, 9007199254740994.0, -9007199254740994.0};
  for (int at = 0; at < 6; ++at) {
    now.mSampleTime = times[at];
    ANSWERS(OR(-50), AudioUnitRender(effect, &flags, &now, 0, 64, planes_of(2, 64)->list));
    ANSWERS(OR(-50), AudioUnitProcess(effect, &flags, &now, 64, planes_of(2, 64)->list));
  }
  // Parameters and their places: scope, element, then the parameter.
  ANSWERS(-50, AudioUnitGetParameter(effect, 0, 0, 0, (Float32 *)nothing));
  ANSWERS(kAudioUnitErr_InvalidParameter, AudioUnitGetParameter(effect, 2, 0, 0, &value));
  ANSWERS(kAudioUnitErr_InvalidParameter, AudioUnitSetParameter(effect, 2, 0, 0, 1, 0));
  ANSWERS(kAudioUnitErr_InvalidParameter, AudioUnitSetParameter(effect, 0xFFFFFFFF, 0, 0, 1, 0));
  ANSWERS(kAudioUnitErr_InvalidScope, AudioUnitGetParameter(effect, 0, 99, 0, &value));
  ANSWERS(kAudioUnitErr_InvalidScope, AudioUnitSetParameter(effect, 0, 99, 0, 1, 0));
  ANSWERS(kAudioUnitErr_InvalidElement, AudioUnitGetParameter(effect, 0, 0, 1, &value));
  ANSWERS(kAudioUnitErr_InvalidElement, AudioUnitSetParameter(effect, 0, 0, 1, 1, 0));
  const Float32 odd[] = {NAN, INFINITY, -INFINITY};
  for (int at = 0; at < 3; ++at) {
    ANSWERS(kAudioUnitErr_InvalidParameterValue, AudioUnitSetParameter(effect, 0, 0, 0, odd[at], 0));
    AudioUnitParameterEvent event = {.scope = 0, .parameter = 0, .eventType = kParameterEvent_Immediate, .eventValues.immediate = {0, odd[at]}};
    ANSWERS(kAudioUnitErr_InvalidParameterValue, AudioUnitScheduleParameters(effect, &event, 1));
    event = (AudioUnitParameterEvent){.eventType = kParameterEvent_Ramped, .eventValues.ramp = {0, 64, odd[at], 1000}};
    ANSWERS(kAudioUnitErr_InvalidParameterValue, AudioUnitScheduleParameters(effect, &event, 1));
    event = (AudioUnitParameterEvent){.eventType = kParameterEvent_Ramped, .eventValues.ramp = {0, 64, 1000, odd[at]}};
    ANSWERS(kAudioUnitErr_InvalidParameterValue, AudioUnitScheduleParameters(effect, &event, 1));
  }
  AudioUnitParameterEvent event = {.parameter = 2, .eventType = kParameterEvent_Immediate, .eventValues.immediate = {0, 1}};
  ANSWERS(kAudioUnitErr_InvalidParameter, AudioUnitScheduleParameters(effect, &event, 1));
  event.parameter = 0, event.eventType = 0;
  ANSWERS(-50, AudioUnitScheduleParameters(effect, &event, 1));
  event.eventType = 3;
  ANSWERS(-50, AudioUnitScheduleParameters(effect, &event, 1));
  ANSWERS(-50, AudioUnitScheduleParameters(effect, (const AudioUnitParameterEvent *)nothing, 1));
  event.eventType = kParameterEvent_Immediate, event.scope = 99;
  ANSWERS(kAudioUnitErr_InvalidScope, AudioUnitScheduleParameters(effect, &event, 1));
  event.scope = 0, event.element = 1;
  ANSWERS(kAudioUnitErr_InvalidElement, AudioUnitScheduleParameters(effect, &event, 1));
  // Nothing of what was refused is there.
  ANSWERS(0, AudioUnitGetParameter(effect, 0, 0, 0, &value));
  HOLDS(value == 6900);
#undef OR
}

// Properties that are only read, that are locked while a unit is initialized, and values of a wrong size.
static void ask_properties(AudioUnit effect, int is_initialized) {
  const AudioStreamBasicDescription mono = planar(48000, 1);
  const OSStatus locked = is_initialized ? kAudioUnitErr_Initialized : noErr;
  unsigned char bytes[256] = {0};
  const AURenderCallbackStruct callback = {give_silence, NULL};
  const Float64 rate = 44100;
  UInt32 size = 0, one = 1;
  Boolean writable;
  static const UInt32 read_only[] = {3, 12, 20, 22, 61, 62};
  for (int at = 0; at < 6; ++at) ANSWERS(kAudioUnitErr_PropertyNotWritable, AudioUnitSetProperty(effect, read_only[at], 0, 0, bytes, 8));
  ANSWERS(kAudioUnitErr_PropertyNotWritable, AudioUnitSetProperty(effect, kAudioUnitProperty_ElementCount, 1, 0, &one, 4));
  static const UInt32 unknown[] = {5, 7, 9, 18, 31, 37, 39, 41, 45, 47, 49, 56, 57, 58, 60, 1999, 3006, 64998, 0xFFFFFFFF};
  for (size_t at = 0; at < sizeof unknown / sizeof unknown[0]; ++at) {
    ANSWERS(kAudioUnitErr_InvalidProperty, AudioUnitGetPropertyInfo(effect, unknown[at], 0, 0, &size, &writable));
    size = sizeof bytes;
    ANSWERS(kAudioUnitErr_InvalidProperty, AudioUnitGetProperty(effect, unknown[at], 0, 0, bytes, &size));
    HOLDS(size == 0);
    ANSWERS(kAudioUnitErr_InvalidProperty, AudioUnitSetProperty(effect, unknown[at], 0, 0, bytes, 8));
    ANSWERS(kAudioUnitErr_InvalidProperty, AudioUnitSetProperty(effect, unknown[at], 0, 0, NULL, 0));
  }
  // Only one of data and size, none and no room.
  ANSWERS(-50, AudioUnitSetProperty(effect, 21, 0, 0, NULL, 4));
  ANSWERS(-50, AudioUnitSetProperty(effect, 21, 0, 0, &one, 0));
  ANSWERS(-50, AudioUnitGetProperty(effect, 21, 0, 0, bytes, (UInt32 *)nothing));
  size = 0;
  ANSWERS(-50, AudioUnitGetProperty(effect, 21, 0, 0, bytes, &size));
  ANSWERS(-50, AudioUnitAddPropertyListener(effect, 8, (AudioUnitPropertyListenerProc)nothing, NULL));
  ANSWERS(-50, AudioUnitAddRenderNotify(effect, (AURenderCallback)nothing, NULL));
  ANSWERS(-50, AudioUnitRemoveRenderNotify(effect, (AURenderCallback)nothing, NULL));
  // Scope, then element.
  ANSWERS(kAudioUnitErr_InvalidScope, AudioUnitSetProperty(effect, 8, 3, 9, &mono, sizeof mono));
  ANSWERS(kAudioUnitErr_InvalidScope, AudioUnitSetProperty(effect, 8, 8, 0, &mono, sizeof mono));
  ANSWERS(kAudioUnitErr_InvalidElement, AudioUnitSetProperty(effect, 8, 1, 1, &mono, sizeof mono));
  ANSWERS(kAudioUnitErr_InvalidScope, AudioUnitSetProperty(effect, 21, 1, 0, &one, 4));
  ANSWERS(kAudioUnitErr_InvalidElement, AudioUnitSetProperty(effect, 21, 0, 1, &one, 4));
  ANSWERS(kAudioUnitErr_InvalidElement, AudioUnitSetProperty(effect, 23, 1, 1, &callback, sizeof callback));
  ANSWERS(kAudioUnitErr_InvalidScope, AudioUnitSetProperty(effect, 23, 2, 0, &callback, sizeof callback));
  ANSWERS(kAudioUnitErr_InvalidElement, AudioUnitSetProperty(effect, 30, 2, 1, &one, 8));
  // Sizes: a number has its own, a struct may have more behind it.
  static const struct {
    UInt32 id, scope, size;
    int takes_more;
  } sizes[] = {{14, 0, 4, 0}, {21, 0, 4, 0}, {29, 0, 4, 0}, {51, 1, 4, 0}, {51, 2, 4, 0}, {2, 1, 8, 0}, {2, 2, 8, 0}, {8, 1, 36, 1}, {8, 2, 36, 1}, {23, 1, 16, 1}, {1, 1, 16, 1}, {27, 0, 40, 1}, {36, 0, 16, 1}, {28, 0, 16, 1}, {0, 0, 8, 0}, {25, 0, 8, 0}, {54, 0, 8, 0}, {30, 1, 8, 0}, {15, 0, 16, 1}};
  for (size_t at = 0; at < sizeof sizes / sizeof sizes[0]; ++at) {
    char text[64];
    const OSStatus shorter = AudioUnitSetProperty(effect, sizes[at].id, sizes[at].scope, 0, bytes, sizes[at].size - 1);
    snprintf(text, sizeof text, "property %u with %u bytes", (unsigned)sizes[at].id, (unsigned)sizes[at].size - 1);
    judge(text, shorter, kAudioUnitErr_InvalidPropertyValue);
    if (sizes[at].takes_more) continue;
    const OSStatus longer = AudioUnitSetProperty(effect, sizes[at].id, sizes[at].scope, 0, bytes, sizes[at].size + 1);
    snprintf(text, sizeof text, "property %u with %u bytes", (unsigned)sizes[at].id, (unsigned)sizes[at].size + 1);
    judge(text, longer, kAudioUnitErr_InvalidPropertyValue);
  }
  // Properties that are locked while the unit is initialized.
  ANSWERS(locked, AudioUnitSetProperty(effect, 14, 0, 0, &(UInt32){1156}, 4));
  ANSWERS(locked, AudioUnitSetProperty(effect, 51, 1, 0, &one, 4));
  if (is_initialized) {
    ANSWERS(kAudioUnitErr_PropertyNotWritable, AudioUnitSetProperty(effect, 8, 1, 0, &mono, sizeof mono));
    ANSWERS(kAudioUnitErr_PropertyNotWritable, AudioUnitSetProperty(effect, 8, 2, 0, &mono, sizeof mono));
    ANSWERS(kAudioUnitErr_PropertyNotWritable, AudioUnitSetProperty(effect, 2, 1, 0, &(Float64){48000}, 8));
  } else {
    ANSWERS(kAudioUnitErr_InvalidPropertyValue, AudioUnitSetProperty(effect, 14, 0, 0, &(UInt32){0}, 4));
    AudioStreamBasicDescription odd = mono;
    odd.mFormatID = 'ulaw';
    ANSWERS(kAudioUnitErr_FormatNotSupported, AudioUnitSetProperty(effect, 8, 1, 0, &odd, sizeof odd));
    odd = planar(-1, 2);
    ANSWERS(kAudioUnitErr_FormatNotSupported, AudioUnitSetProperty(effect, 8, 1, 0, &odd, sizeof odd));
    odd = planar(48000, 0);
    ANSWERS(kAudioUnitErr_FormatNotSupported, AudioUnitSetProperty(effect, 8, 1, 0, &odd, sizeof odd));
    odd = planar(NAN, 2);
    ANSWERS(kAudioUnitErr_FormatNotSupported, AudioUnitSetProperty(effect, 8, 1, 0, &odd, sizeof odd));
    ANSWERS(0, AudioUnitSetProperty(effect, 2, 1, 0, &rate, 8));
  }
  // A preset that is not there, one without a name; a state that is none.
  ANSWERS(kAudioUnitErr_InvalidProperty, AudioUnitSetProperty(effect, 36, 0, 0, &(AUPreset){0, NULL}, sizeof(AUPreset)));
  ANSWERS(kAudioUnitErr_InvalidPropertyValue, AudioUnitSetProperty(effect, 36, 0, 0, &(AUPreset){-1, NULL}, sizeof(AUPreset)));
  ANSWERS(kAudioUnitErr_InvalidPropertyValue, AudioUnitSetProperty(effect, 0, 0, 0, &(void *){NULL}, 8));
  CFStringRef text = text_of("no state");
  ANSWERS(kAudioUnitErr_InvalidPropertyValue, AudioUnitSetProperty(effect, 0, 0, 0, &text, 8));
  CFRelease(text);
}

void wrong_units(void) {
  wrong_handles();
  AudioUnit effect = unit_of("aufx", "lpas");
  ask_effect(effect, 0), ask_properties(effect, 0);
  ANSWERS(-4, AudioOutputUnitStart(effect));
  ANSWERS(-4, AudioOutputUnitStop(effect));
  ANSWERS(0, AudioUnitUninitialize(effect));
  ANSWERS(0, AudioUnitReset(effect, 0, 0));
  need(AudioUnitInitialize(effect), "initialize");
  ANSWERS(0, AudioUnitInitialize(effect));
  ask_effect(effect, 1), ask_properties(effect, 1);
  ANSWERS(-4, AudioOutputUnitStart(effect));
  ANSWERS(0, AudioUnitUninitialize(effect));
  ask_effect(effect, 0);
  NoteInstanceID note;
  const MusicDeviceNoteParams params = {2, 60, 100, {{0, 0}}};
  ANSWERS(-4, MusicDeviceMIDIEvent(effect, 0x90, 60, 100, 0));
  ANSWERS(-4, MusicDeviceSysEx(effect, (const UInt8 *)"\xF0\xF7", 2));
  ANSWERS(-4, MusicDeviceMIDIEventList(effect, 0, &words));
  ANSWERS(-4, MusicDeviceStartNote(effect, 0, 0, &note, 0, &params));
  ANSWERS(-4, MusicDeviceStopNote(effect, 0, 1, 0));
  ANSWERS(-4, MusicDevicePrepareInstrument(effect, 0));
  ANSWERS(-4, MusicDeviceReleaseInstrument(effect, 0));
  ANSWERS(0, AudioComponentInstanceDispose(effect));
  ANSWERS(-50, AudioComponentInstanceDispose(effect));
  say_judged("an effect");

  // At most 512 changes wait for a slice: all of a call, or none.
  static AudioUnitParameterEvent many[513];
  for (int at = 0; at < 513; ++at) many[at] = (AudioUnitParameterEvent){.eventType = kParameterEvent_Immediate, .eventValues.immediate = {0, 1000}};
  effect = unit_of("aufx", "lpas");
  need(AudioUnitInitialize(effect), "initialize");
  ANSWERS(0, AudioUnitScheduleParameters(effect, many, 0));
  ANSWERS(kAudio_MemFullError, AudioUnitScheduleParameters(effect, many, 513));
  ANSWERS(0, AudioUnitScheduleParameters(effect, many, 512));
  ANSWERS(kAudio_MemFullError, AudioUnitScheduleParameters(effect, many, 1));
  AudioComponentInstanceDispose(effect);

  // Selectors of AudioComponentInstanceCanDo, by kind of unit: an effect, one that does not work in place, a mixer, a generator, outputs.
  static const struct {
    const char *type, *subtype;
    int processes, processes_many, starts;
  } kinds[] = {{"aufx", "lpas", 1, 1, 0}, {"aufx", "rvb2", 0, 1, 0}, {"aumx", "mcmx", 0, 1, 0}, {"aufc", "conv", 0, 1, 0}, {"augn", "sspl", 0, 0, 0}, {"augn", "afpl", 0, 0, 0}, {"auou", "genr", 0, 0, 1}, {"auou", "rioc", 0, 0, 1}, {"auou", "def ", 0, 0, 1}, {"auou", "vpio", 0, 0, 1}, {"auol", "norm", 0, 0, 0}};
  for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; ++kind) {
    AudioComponentDescription wanted = {four(kinds[kind].type), four(kinds[kind].subtype), 0, 0, 0};
    AudioUnit one;
    need(AudioComponentInstanceNew(AudioComponentFindNext(NULL, &wanted), &one), "new");
    for (SInt16 selector = 0; selector < 0x20; ++selector) {
      const int is_there = (selector >= 1 && selector <= 7) || (selector >= 9 && selector <= 11) || (selector >= 14 && selector <= 18) || (selector == 20 && kinds[kind].processes) || (selector == 21 && kinds[kind].processes_many);
      HOLDS(AudioComponentInstanceCanDo(one, selector) == is_there);
    }
    HOLDS(AudioComponentInstanceCanDo(one, 0x201) == kinds[kind].starts), HOLDS(AudioComponentInstanceCanDo(one, 0x202) == kinds[kind].starts);
    HOLDS(!AudioComponentInstanceCanDo(one, 0x200) && !AudioComponentInstanceCanDo(one, 0x203) && !AudioComponentInstanceCanDo(one, -1));
    AudioUnitRenderActionFlags flags = 0;
    const AudioTimeStamp now = at_frame(0);
    const AudioBufferList *inputs[] = {planes_of(2, 64)->list};
    AudioBufferList *outputs[] = {planes_of(2, 64)->list};
    ANSWERS(kinds[kind].processes ? kAudioUnitErr_Uninitialized : -4, AudioUnitProcess(one, &flags, &now, 64, outputs[0]));
    ANSWERS(kinds[kind].processes_many ? kAudioUnitErr_Uninitialized : -4, AudioUnitProcessMultiple(one, &flags, &now, 64, 1, inputs, 1, outputs));
    ANSWERS(kinds[kind].starts ? kAudioUnitErr_Uninitialized : -4, AudioOutputUnitStart(one));
    ANSWERS(kinds[kind].starts ? 0 : -4, AudioOutputUnitStop(one));
    ANSWERS(0, AudioComponentInstanceDispose(one));
  }
  say_judged("kinds of units");
}
