// Somebody else's unit, registered by the program: asked alone, among ours in a graph, given wrong answers to pass on.
#include "host.h"

// MARK: The unit: out = gain * in, and a note of every call

typedef struct Gain {
  AudioComponentPlugInInterface table;
  AudioUnit instance;
  AudioStreamBasicDescription formats[2];
  AURenderCallbackStruct source;
  AudioUnitConnection connection;
  UInt32 most_frames, bypass;
  Float32 gain;
  Float32 *memory[8];
  AudioUnitPropertyListenerProc told[4];
  void *told_user[4];
  AudioUnitPropertyID told_of[4];
} Gain;

static OSStatus refusal;
static int refused_selector, is_quiet;

static int noted(const char *what, int selector) {
  if (!is_quiet) printf(" {%s}", what);
  return refused_selector == selector;
}

#define NOTED(what, selector) \
  if (noted(what, selector)) return refusal

static OSStatus gain_open(void *self, AudioComponentInstance instance) {
  NOTED("open", -1);
  ((Gain *)self)->instance = instance;
  return noErr;
}

static OSStatus gain_close(void *self) {
  const int refused = noted("close", -2);
  for (int channel = 0; channel < 8; ++channel) free(((Gain *)self)->memory[channel]);
  free(self);
  return refused ? refusal : noErr;
}

static OSStatus gain_initialize(void *self) {
  NOTED("initialize", kAudioUnitInitializeSelect);
  Gain *gain = self;
  for (int channel = 0; channel < 8; ++channel) free(gain->memory[channel]), gain->memory[channel] = calloc(gain->most_frames, 4);
  return noErr;
}

static OSStatus gain_uninitialize(void *self) {
  NOTED("uninitialize", kAudioUnitUninitializeSelect);
  return (void)self, noErr;
}

static UInt32 size_of(AudioUnitPropertyID id) {
  switch (id) {
    case kAudioUnitProperty_StreamFormat: return sizeof(AudioStreamBasicDescription);
    case kAudioUnitProperty_ElementCount: case kAudioUnitProperty_MaximumFramesPerSlice: case kAudioUnitProperty_BypassEffect: case kAudioUnitProperty_ParameterList: return 4;
    case kAudioUnitProperty_SampleRate: case kAudioUnitProperty_Latency: return 8;
    case kAudioUnitProperty_SetRenderCallback: return sizeof(AURenderCallbackStruct);
    case kAudioUnitProperty_MakeConnection: return sizeof(AudioUnitConnection);
    case kAudioUnitProperty_ParameterInfo: return sizeof(AudioUnitParameterInfo);
    default: return 0;
  }
}

static OSStatus gain_info(void *self, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element, UInt32 *size, Boolean *writable) {
  NOTED("info", kAudioUnitGetPropertyInfoSelect);
  (void)self, (void)scope, (void)element;
  if (size_of(id) == 0) return kAudioUnitErr_InvalidProperty;
  if (size) *size = size_of(id);
  if (writable) *writable = id != kAudioUnitProperty_Latency;
  return noErr;
}

static OSStatus gain_get(void *self, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element, void *data, UInt32 *size) {
  NOTED("get", kAudioUnitGetPropertySelect);
  (void)element;
  Gain *gain = self;
  union {
    UInt32 word;
    Float64 number;
    AudioUnitParameterInfo info;
    AudioStreamBasicDescription format;
  } value;
  memset(&value, 0, sizeof value);
  const int side = scope == 1 ? 0 : 1;
  switch (id) {
    case kAudioUnitProperty_StreamFormat: value.format = gain->formats[side]; break;
    case kAudioUnitProperty_ElementCount: value.word = 1; break;
    case kAudioUnitProperty_MaximumFramesPerSlice: value.word = gain->most_frames; break;
    case kAudioUnitProperty_BypassEffect: value.word = gain->bypass; break;
    case kAudioUnitProperty_ParameterList: value.word = 0; break;
    case kAudioUnitProperty_SampleRate: value.number = gain->formats[side].mSampleRate; break;
    case kAudioUnitProperty_Latency: value.number = 0.001; break;
    case kAudioUnitProperty_ParameterInfo:
      strcpy(value.info.name, "Gain"), value.info.unit = kAudioUnitParameterUnit_LinearGain, value.info.maxValue = 4, value.info.defaultValue = 1;
      value.info.flags = kAudioUnitParameterFlag_IsReadable | kAudioUnitParameterFlag_IsWritable;
      break;
    default: return kAudioUnitErr_InvalidProperty;
  }
  if (data == NULL) return *size = size_of(id), noErr;
  if (*size < size_of(id)) return kAudioUnitErr_InvalidPropertyValue;
  memcpy(data, &value, *size = size_of(id));
  return noErr;
}

