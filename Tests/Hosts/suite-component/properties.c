// The properties of the component.
#include "component.h"

enum { utf8 = 0x08000100 };

static const AUChannelInfo channels[kind_count][2] = {[twice_as_many] = {{1, 2}, {2, 4}}, [to_one] = {{2, 1}, {3, 1}}};

static AUPreset *presets(void) {
  static const char *names[preset_count] = {"Plain", "Soft", "Hard"};
  static AUPreset made[preset_count];
  for (int at = 0; at < preset_count; ++at)
    if (made[at].presetName == NULL) made[at] = (AUPreset){at, CFStringCreateWithCString(NULL, names[at], utf8)};
  return made;
}

static UInt32 count_of(AudioUnitScope scope, AudioUnitElement element) {
  UInt32 count = 0;
  for (int at = 0; at < parameter_count; ++at) count += parameters[at].scope == scope && parameters[at].element == element;
  return count;
}

static UInt32 size_of(const Instance *component, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element) {
  switch (id) {
    case kAudioUnitProperty_StreamFormat: return sizeof(AudioStreamBasicDescription);
    case kAudioUnitProperty_SampleRate: case kAudioUnitProperty_Latency: case kAudioUnitProperty_TailTime: return 8;
    case kAudioUnitProperty_ElementCount: case kAudioUnitProperty_MaximumFramesPerSlice: case kAudioUnitProperty_BypassEffect: case kAudioUnitProperty_InPlaceProcessing: return 4;
    case kAudioUnitProperty_ParameterList: return 4 * count_of(scope, element);
    case kAudioUnitProperty_ParameterInfo: return sizeof(AudioUnitParameterInfo);
    case kAudioUnitProperty_SetRenderCallback: return sizeof(AURenderCallbackStruct);
    case kAudioUnitProperty_MakeConnection: return sizeof(AudioUnitConnection);
    case kAudioUnitProperty_PresentPreset: return sizeof(AUPreset);
    case kAudioUnitProperty_FactoryPresets: case kAudioUnitProperty_ClassInfo: return sizeof(void *);
    case kAudioUnitProperty_SupportedNumChannels: return component->kind == twice_as_many || component->kind == to_one ? sizeof channels[0] : 0;
    case kAudioUnitOfflineProperty_InputSize: return component->kind == offline ? 8 : 0;
    case kAudioUnitOfflineProperty_PreflightRequirements: case kAudioUnitProperty_OfflineRender: return component->kind == offline ? 4 : 0;
    default: return 0;
  }
}

static int is_writable(AudioUnitPropertyID id) {
  switch (id) {
    case kAudioUnitProperty_StreamFormat: case kAudioUnitProperty_SampleRate: case kAudioUnitProperty_MaximumFramesPerSlice: case kAudioUnitProperty_BypassEffect:
    case kAudioUnitProperty_SetRenderCallback: case kAudioUnitProperty_MakeConnection: case kAudioUnitProperty_PresentPreset: case kAudioUnitProperty_ClassInfo:
    case kAudioUnitOfflineProperty_InputSize: case kAudioUnitProperty_OfflineRender: return 1;
    default: return 0;
  }
}

// True for properties whose element is a bus.
static int has_bus(AudioUnitPropertyID id) {
  return id == kAudioUnitProperty_StreamFormat || id == kAudioUnitProperty_SampleRate || id == kAudioUnitProperty_SetRenderCallback || id == kAudioUnitProperty_MakeConnection;
}

OSStatus property_info(void *self, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element, UInt32 *size, Boolean *writable) {
  const Instance *component = self;
  const UInt32 bytes = size_of(component, id, scope, element);
  if (bytes == 0 && id != kAudioUnitProperty_ParameterList) return kAudioUnitErr_InvalidProperty;
  if (scope > kAudioUnitScope_Output) return kAudioUnitErr_InvalidScope;
  if (has_bus(id) && element >= (scope == kAudioUnitScope_Input ? component->inputs : 1)) return kAudioUnitErr_InvalidElement;
  if (id == kAudioUnitProperty_ParameterInfo && (element < 10 || element >= 10 + parameter_count || parameters[element - 10].scope != scope)) return kAudioUnitErr_InvalidParameter;
  if (size) *size = bytes;
  if (writable) *writable = is_writable(id) || (id == kAudioUnitProperty_ElementCount && scope == kAudioUnitScope_Input && component->kind == any_channels);
  return noErr;
}

static AudioUnitParameterInfo info_of(const Parameter *parameter) {
  AudioUnitParameterInfo info = {.unit = kAudioUnitParameterUnit_Generic, .minValue = parameter->low, .maxValue = parameter->high, .defaultValue = parameter->initial, .flags = parameter->flags};
  strcpy(info.name, parameter->name);
  return info;
}

