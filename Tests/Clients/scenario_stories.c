// A telephone app's sequence of calls, under scenarios of the simulated hardware: each argument is a story of what
// devices do to it. The clock moves only when told, so that every line is the same on each run.
#include "client.h"

#include <aubench/DeviceScenario.h>
#include <math.h>

static AudioUnit unit;
static UInt32 slices[64], sliceCount, playedSlices[64], playedCount;
static UInt64 recordedFrames, codecFrames;
static UInt32 pending;  // of a codec's frame of 160 samples
static int writesOutput = 1;
static OSStatus renderStatus;
static double energy;

static OSStatus record(void *context, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
                       UInt32 frames, AudioBufferList *data) {
  (void)context, (void)data;
  static SInt16 samples[8192];
  AudioBufferList list = {1, {{1, frames * 2, samples}}};
  OSStatus status = AudioUnitRender(unit, flags, time, bus, frames, &list);
  if (status != noErr) { renderStatus = status; }
  if (sliceCount < 64) { slices[sliceCount++] = frames; }
  recordedFrames += frames;
  for (UInt32 frame = 0; frame < frames; ++frame) {
    energy += (double)samples[frame] * samples[frame];
    if (++pending == 160) {
      ++codecFrames;
      pending = 0;
    }
  }
  return noErr;
}

static OSStatus play(void *context, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
                     UInt32 frames, AudioBufferList *data) {
  (void)context, (void)flags, (void)time, (void)bus;
  if (playedCount < 64) { playedSlices[playedCount++] = frames; }
  if (!writesOutput) { return noErr; }
  SInt16 *samples = (SInt16 *)data->mBuffers[0].mData;
  for (UInt32 frame = 0; frame < frames; ++frame) { samples[frame] = (SInt16)(frame % 64 * 256 - 8192); }
  return noErr;
}

// The microphone, pulled from the callback that asks for output.
static OSStatus through(void *context, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
                        UInt32 frames, AudioBufferList *data) {
  (void)context, (void)bus;
  if (playedCount < 64) { playedSlices[playedCount++] = frames; }
  OSStatus status = AudioUnitRender(unit, flags, time, 1, frames, data);
  if (status != noErr) { renderStatus = status; }
  return status;
}

static const char *routeName(void) {
  CFStringRef route = NULL;
  UInt32 size = sizeof(route);
  static char text[64];
  if (AudioSessionGetProperty(kAudioSessionProperty_AudioRoute, &size, &route) != noErr || route == NULL) { return "?"; }
  CFStringGetCString(route, text, sizeof(text), kCFStringEncodingUTF8);
  CFRelease(route);
  return text;
}

static UInt32 isRunning(AudioUnit of) {
  UInt32 running = 9, size = sizeof(running);
  AudioUnitGetProperty(of, kAudioOutputUnitProperty_IsRunning, kAudioUnitScope_Global, 0, &running, &size);
  return running;
}

static void interrupted(void *context, UInt32 state) {
  (void)context;
  if (state == kAudioSessionBeginInterruption) {
    printf("interrupted at %.3f s, running %u\n", AUBenchDeviceGetSeconds(), (unsigned)isRunning(unit));
    REPORT("activate during it", AudioSessionSetActive(1));
    REPORT("start during it", AudioOutputUnitStart(unit));
  } else {
    UInt32 type = 0, size = sizeof(type);
    AudioSessionGetProperty(kAudioSessionProperty_InterruptionType, &size, &type);
    printf("ended at %.3f s, type %s\n", AUBenchDeviceGetSeconds(), code(type));
    REPORT("activate", AudioSessionSetActive(1));
    REPORT("start", AudioOutputUnitStart(unit));
  }
}

static void routeChanged(void *context, AudioSessionPropertyID id, UInt32 size, const void *data) {
  (void)context, (void)id, (void)size, (void)data;
  printf("route at %.3f s: %s\n", AUBenchDeviceGetSeconds(), routeName());
}

static AudioStreamBasicDescription pcm16(Float64 rate) {
  AudioStreamBasicDescription format = {0};
  format.mSampleRate = rate;
  format.mFormatID = kAudioFormatLinearPCM;
  format.mFormatFlags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked;
  format.mFramesPerPacket = 1;
  format.mChannelsPerFrame = 1;
  format.mBitsPerChannel = 16;
  format.mBytesPerPacket = 2;
  format.mBytesPerFrame = 2;
  return format;
}