static OSStatus gain_set(void *self, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element, const void *data, UInt32 size) {
  NOTED("set", kAudioUnitSetPropertySelect);
  Gain *gain = self;
  if (size_of(id) == 0) return kAudioUnitErr_InvalidProperty;
  if (data == NULL || size < size_of(id)) return kAudioUnitErr_InvalidPropertyValue;
  const int side = scope == 1 ? 0 : 1;
  switch (id) {
    case kAudioUnitProperty_StreamFormat:
      if (((const AudioStreamBasicDescription *)data)->mBytesPerFrame != 4) return kAudioUnitErr_FormatNotSupported;
      memcpy(&gain->formats[side], data, sizeof gain->formats[side]);
      break;
    case kAudioUnitProperty_SampleRate: memcpy(&gain->formats[side].mSampleRate, data, 8); break;
    case kAudioUnitProperty_MaximumFramesPerSlice: memcpy(&gain->most_frames, data, 4); break;
    case kAudioUnitProperty_BypassEffect: memcpy(&gain->bypass, data, 4); break;
    case kAudioUnitProperty_SetRenderCallback: memcpy(&gain->source, data, sizeof gain->source), memset(&gain->connection, 0, sizeof gain->connection); break;
    case kAudioUnitProperty_MakeConnection: memcpy(&gain->connection, data, sizeof gain->connection), memset(&gain->source, 0, sizeof gain->source); break;
    default: return kAudioUnitErr_PropertyNotWritable;
  }
  for (int at = 0; at < 4; ++at) {
    if (gain->told[at] && gain->told_of[at] == id) gain->told[at](gain->told_user[at], gain->instance, id, scope, element);
  }
  return noErr;
}

static OSStatus gain_parameter(void *self, AudioUnitParameterID id, AudioUnitScope scope, AudioUnitElement element, Float32 *value) {
  NOTED("parameter", kAudioUnitGetParameterSelect);
  if (id != 0 || scope != 0 || element != 0) return kAudioUnitErr_InvalidParameter;
  return *value = ((Gain *)self)->gain, noErr;
}

static OSStatus gain_turn(void *self, AudioUnitParameterID id, AudioUnitScope scope, AudioUnitElement element, Float32 value, UInt32 offset) {
  NOTED("turn", kAudioUnitSetParameterSelect);
  if (id != 0 || scope != 0 || element != 0) return kAudioUnitErr_InvalidParameter;
  return ((Gain *)self)->gain = value + (Float32)offset / 1024, noErr;
}

static OSStatus gain_reset(void *self, AudioUnitScope scope, AudioUnitElement element) {
  NOTED("reset", kAudioUnitResetSelect);
  return (void)self, (void)scope, (void)element, noErr;
}

static OSStatus gain_listen(void *self, AudioUnitPropertyID id, AudioUnitPropertyListenerProc proc, void *user) {
  NOTED("listen", kAudioUnitAddPropertyListenerSelect);
  Gain *gain = self;
  for (int at = 0; at < 4; ++at) {
    if (gain->told[at] == NULL) return gain->told[at] = proc, gain->told_user[at] = user, gain->told_of[at] = id, noErr;
  }
  return kAudio_MemFullError;
}