OSStatus get_property(void *self, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element, void *data, UInt32 *size) {
  Instance *component = self;
  UInt32 wanted = 0;
  const OSStatus status = property_info(self, id, scope, element, &wanted, NULL);
  if (status != noErr) return status;
  if (data == NULL) return *size = wanted, noErr;
  union {
    UInt32 word, list[parameter_count];
    Float64 number;
    const void *object;
    AUPreset preset;
    AUChannelInfo channels[2];
    AudioUnitParameterInfo info;
    AudioStreamBasicDescription format;
  } value;
  memset(&value, 0, sizeof value);
  const UInt32 bus = scope == kAudioUnitScope_Input ? element : most_buses;
  switch (id) {
    case kAudioUnitProperty_StreamFormat: value.format = component->formats[bus]; break;
    case kAudioUnitProperty_SampleRate: value.number = component->formats[bus].mSampleRate; break;
    case kAudioUnitProperty_Latency: value.number = option("latency", 0); break;
    case kAudioUnitProperty_TailTime: value.number = option("tail", 0); break;
    case kAudioUnitProperty_ElementCount: value.word = scope == kAudioUnitScope_Input ? component->inputs : 1; break;
    case kAudioUnitProperty_MaximumFramesPerSlice: value.word = component->most_frames; break;
    case kAudioUnitProperty_BypassEffect: value.word = component->bypass; break;
    case kAudioUnitProperty_OfflineRender: value.word = component->is_offline; break;
    case kAudioUnitOfflineProperty_PreflightRequirements: value.word = option("preflight", 0) != 0 ? kOfflinePreflight_Required : kOfflinePreflight_NotRequired; break;
    case kAudioUnitProperty_InPlaceProcessing: value.word = option("inplace", 0) != 0; break;
    case kAudioUnitProperty_ParameterList:
      for (UInt32 at = 0, count = 0; at < parameter_count; ++at)
        if (parameters[at].scope == scope && parameters[at].element == element) value.list[count++] = 10 + at;
      break;
    case kAudioUnitProperty_ParameterInfo: value.info = info_of(&parameters[element - 10]); break;
    case kAudioUnitProperty_SupportedNumChannels: memcpy(value.channels, channels[component->kind], sizeof value.channels); break;
    case kAudioUnitProperty_PresentPreset:
      value.preset = component->preset < 0 ? (AUPreset){-1, CFStringCreateWithCString(NULL, "Untitled", utf8)} : presets()[component->preset];
      if (component->preset >= 0) CFRetain(value.preset.presetName);
      break;
    case kAudioUnitProperty_FactoryPresets: {
      const void *items[preset_count];
      for (int at = 0; at < preset_count; ++at) items[at] = &presets()[at];
      value.object = CFArrayCreate(NULL, items, preset_count, NULL);
      break;
    }
    case kAudioUnitProperty_ClassInfo: return kAudioUnitErr_PropertyNotInUse;
    default: return kAudioUnitErr_InvalidProperty;
  }
  if (*size > wanted) *size = wanted;
  memcpy(data, &value, *size);
  return noErr;
}

// The values of a state are under the parameters' numbers: "10" and so on.
static OSStatus restore(Instance *component, const void *state) {
  for (int at = 0; at < parameter_count; ++at) {
    const char name[3] = {(char)('0' + (10 + at) / 10), (char)('0' + (10 + at) % 10), 0};
    const void *number = CFDictionaryGetValue(state, CFStringCreateWithCString(NULL, name, utf8));
    if (number) CFNumberGetValue(number, 12, &component->values[at]);
  }
  return noErr;
}

OSStatus set_property(void *self, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element, const void *data, UInt32 size) {
  Instance *component = self;
  UInt32 wanted = 0;
  Boolean writable = 0;
  const OSStatus status = property_info(self, id, scope, element, &wanted, &writable);
  if (status != noErr) return status;
  if (!writable) return kAudioUnitErr_PropertyNotWritable;
  if (data == NULL || size < wanted) return kAudioUnitErr_InvalidPropertyValue;
  const UInt32 bus = scope == kAudioUnitScope_Input ? element : most_buses;
  switch (id) {
    case kAudioUnitProperty_StreamFormat: {
      AudioStreamBasicDescription format;
      memcpy(&format, data, sizeof format);
      if (format.mFormatID != kAudioFormatLinearPCM || format.mBytesPerFrame != 4 || !(format.mFormatFlags & kAudioFormatFlagIsFloat) || format.mChannelsPerFrame > most_channels) return kAudioUnitErr_FormatNotSupported;
      if (component->is_initialized) return kAudioUnitErr_Initialized;
      component->formats[bus] = format;
      break;
    }
    case kAudioUnitProperty_SampleRate: memcpy(&component->formats[bus].mSampleRate, data, 8); break;
    case kAudioUnitProperty_MaximumFramesPerSlice:
      if (component->is_initialized) return kAudioUnitErr_Initialized;
      memcpy(&component->most_frames, data, 4);
      break;
    case kAudioUnitProperty_BypassEffect:
      memcpy(&component->bypass, data, 4);
      note(component, "bypass %u", component->bypass);
      break;
    case kAudioUnitProperty_OfflineRender:
      memcpy(&component->is_offline, data, 4);
      note(component, "offline %u", component->is_offline);
      break;
    case kAudioUnitOfflineProperty_InputSize:
      memcpy(&component->input_frames, data, 8);
      note(component, "input %llu", (unsigned long long)component->input_frames);
      break;
    case kAudioUnitProperty_SetRenderCallback:
      memcpy(&component->sources[bus], data, sizeof component->sources[0]), memset(&component->connections[bus], 0, sizeof component->connections[0]);
      break;
    case kAudioUnitProperty_MakeConnection:
      memcpy(&component->connections[bus], data, sizeof component->connections[0]), memset(&component->sources[bus], 0, sizeof component->sources[0]);
      break;
    case kAudioUnitProperty_ElementCount: {
      UInt32 count;
      memcpy(&count, data, 4);
      if (count < 1 || count > most_buses) return kAudioUnitErr_InvalidPropertyValue;
      component->inputs = count;
      break;
    }
    case kAudioUnitProperty_PresentPreset: {
      const SInt32 number = ((const AUPreset *)data)->presetNumber;
      note(component, "preset %d", (int)number);
      if (number >= preset_count) return kAudioUnitErr_InvalidPropertyValue;
      component->preset = number;
      for (int at = 0; at < parameter_count && number >= 0; ++at) component->values[at] = parameters[at].presets[number];
      break;
    }
    case kAudioUnitProperty_ClassInfo:
      note(component, "state");
      return restore(component, *(const void *const *)data);
    default: return kAudioUnitErr_InvalidProperty;
  }
  return noErr;
}