static void session(void) {
  REPORT("session", AudioSessionInitialize(NULL, NULL, interrupted, NULL));
  UInt32 category = kAudioSessionCategory_PlayAndRecord;
  REPORT("category", AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, sizeof(category), &category));
  AudioSessionAddPropertyListener(kAudioSessionProperty_AudioRouteChange, routeChanged, NULL);
  REPORT("active", AudioSessionSetActive(1));
}

static AudioUnit make(UInt32 subType) {
  AudioComponentDescription description = {kAudioUnitType_Output, subType, kAudioUnitManufacturer_Apple, 0, 0};
  AudioUnit made = NULL;
  checkStatus(AudioComponentInstanceNew(AudioComponentFindNext(NULL, &description), &made));
  return made;
}

static AURenderCallback player = play;

static void openAs(UInt32 subType, Float64 rate) {
  unit = make(subType);
  UInt32 one = 1;
  checkStatus(AudioUnitSetProperty(unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, &one, sizeof(one)));
  AudioStreamBasicDescription format = pcm16(rate);
  checkStatus(
      AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 1, &format, sizeof(format)));
  checkStatus(
      AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format, sizeof(format)));
  AURenderCallbackStruct callback = {record, NULL};
  checkStatus(AudioUnitSetProperty(unit, kAudioOutputUnitProperty_SetInputCallback, kAudioUnitScope_Global, 1, &callback,
                                   sizeof(callback)));
  callback.inputProc = player;
  checkStatus(AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback,
                                   sizeof(callback)));
  REPORT("initialize", AudioUnitInitialize(unit));
}

static void openUnit(Float64 rate) { openAs(kAudioUnitSubType_RemoteIO, rate); }

static void printSlices(const char *name, const UInt32 *list, UInt32 count) {
  printf("%s", name);
  for (UInt32 index = 0; index < count; ++index) { printf(" %u", (unsigned)list[index]); }
  printf("\n");
}

static void closeUnit(void) {
  REPORT("stop", AudioOutputUnitStop(unit));
  REPORT("dispose", AudioComponentInstanceDispose(unit));
}

// A codec wants 160 samples at 8 kHz; the device gives what it gives.
static void codec(void) {
  session();
  openUnit(8000);
  REPORT("start", AudioOutputUnitStart(unit));
  REPORT("advance", AUBenchDeviceAdvance(10));
  printSlices("recorded in", slices, 12);
  printf("recorded %llu frames, %llu of the codec, status %d, sound %d\n", (unsigned long long)recordedFrames,
         (unsigned long long)codecFrames, (int)renderStatus, energy > 0);
  closeUnit();
}

// The input is played again: an effect without a graph.
static void passThrough(Float64 rate) {
  player = through;
  openUnit(rate);
  AURenderCallbackStruct none = {NULL, NULL};
  AudioUnitSetProperty(unit, kAudioOutputUnitProperty_SetInputCallback, kAudioUnitScope_Global, 1, &none, sizeof(none));
  AudioOutputUnitStart(unit);
  AUBenchDeviceAdvance(2);
  printf("status %d\n", (int)renderStatus);
  printSlices("played", playedSlices, 8);
  closeUnit();
}

static void passThrough44100(void) { passThrough(44100); }
static void passThrough8000(void) { passThrough(8000); }

// The callback stops writing, and leaves what is in the buffer.
static void saw(void) {
  openUnit(44100);
  AudioOutputUnitStart(unit);
  AUBenchDeviceAdvance(0.5);
  writesOutput = 0;
  AUBenchDeviceAdvance(0.5);
  closeUnit();
}

// The level of the microphone since the last call, dBFS; far below for silence.
static double heardLevel(void) {
  static UInt64 before;
  double frames = (double)(recordedFrames - before);
  double level = frames > 0 ? 10 * log10(energy / frames / 32768 / 32768 + 1e-15) : -150;
  before = recordedFrames;
  energy = 0;
  return level;
}