static OSStatus gain_forget(void *self, AudioUnitPropertyID id, AudioUnitPropertyListenerProc proc, void *user) {
  NOTED("forget", kAudioUnitRemovePropertyListenerWithUserDataSelect);
  Gain *gain = self;
  for (int at = 0; at < 4; ++at) {
    if (gain->told[at] == proc && gain->told_user[at] == user && gain->told_of[at] == id) gain->told[at] = NULL;
  }
  return noErr;
}

static OSStatus gain_render(void *self, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames, AudioBufferList *data) {
  NOTED("render", kAudioUnitRenderSelect);
  (void)bus;
  Gain *gain = self;
  for (UInt32 channel = 0; channel < data->mNumberBuffers; ++channel) {
    if (data->mBuffers[channel].mData == NULL) data->mBuffers[channel].mData = gain->memory[channel];
  }
  OSStatus status = kAudioUnitErr_NoConnection;
  if (gain->source.inputProc) status = gain->source.inputProc(gain->source.inputProcRefCon, flags, time, 0, frames, data);
  else if (gain->connection.sourceAudioUnit) status = AudioUnitRender(gain->connection.sourceAudioUnit, flags, time, gain->connection.sourceOutputNumber, frames, data);
  if (status != noErr) return status;
  for (UInt32 channel = 0; channel < data->mNumberBuffers && !gain->bypass; ++channel) {
    Float32 *samples = data->mBuffers[channel].mData;
    for (UInt32 at = 0; at < frames; ++at) samples[at] *= gain->gain;
  }
  return noErr;
}

static AudioComponentMethod gain_lookup(SInt16 selector) {
  switch (selector) {
    case kAudioUnitInitializeSelect: return (AudioComponentMethod)gain_initialize;
    case kAudioUnitUninitializeSelect: return (AudioComponentMethod)gain_uninitialize;
    case kAudioUnitGetPropertyInfoSelect: return (AudioComponentMethod)gain_info;
    case kAudioUnitGetPropertySelect: return (AudioComponentMethod)gain_get;
    case kAudioUnitSetPropertySelect: return (AudioComponentMethod)gain_set;
    case kAudioUnitGetParameterSelect: return (AudioComponentMethod)gain_parameter;
    case kAudioUnitSetParameterSelect: return (AudioComponentMethod)gain_turn;
    case kAudioUnitResetSelect: return (AudioComponentMethod)gain_reset;
    case kAudioUnitAddPropertyListenerSelect: return (AudioComponentMethod)gain_listen;
    case kAudioUnitRemovePropertyListenerWithUserDataSelect: return (AudioComponentMethod)gain_forget;
    case kAudioUnitRenderSelect: return (AudioComponentMethod)gain_render;
    default: return NULL;
  }
}

static AudioComponentPlugInInterface *make_gain(const AudioComponentDescription *description) {
  printf(" {make %s}", status_text((OSStatus)description->componentSubType));
  if (description->componentSubType == four("null")) return NULL;
  Gain *gain = calloc(1, sizeof *gain);
  gain->table = (AudioComponentPlugInInterface){gain_open, gain_close, gain_lookup, NULL};
  if (description->componentSubType == four("bare")) gain->table.Lookup = NULL;
  gain->most_frames = 512, gain->gain = 1, gain->formats[0] = gain->formats[1] = planar(44100, 2);
  return &gain->table;
}

// MARK: Its methods

static OSStatus give(void *refcon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames, AudioBufferList *data) {
  (void)refcon, (void)flags, (void)bus, (void)frames;
  for (UInt32 buffer = 0; buffer < data->mNumberBuffers; ++buffer) {
    Float32 *samples = data->mBuffers[buffer].mData;
    for (UInt32 at = 0; at < data->mBuffers[buffer].mDataByteSize / 4; ++at) samples[at] = (Float32)(SInt16)noise((UInt32)time->mSampleTime + at + buffer * 1003) / 65536;
  }
  return noErr;
}

