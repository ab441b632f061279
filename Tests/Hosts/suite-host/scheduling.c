// Parameters that are set and scheduled: at once, within a slice, along lines, out of order, too many, wrong ones.
#include "host.h"

static OSStatus give(void *refcon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames, AudioBufferList *data) {
  (void)refcon, (void)flags, (void)frames;
  for (UInt32 buffer = 0; buffer < data->mNumberBuffers; ++buffer) {
    Float32 *samples = data->mBuffers[buffer].mData;
    for (UInt32 at = 0; at < data->mBuffers[buffer].mDataByteSize / 4; ++at) {
      samples[at] = (Float32)(SInt16)noise((UInt32)time->mSampleTime + at + buffer * 1000003 + bus * 7) / 32768;
    }
  }
  return noErr;
}

static Float64 now;

static void play(AudioUnit unit, UInt32 frames, UInt32 parameter, UInt32 scope) {
  Planes *room = planes_of(2, frames);
  AudioTimeStamp stamp = {0};
  stamp.mSampleTime = now;
  stamp.mFlags = kAudioTimeStampSampleTimeValid;
  AudioUnitRenderActionFlags flags = 0;
  OSStatus status = AudioUnitRender(unit, &flags, &stamp, 0, frames, room->list);
  now += frames;
  Float32 value = NAN;
  AudioUnitGetParameter(unit, parameter, scope, 0, &value);
  Digest sound = 0;
  for (UInt32 channel = 0; channel < 2; ++channel) sound = digest(sound, room->samples[channel], frames * 4);
  printf("  %u frames %s %016llx is %.9g", (unsigned)frames, status_text(status), sound, value);
  for (UInt32 frame = 0; frame < frames; frame += 57) printf(" %.5g", room->samples[0][frame]);
  printf("\n");
}

static AudioUnitParameterEvent at_once(UInt32 scope, UInt32 parameter, UInt32 offset, Float32 value) {
  AudioUnitParameterEvent event = {0};
  event.scope = scope;
  event.parameter = parameter;
  event.eventType = kParameterEvent_Immediate;
  event.eventValues.immediate.bufferOffset = offset;
  event.eventValues.immediate.value = value;
  return event;
}

static AudioUnitParameterEvent line(UInt32 scope, UInt32 parameter, SInt32 offset, UInt32 frames, Float32 from, Float32 to) {
  AudioUnitParameterEvent event = {0};
  event.scope = scope;
  event.parameter = parameter;
  event.eventType = kParameterEvent_Ramped;
  event.eventValues.ramp.startBufferOffset = offset;
  event.eventValues.ramp.durationInFrames = frames;
  event.eventValues.ramp.startValue = from;
  event.eventValues.ramp.endValue = to;
  return event;
}

static void schedule(AudioUnit unit, const AudioUnitParameterEvent *events, UInt32 count) {
  printf("  schedule %u: %s\n", (unsigned)count, status_text(AudioUnitScheduleParameters(unit, events, count)));
}

static void one(const char *type, const char *subtype, UInt32 parameter, UInt32 scope, Float32 low, Float32 high) {
  printf("%s %s parameter %u\n", type, subtype, (unsigned)parameter);
  AudioUnit unit = unit_of(type, subtype);
  AURenderCallbackStruct callback = {give, NULL};
  now = 0;
  need(AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback, sizeof callback), "callback");
  AudioUnitParameterEvent early = at_once(scope, parameter, 3, high);
  schedule(unit, &early, 1);
  static AudioUnitParameterEvent repeated[600];
  for (UInt32 index = 0; index < 600; ++index) repeated[index] = early;
  schedule(unit, repeated, 600);
  Float32 value = NAN;
  OSStatus status = AudioUnitGetParameter(unit, parameter, scope, 0, &value);
  printf("  before it is initialized %s %.9g\n", status_text(status), value);
  need(AudioUnitInitialize(unit), "initialize");
  play(unit, 100, parameter, scope);
  AudioUnitParameterEvent events[8] = {at_once(scope, parameter, 10, low), at_once(scope, parameter, 70, high)};
  schedule(unit, events, 2);
  play(unit, 100, parameter, scope);
  play(unit, 100, parameter, scope);
  events[0] = at_once(scope, parameter, 70, low), events[1] = at_once(scope, parameter, 10, high), events[2] = at_once(scope, parameter, 70, (low + high) / 2);
  schedule(unit, events, 3);
  play(unit, 100, parameter, scope);
  printf("  behind the slice\n");
  events[0] = at_once(scope, parameter, 150, low);
  schedule(unit, events, 1);
  play(unit, 100, parameter, scope);
  play(unit, 100, parameter, scope);
  printf("  lines\n");
  events[0] = line(scope, parameter, 20, 60, low, high);
  schedule(unit, events, 1);
  play(unit, 100, parameter, scope);
  events[0] = line(scope, parameter, 0, 250, high, low);
  schedule(unit, events, 1);
  play(unit, 100, parameter, scope);
  events[0] = line(scope, parameter, -100, 250, high, low);
  schedule(unit, events, 1);
  play(unit, 100, parameter, scope);
  events[0] = line(scope, parameter, -200, 250, high, low);
  schedule(unit, events, 1);
  play(unit, 100, parameter, scope);
  play(unit, 100, parameter, scope);
  events[0] = line(scope, parameter, 10, 30, low, high), events[1] = at_once(scope, parameter, 25, low), events[2] = line(scope, parameter, 50, 40, high, low);
  schedule(unit, events, 3);
  play(unit, 100, parameter, scope);
  events[0] = line(scope, parameter, 10, 0, low, high);
  schedule(unit, events, 1);
  play(unit, 100, parameter, scope);
  printf("  set in front of what is scheduled, and behind\n");
  printf("  %s", status_text(AudioUnitSetParameter(unit, parameter, scope, 0, low, 40)));
  events[0] = at_once(scope, parameter, 20, high);
  schedule(unit, events, 1);
  play(unit, 100, parameter, scope);
  schedule(unit, events, 1);
  printf("  %s", status_text(AudioUnitSetParameter(unit, parameter, scope, 0, low, 0)));
  play(unit, 100, parameter, scope);
  printf("  dropped by a reset\n");
  schedule(unit, events, 1);
  AudioUnitReset(unit, 0, 0);
  play(unit, 100, parameter, scope);
  printf("  wrong ones\n");
  events[0] = at_once(scope, 4711, 0, low);
  schedule(unit, events, 1);
  events[0] = at_once(9, parameter, 0, low);
  schedule(unit, events, 1);
  events[0] = at_once(scope, parameter, 0, NAN);
  schedule(unit, events, 1);
  events[0].eventType = 7;
  schedule(unit, events, 1);
  events[0] = line(scope, parameter, 10, 0xFFFFFFFF, low, NAN);
  schedule(unit, events, 1);
  play(unit, 100, parameter, scope);
  printf("  many\n");
  static AudioUnitParameterEvent many[3000];
  for (UInt32 index = 0; index < 3000; ++index) many[index] = at_once(scope, parameter, index % 100, low + (high - low) * (Float32)(noise(index) % 100) / 100);
  static const UInt32 counts[] = {100, 511, 512, 513, 1024, 3000};
  for (size_t index = 0; index < sizeof counts / sizeof counts[0]; ++index) {
    schedule(unit, many, counts[index]);
    play(unit, 100, parameter, scope);
    play(unit, 100, parameter, scope);
  }
  printf("  many at once\n");
  for (UInt32 index = 0; index < 3000; ++index) many[index].eventValues.immediate.bufferOffset = 0;
  for (size_t index = 0; index < sizeof counts / sizeof counts[0]; ++index) {
    schedule(unit, many, counts[index]);
    play(unit, 100, parameter, scope);
  }
  need(AudioComponentInstanceDispose(unit), "dispose");
}