// The speaker is switched on, and the voice processor hears nothing, or noise; Remote I/O in its place hears.
static void speaker(void) {
  session();
  writesOutput = 0;
  openAs(kAudioUnitSubType_VoiceProcessingIO, 16000);
  UInt32 off = 0;
  AudioUnitSetProperty(unit, kAUVoiceIOProperty_VoiceProcessingEnableAGC, kAudioUnitScope_Global, 1, &off, sizeof(off));
  REPORT("start", AudioOutputUnitStart(unit));
  AUBenchDeviceAdvance(1);
  heardLevel();
  AUBenchDeviceAdvance(1);
  printf("receiver %.0f\n", heardLevel());
  UInt32 override = kAudioSessionOverrideAudioRoute_Speaker;
  REPORT("override", AudioSessionSetProperty(kAudioSessionProperty_OverrideAudioRoute, sizeof(override), &override));
  AUBenchDeviceAdvance(0.1);
  heardLevel();
  AUBenchDeviceAdvance(1);
  printf("speaker %.0f\n", heardLevel());
  closeUnit();
  openUnit(16000);
  AudioOutputUnitStart(unit);
  AUBenchDeviceAdvance(1);
  printf("Remote I/O %.0f\n", heardLevel());
  closeUnit();
}

// A unit is disposed of with a format that is not a new one's: what plays next is quiet and rough, until a unit has its
// formats restored first.
static void unrestored(void) {
  for (int turn = 0; turn < 3; ++turn) {
    openUnit(44100);
    AudioOutputUnitStart(unit);
    AUBenchDeviceAdvance(0.1);
    AudioOutputUnitStop(unit);
    AudioUnitUninitialize(unit);
    if (turn == 1) {
      AudioUnit fresh = make(kAudioUnitSubType_RemoteIO);
      const AudioUnitScope scopes[] = {kAudioUnitScope_Output, kAudioUnitScope_Input};
      const AudioUnitElement elements[] = {1, 0};
      for (int side = 0; side < 2; ++side) {
        AudioStreamBasicDescription format;
        UInt32 size = sizeof(format);
        AudioUnitGetProperty(fresh, kAudioUnitProperty_StreamFormat, scopes[side], elements[side], &format, &size);
        REPORT("restore",
               AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, scopes[side], elements[side], &format, size));
      }
      AudioComponentInstanceDispose(fresh);
    }
    REPORT("dispose", AudioComponentInstanceDispose(unit));
  }
}

// A callback that takes long, and a phone call that comes meanwhile: the callback ends, and then the unit stops.
static int insideCallback, longCallbacks;

static OSStatus playSlowly(void *context, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
                           UInt32 frames, AudioBufferList *data) {
  insideCallback = 1;
  if (++longCallbacks == 20) { AUBenchDeviceSpend(0.1); }
  OSStatus status = play(context, flags, time, bus, frames, data);
  insideCallback = 0;
  return status;
}

static void interruptedMeanwhile(void *context, UInt32 state) {
  (void)context;
  printf("%s after %d callbacks, inside one %d, running %u\n",
         state == kAudioSessionBeginInterruption ? "interrupted" : "ended", longCallbacks, insideCallback,
         (unsigned)isRunning(unit));
}

static void during(void) {
  player = playSlowly;
  REPORT("session", AudioSessionInitialize(NULL, NULL, interruptedMeanwhile, NULL));
  AudioSessionSetActive(1);
  openUnit(44100);
  AudioOutputUnitStart(unit);
  AUBenchDeviceAdvance(1);
  REPORT("stop", AudioOutputUnitStop(unit));
  REPORT("uninitialize", AudioUnitUninitialize(unit));
  REPORT("dispose", AudioComponentInstanceDispose(unit));
}

// The design patterns: the I/O unit's input straight to its output, with an effect between, a mixer of sounds of the
// app's own, and a callback that generates.
static AUGraph graph;
static AUNode io;

static AUNode add(OSType type, OSType subType) {
  AudioComponentDescription description = {type, subType, kAudioUnitManufacturer_Apple, 0, 0};
  AUNode node = 0;
  checkStatus(AUGraphAddNode(graph, &description, &node));
  return node;
}

static AudioUnit unitOf(AUNode node) {
  AudioUnit of = NULL;
  checkStatus(AUGraphNodeInfo(graph, node, NULL, &of));
  return of;
}

static void beginGraph(int hears) {
  checkStatus(NewAUGraph(&graph));
  io = add(kAudioUnitType_Output, kAudioUnitSubType_RemoteIO);
  checkStatus(AUGraphOpen(graph));
  UInt32 one = 1;
  if (hears) {
    checkStatus(AudioUnitSetProperty(unitOf(io), kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, &one,
                                     sizeof(one)));
  }
}