static OSStatus notified(void *refcon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames, AudioBufferList *data) {
  (void)refcon, (void)time, (void)bus, (void)data;
  return printf(" (%x %u)", (unsigned)*flags, (unsigned)frames), noErr;
}

static void told(void *user, AudioUnit unit, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element) {
  (void)unit;
  printf(" [property %zu %u %u %u]", (size_t)user, (unsigned)id, (unsigned)scope, (unsigned)element);
}

static void render(AudioUnit unit, UInt32 channels, UInt32 frames) {
  static Float64 now;
  Planes *room = planes_of(channels, frames);
  AudioTimeStamp stamp = {.mSampleTime = now, .mFlags = kAudioTimeStampSampleTimeValid};
  AudioUnitRenderActionFlags flags = 0;
  const OSStatus status = AudioUnitRender(unit, &flags, &stamp, 0, frames, room->list);
  Digest all = 0;
  for (UInt32 channel = 0; channel < channels && status == noErr; ++channel) all = digest(all, room->samples[channel], frames * 4);
  now += frames;
  printf(" sound %s %x %016llx\n", status_text(status), (unsigned)flags, all);
}

static void ask_all(AudioUnit unit) {
  for (UInt32 id = 0; id < 70; ++id) {
    for (UInt32 scope = 0; scope < 3; ++scope) {
      UInt32 size = 0;
      Boolean writable = 9;
      is_quiet = 1;
      const OSStatus info = AudioUnitGetPropertyInfo(unit, id, scope, 0, &size, &writable);
      unsigned char room[512];
      UInt32 got = sizeof room;
      const OSStatus status = AudioUnitGetProperty(unit, id, scope, 0, room, &got);
      is_quiet = 0;
      if (info == kAudioUnitErr_InvalidProperty && status == info) continue;
      printf("  property %u %u: %s %u %d %s %u\n", (unsigned)id, (unsigned)scope, status_text(info), info == noErr ? (unsigned)size : 0, info == noErr ? writable : -1, status_text(status), status == noErr ? (unsigned)got : 0);
    }
  }
  for (int selector = -8; selector < 0x220; ++selector) {
    if (AudioComponentInstanceCanDo(unit, (SInt16)selector)) printf(" can %x", selector & 0xFFFF);
  }
  printf("\n");
}