// Two parameters at once: one moves along a line while the other steps, and the other way round.
static void both(const char *type, const char *subtype, UInt32 scope, UInt32 first, Float32 from, Float32 to, UInt32 second, Float32 low, Float32 high) {
  printf("%s %s parameters %u and %u\n", type, subtype, (unsigned)first, (unsigned)second);
  AudioUnit unit = unit_of(type, subtype);
  AURenderCallbackStruct callback = {give, NULL};
  now = 0;
  need(AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback, sizeof callback), "callback");
  need(AudioUnitInitialize(unit), "initialize");
  for (int round = 0; round < 12; ++round) {
    AudioUnitParameterEvent events[6] = {line(scope, first, 5 + round, 170, from, to), at_once(scope, second, 37 + (UInt32)round, high),
                                         at_once(scope, second, 70, low), line(scope, second, 80, 15, low, high), at_once(scope, second, 97, low)};
    schedule(unit, events, 5);
    play(unit, 100, first, scope);
    events[0] = line(scope, first, -95 + round, 170, from, to);
    if (round % 3 == 0) schedule(unit, events, 2);
    if (round % 3 == 1) AudioUnitSetParameter(unit, second, scope, 0, high, 0);
    play(unit, (UInt32)(31 + round), second, scope);
    if (round == 7) AudioUnitReset(unit, 0, 0);
  }
  need(AudioComponentInstanceDispose(unit), "dispose");
}

void scheduling(void) {
  both("aufx", "lpas", kAudioUnitScope_Global, kLowPassParam_CutoffFrequency, 300, 12000, kLowPassParam_Resonance, -10, 20);
  both("aufx", "pmeq", kAudioUnitScope_Global, kParametricEQParam_CenterFreq, 300, 12000, kParametricEQParam_Gain, -10, 15);
  both("aufx", "nbeq", kAudioUnitScope_Global, 3000, 300, 12000, 4000, -10, 15);
  both("aumx", "mcmx", kAudioUnitScope_Input, kMultiChannelMixerParam_Volume, 0, 2, kMultiChannelMixerParam_Pan, -1, 1);
  both("aumx", "mcmx", kAudioUnitScope_Input, kMultiChannelMixerParam_Pan, -1, 1, kMultiChannelMixerParam_Volume, 0, 1);
  both("aumx", "mcmx", kAudioUnitScope_Input, kMultiChannelMixerParam_Volume, 0, 2, kMultiChannelMixerParam_Enable, 0, 1);
  one("aumx", "mcmx", kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, 0.25f, 0.75f);
  one("aumx", "mcmx", kMultiChannelMixerParam_Pan, kAudioUnitScope_Input, -1, 0.5f);
  one("aumx", "mcmx", kMultiChannelMixerParam_Enable, kAudioUnitScope_Input, 0, 1);
  one("aumx", "mcmx", kMultiChannelMixerParam_Volume, kAudioUnitScope_Output, 0.25f, 0.75f);
  one("aufx", "lpas", kLowPassParam_CutoffFrequency, kAudioUnitScope_Global, 500, 9000);
  one("aufx", "nbeq", 4000, kAudioUnitScope_Global, -12, 12);
  one("aufx", "bpas", 1, kAudioUnitScope_Global, 100, 2000);
}