static void runGraph(void) {
  REPORT("initialize", AUGraphInitialize(graph));
  REPORT("start", AUGraphStart(graph));
  AUBenchDeviceAdvance(1);
  REPORT("stop", AUGraphStop(graph));
  REPORT("dispose", DisposeAUGraph(graph));
}

static void patternThrough(void) {
  beginGraph(1);
  REPORT("connect", AUGraphConnectNodeInput(graph, io, 1, io, 0));
  runGraph();
}

static void patternEffect(void) {
  beginGraph(1);
  AUNode filter = add(kAudioUnitType_Effect, kAudioUnitSubType_LowPassFilter);
  AudioUnitSetParameter(unitOf(filter), kLowPassParam_CutoffFrequency, kAudioUnitScope_Global, 0, 200, 0);
  // The filter takes what the microphone gives by itself: the conversion to it is the I/O unit's.
  AudioStreamBasicDescription format;
  UInt32 size = sizeof(format);
  checkStatus(AudioUnitGetProperty(unitOf(io), kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 1, &format, &size));
  checkStatus(AudioUnitSetProperty(unitOf(filter), kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format, size));
  checkStatus(AudioUnitSetProperty(unitOf(filter), kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, &format, size));
  REPORT("connect", AUGraphConnectNodeInput(graph, io, 1, filter, 0));
  REPORT("connect", AUGraphConnectNodeInput(graph, filter, 0, io, 0));
  runGraph();
}

static void patternMixer(void) {
  beginGraph(1);
  AUNode mixer = add(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer);
  UInt32 two = 2;
  AudioStreamBasicDescription format = pcm16(44100);
  AudioUnitSetProperty(unitOf(mixer), kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, &two, sizeof(two));
  AudioUnitSetProperty(unitOf(mixer), kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 1, &format, sizeof(format));
  AURenderCallbackStruct callback = {play, NULL};
  REPORT("connect", AUGraphConnectNodeInput(graph, io, 1, mixer, 0));
  REPORT("callback", AUGraphSetNodeInputCallback(graph, mixer, 1, &callback));
  REPORT("connect", AUGraphConnectNodeInput(graph, mixer, 0, io, 0));
  runGraph();
}

static void patternGenerate(void) {
  beginGraph(0);
  AudioStreamBasicDescription format = pcm16(44100);
  AudioUnitSetProperty(unitOf(io), kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format, sizeof(format));
  AURenderCallbackStruct callback = {play, NULL};
  REPORT("callback", AUGraphSetNodeInputCallback(graph, io, 0, &callback));
  runGraph();
}

static void interruption(void) {
  session();
  openUnit(44100);
  REPORT("start", AudioOutputUnitStart(unit));
  AUBenchDeviceAdvance(1);
  UInt64 before = recordedFrames;
  AUBenchDeviceAdvance(1);
  printf("recorded %llu and %llu frames, running %u\n", (unsigned long long)before,
         (unsigned long long)(recordedFrames - before), (unsigned)isRunning(unit));
  closeUnit();
}

// Headphones come; the app stops while the route still changes.
static void route(void) {
  session();
  printf("route %s\n", routeName());
  openUnit(44100);
  REPORT("start", AudioOutputUnitStart(unit));
  AUBenchDeviceAdvance(1);
  printf("recorded %llu frames, rate %g\n", (unsigned long long)recordedFrames, ({
           AudioStreamBasicDescription format;
           UInt32 size = sizeof(format);
           AudioUnitGetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 1, &format, &size);
           format.mSampleRate;
         }));
  printSlices("recorded in", slices + sliceCount - 4, 4);
  AUBenchDeviceAdvance(1.05);
  UInt64 before = recordedFrames;
  REPORT("stop while it changes", AudioOutputUnitStop(unit));
  printf("stopped at %.3f s\n", AUBenchDeviceGetSeconds());
  AUBenchDeviceAdvance(1);
  printf("recorded afterwards %llu\n", (unsigned long long)(recordedFrames - before));
  closeUnit();
}