static void alone(AudioComponent component) {
  AudioUnit unit = NULL;
  printf("new: %s", status_text(AudioComponentInstanceNew(component, &unit)));
  if (unit == NULL) {
    printf("\n");
    return;
  }
  printf(" component %d\n", AudioComponentInstanceGetComponent(unit) == component);
  ask_all(unit);
  printf("listen %s\n", status_text(AudioUnitAddPropertyListener(unit, kAudioUnitProperty_StreamFormat, told, (void *)7)));
  printf("notify %s\n", status_text(AudioUnitAddRenderNotify(unit, notified, NULL)));
  render(unit, 2, 100);
  const AURenderCallbackStruct callback = {give, NULL};
  printf("callback %s", status_text(AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, 1, 0, &callback, sizeof callback)));
  printf(" wrong input %s\n", status_text(AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, 1, 3, &callback, sizeof callback)));
  printf("initialize %s again %s\n", status_text(AudioUnitInitialize(unit)), status_text(AudioUnitInitialize(unit)));
  render(unit, 2, 100), render(unit, 2, 512), render(unit, 2, 513), render(unit, 1, 64);
  Float32 value = -1;
  printf("turn %s", status_text(AudioUnitSetParameter(unit, 0, 0, 0, 0.5f, 0)));
  printf(" %s", status_text(AudioUnitSetParameter(unit, 1, 0, 0, 0.5f, 0)));
  printf(" is %s %g\n", status_text(AudioUnitGetParameter(unit, 0, 0, 0, &value)), value);
  render(unit, 2, 100);
  const AudioUnitParameterEvent events[2] = {{.scope = 0, .element = 0, .parameter = 0, .eventType = kParameterEvent_Immediate, .eventValues.immediate = {40, 0.25f}}, {.scope = 0, .eventType = kParameterEvent_Ramped, .eventValues.ramp = {10, 50, 0, 1}}};
  printf("schedule %s %s\n", status_text(AudioUnitScheduleParameters(unit, events, 1)), status_text(AudioUnitScheduleParameters(unit, events, 2)));
  render(unit, 2, 100), render(unit, 2, 100);
  printf("bypass %s\n", status_text(set_uint(unit, kAudioUnitProperty_BypassEffect, 0, 0, 1)));
  render(unit, 2, 100);
  printf("format %s", status_text(set_format(unit, 1, 0, planar(48000, 1))));
  printf(" %s", status_text(set_format(unit, 2, 0, pcm(44100, 2, 16, 2, kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked))));
  printf(" frames %s\n", status_text(set_uint(unit, kAudioUnitProperty_MaximumFramesPerSlice, 0, 0, 64)));
  printf("reset %s uninitialize %s", status_text(AudioUnitReset(unit, 0, 0)), status_text(AudioUnitUninitialize(unit)));
  printf(" initialize %s\n", status_text(AudioUnitInitialize(unit)));
  render(unit, 2, 64), render(unit, 2, 65);
  Planes *room = planes_of(2, 50);
  AudioTimeStamp stamp = {.mFlags = kAudioTimeStampSampleTimeValid};
  AudioUnitRenderActionFlags flags = 0;
  printf("process %s", status_text(AudioUnitProcess(unit, &flags, &stamp, 50, room->list)));
  printf(" start %s stop %s\n", status_text(AudioOutputUnitStart(unit)), status_text(AudioOutputUnitStop(unit)));
  printf("no longer %s %s\n", status_text(AudioUnitRemovePropertyListenerWithUserData(unit, kAudioUnitProperty_StreamFormat, told, (void *)7)), status_text(AudioUnitRemoveRenderNotify(unit, notified, NULL)));
  show(unit);
  printf("dispose %s\n", status_text(AudioComponentInstanceDispose(unit)));
}

// Between ours: a mixer before it and a low-pass behind, connected each way.
static void among(const AudioComponentDescription *description, int by_graph) {
  AUGraph graph;
  AUNode nodes[4];
  need(NewAUGraph(&graph), "graph");
  const AudioComponentDescription ours[3] = {{four("aumx"), four("mcmx"), kAudioUnitManufacturer_Apple, 0, 0}, {four("aufx"), four("lpas"), kAudioUnitManufacturer_Apple, 0, 0}, {four("auou"), four("genr"), kAudioUnitManufacturer_Apple, 0, 0}};
  const AudioComponentDescription *order[4] = {&ours[0], description, &ours[1], &ours[2]};
  for (int at = 0; at < 4; ++at) need(AUGraphAddNode(graph, order[at], &nodes[at]), "node");
  printf("graph open %s\n", status_text(AUGraphOpen(graph)));
  AudioUnit units[4] = {NULL};
  for (int at = 0; at < 4; ++at) AUGraphNodeInfo(graph, nodes[at], NULL, &units[at]);
  const AURenderCallbackStruct callback = {give, NULL};
  AudioUnitSetProperty(units[0], kAudioUnitProperty_SetRenderCallback, 1, 0, &callback, sizeof callback);
  for (int at = 0; at < 3; ++at) {
    const AudioUnitConnection link = {units[at], 0, 0};
    printf("link %d %s\n", at, status_text(by_graph ? AUGraphConnectNodeInput(graph, nodes[at], 0, nodes[at + 1], 0) : AudioUnitSetProperty(units[at + 1], kAudioUnitProperty_MakeConnection, 1, 0, &link, sizeof link)));
  }
  printf("initialize %s\n", status_text(AUGraphInitialize(graph)));
  for (int turn = 0; turn < 3; ++turn) {
    render(units[3], 2, 100);
    AudioUnitSetParameter(units[1], 0, 0, 0, 0.5f + (Float32)turn, 0);
    if (turn == 1) printf("off %s", status_text(AUGraphDisconnectNodeInput(graph, nodes[1], 0))), printf(" %s\n", status_text(AUGraphUpdate(graph, NULL)));
  }
  show(graph);
  printf("dispose %s\n", status_text(DisposeAUGraph(graph)));
}

void registered(void) {
  const AudioComponentDescription description = {four("aufx"), four("gain"), four("Test"), 0, 0};
  const char *others[] = {"null", "bare", "gain"};
  const CFStringRef name = text_of("Test: Gain"), other = text_of("No colon");
  AudioComponent component = AudioComponentRegister(&description, name, 0x00010203, make_gain);
  printf("registered %d count %u", component != NULL, (unsigned)AudioComponentCount(&description));
  AudioComponentDescription back = {0};
  UInt32 version = 0;
  CFStringRef copied = NULL;
  char text[100] = "";
  printf(" %s %s", status_text(AudioComponentGetDescription(component, &back)), status_text((OSStatus)back.componentSubType));
  printf(" %s %x", status_text(AudioComponentGetVersion(component, &version)), (unsigned)version);
  printf(" %s", status_text(AudioComponentCopyName(component, &copied)));
  if (copied) CFStringGetCString(copied, text, sizeof text, utf8), CFRelease(copied);
  printf(" \"%s\"\n", text);
  const AudioComponentDescription masks[] = {{0}, {four("aufx"), 0, 0, 0, 0}, {0, 0, four("Test"), 0, 0}, {0, four("gain"), 0, 0, 0}, {four("aumx"), 0, 0, 0, 0}, {four("aufx"), 0, 0, 1, 1}, {four("none"), 0, 0, 0, 0}};
  for (size_t at = 0; at < sizeof masks / sizeof masks[0]; ++at) {
    // Those that come with the library are counted: the census lists them.
    printf("found by %zu:", at);
    UInt32 found = 0;
    for (AudioComponent one = NULL; (one = AudioComponentFindNext(one, &masks[at])) != NULL; ++found) {
      AudioComponentGetDescription(one, &back);
      if (back.componentManufacturer == four("Test")) printf(" %s", status_text((OSStatus)back.componentSubType));
    }
    const char *company = found == 0 ? "none" : found == 1 ? "alone" : "and others";
    printf(" %s\n", found == AudioComponentCount(&masks[at]) ? company : "of another number");
  }
  alone(component);
  for (int by_graph = 0; by_graph < 2; ++by_graph) among(&description, by_graph);
  // Whatever it refuses, the host hears so.
  const int selectors[] = {-1, -2, kAudioUnitInitializeSelect, kAudioUnitUninitializeSelect, kAudioUnitGetPropertyInfoSelect, kAudioUnitGetPropertySelect, kAudioUnitSetPropertySelect, kAudioUnitGetParameterSelect, kAudioUnitSetParameterSelect, kAudioUnitResetSelect, kAudioUnitRenderSelect};
  for (size_t at = 0; at < sizeof selectors / sizeof selectors[0]; ++at) {
    printf("refuses %d\n", selectors[at]);
    refused_selector = selectors[at], refusal = -12345;
    alone(component);
    if (selectors[at] > 0) among(&description, at % 2);
  }
  refused_selector = 0;
  AudioComponentValidationResult result = 99;
  is_quiet = 1;
  printf("validate %s", status_text(AudioComponentValidate(component, NULL, &result)));
  printf(" %u\n", (unsigned)result);
  is_quiet = 0;
  for (size_t at = 0; at < 3; ++at) {
    const AudioComponentDescription strange = {four("aufx"), four(others[at]), four("Odd."), 0, 0};
    AudioComponent one = AudioComponentRegister(&strange, at ? other : name, (UInt32)at, make_gain);
    printf("strange %s %d ", others[at], one != NULL), alone(one);
  }
  printf("twice %d", AudioComponentRegister(&description, name, 1, make_gain) != NULL);
  printf(" count %u\n", (unsigned)AudioComponentCount(&description));
}