// Units that were not disposed of.
static void undisposed(void) {
  AudioUnit first = make(kAudioUnitSubType_VoiceProcessingIO);
  REPORT("first", AudioUnitInitialize(first));
  REPORT("uninitialize", AudioUnitUninitialize(first));
  AudioUnit second = make(kAudioUnitSubType_VoiceProcessingIO);
  REPORT("second", AudioUnitInitialize(second));
  openUnit(44100);
  AudioOutputUnitStart(unit);
  AUBenchDeviceAdvance(0.1);
  REPORT("dispose of the first", AudioComponentInstanceDispose(first));
  AUBenchDeviceAdvance(0.1);
  REPORT("second again", AudioUnitInitialize(second));
  AudioComponentInstanceDispose(second);
  closeUnit();
}

static void refused(void) {
  AudioUnit made = make(kAudioUnitSubType_RemoteIO);
  AudioStreamBasicDescription format = pcm16(44100);
  REPORT("16 bit, mono",
         AudioUnitSetProperty(made, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format, sizeof(format)));
  format.mFormatFlags = kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked;
  format.mBitsPerChannel = 32;
  format.mBytesPerFrame = format.mBytesPerPacket = 4;
  REPORT("float",
         AudioUnitSetProperty(made, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format, sizeof(format)));
  format = pcm16(16000);
  REPORT("16 kHz",
         AudioUnitSetProperty(made, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 1, &format, sizeof(format)));
  session();
  UInt32 available = 9, size = sizeof(available);
  REPORT("available", AudioSessionGetProperty(kAudioSessionProperty_AudioInputAvailable, &size, &available));
  printf("input %u\n", (unsigned)available);
  UInt32 has = 9;
  AudioUnitGetProperty(made, kAudioOutputUnitProperty_HasIO, kAudioUnitScope_Input, 1, &has, &size);
  UInt32 one = 1;
  AudioUnitSetProperty(made, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, &one, sizeof(one));
  printf("has input %u, initialize %d\n", (unsigned)has, (int)AudioUnitInitialize(made));
  AudioComponentInstanceDispose(made);
}

// The preferences of the session: answered approximately.
static void preferences(void) {
  session();
  Float64 rate = 12000;
  REPORT("rate", AudioSessionSetProperty(kAudioSessionProperty_PreferredHardwareSampleRate, sizeof(rate), &rate));
  Float32 seconds = 0.02f;
  REPORT("buffer",
         AudioSessionSetProperty(kAudioSessionProperty_PreferredHardwareIOBufferDuration, sizeof(seconds), &seconds));
  UInt32 size = sizeof(rate);
  AudioSessionGetProperty(kAudioSessionProperty_CurrentHardwareSampleRate, &size, &rate);
  size = sizeof(seconds);
  AudioSessionGetProperty(kAudioSessionProperty_CurrentHardwareIOBufferDuration, &size, &seconds);
  printf("rate %g, buffer %.4f\n", rate, seconds);
  UInt32 other = 9;
  size = sizeof(other);
  AudioSessionGetProperty(kAudioSessionProperty_OtherAudioIsPlaying, &size, &other);
  printf("other audio while active %u\n", (unsigned)other);
  AudioSessionSetActive(0);
  AudioSessionGetProperty(kAudioSessionProperty_OtherAudioIsPlaying, &size, &other);
  printf("other audio while not %u\n", (unsigned)other);
}

int main(int count, char **words) {
  const struct {
    const char *name;
    void (*tell)(void);
  } stories[] = {{"codec", codec},           {"saw", saw},         {"interruption", interruption}, {"route", route},
                 {"undisposed", undisposed}, {"refused", refused}, {"preferences", preferences},
                 {"through44100", passThrough44100}, {"through8000", passThrough8000},
                 {"speaker", speaker}, {"unrestored", unrestored}, {"during", during},
                 {"patternThrough", patternThrough}, {"patternEffect", patternEffect},
                 {"patternMixer", patternMixer}, {"patternGenerate", patternGenerate}};
  for (size_t index = 0; count > 1 && index < sizeof(stories) / sizeof(*stories); ++index) {
    if (strcmp(words[1], stories[index].name) == 0) {
      stories[index].tell();
      UInt64 host = AudioGetCurrentHostTime();
      if (AUBenchDeviceGetSeconds() > 0) {
        printf("host time in step %d\n",
               fabs((double)host / 1e9 - 3600 - AUBenchDeviceGetSeconds()) < 1e-6);
      }
      return 0;
    }
  }
  return 2;
}
