// Saved states (class info) of every unit: drawn presets and edits, saved, restored into a unit that had others, by each way in which a host can.
// Each parameter must have the value that it had, the sound must be the same, and what is no part of a state must stay. The bytes of a state are
// read and written here as well, by the layout that hosts know: scope, element, count, then number and value of each, big-endian.
#include "drawn.h"
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

extern CFTypeRef CFDictionaryGetValue(CFTypeRef dictionary, CFTypeRef key);
extern CFTypeRef CFDictionaryCreateMutableCopy(CFTypeRef allocator, long capacity, CFTypeRef dictionary);
extern void CFDictionarySetValue(CFTypeRef dictionary, CFTypeRef key, CFTypeRef value);
extern void CFDictionaryRemoveValue(CFTypeRef dictionary, CFTypeRef key);
extern long CFDataGetLength(CFTypeRef data);
extern const UInt8 *CFDataGetBytePtr(CFTypeRef data);
extern CFTypeRef CFDataCreate(CFTypeRef allocator, const UInt8 *bytes, long length);
extern CFTypeRef CFNumberCreate(CFTypeRef allocator, long type, const void *value);
extern Boolean CFNumberGetValue(CFTypeRef number, long type, void *value);
extern CFTypeRef CFArrayGetValueAtIndex(CFArrayRef array, long index);

enum { most_values = 4096, int32 = 3, most_components = 80, no_preset = -100 };

typedef struct Value {
  UInt32 id, scope, element;
  AudioUnitParameterInfo info;
  Float32 value;
} Value;
typedef struct Values {
  Value all[most_values];
  int count;
} Values;

static AudioComponent component;
static AudioComponentDescription description;
static char difference[240];

static void differ(const char *text, double found, double expected) {
  if (found != expected && !*difference) snprintf(difference, sizeof difference, "%s: %g, expected %g", text, found, expected);
}

static UInt32 elements(AudioUnit unit, UInt32 scope) {
  UInt32 count = 0, size = sizeof count;
  return AudioUnitGetProperty(unit, kAudioUnitProperty_ElementCount, scope, 0, &count, &size) == noErr ? count : 0;
}

// All values that can be written.
static void read_values(AudioUnit unit, Values *values) {
  values->count = 0;
  for (UInt32 scope = 0; scope < 3; ++scope) {
    for (UInt32 element = 0; element < elements(unit, scope); ++element) {
      UInt32 ids[512], size = sizeof ids;
      if (AudioUnitGetProperty(unit, kAudioUnitProperty_ParameterList, scope, element, ids, &size) != noErr) continue;
      for (UInt32 at = 0; at < size / 4 && values->count < most_values; ++at) {
        Value *value = &values->all[values->count];
        *value = (Value){ids[at], scope, element, {.flags = 0}, 0};
        UInt32 bytes = sizeof value->info;
        if (AudioUnitGetProperty(unit, kAudioUnitProperty_ParameterInfo, scope, ids[at], &value->info, &bytes) != noErr) continue;
        if (value->info.flags & kAudioUnitParameterFlag_CFNameRelease && value->info.cfNameString) CFRelease(value->info.cfNameString);
        if (value->info.flags & kAudioUnitParameterFlag_IsWritable && AudioUnitGetParameter(unit, ids[at], scope, element, &value->value) == noErr) ++values->count;
      }
    }
  }
}

static const Value *find(const Values *values, UInt32 id, UInt32 scope, UInt32 element) {
  for (int at = 0; at < values->count; ++at)
    if (values->all[at].id == id && values->all[at].scope == scope && values->all[at].element == element) return &values->all[at];
  return NULL;
}

// MARK: Edits

static const AUPreset *any_preset(AudioUnit unit) {
  CFArrayRef presets = NULL;
  UInt32 size = sizeof presets;
  if (AudioUnitGetProperty(unit, kAudioUnitProperty_FactoryPresets, 0, 0, &presets, &size) != noErr || presets == NULL || CFArrayGetCount(presets) == 0) return NULL;
  return CFArrayGetValueAtIndex(presets, draw((UInt32)CFArrayGetCount(presets)));
}

// The preset that was chosen last: its number, below 0 for one of the host's, and its name.
typedef struct Chosen {
  int number;
  char name[80];
} Chosen;

static void choose(AudioUnit unit, Chosen *chosen, AUPreset preset) {
  if (AudioUnitSetProperty(unit, kAudioUnitProperty_PresentPreset, 0, 0, &preset, sizeof preset) != noErr) return;
  chosen->number = preset.presetNumber;
  CFStringGetCString(preset.presetName, chosen->name, sizeof chosen->name, utf8);
}

static void edit(AudioUnit unit) {
  static Values values;
  read_values(unit, &values);
  for (int turn = (int)draw(6); turn > 0 && values.count > 0; --turn) {
    const Value *value = &values.all[draw((UInt32)values.count)];
    const Float32 low = fmaxf(value->info.minValue, -1000), high = fminf(value->info.maxValue, 1000);
    Float32 wanted = (Float32)draw_between(low, high);
    if (value->info.unit == kAudioUnitParameterUnit_Indexed || value->info.unit == kAudioUnitParameterUnit_Boolean) wanted = rintf(wanted);
    AudioUnitSetParameter(unit, value->id, value->scope, value->element, wanted, 0);
  }
  if (description.componentSubType == four("mxmx"))
    for (int turn = 0; turn < 3; ++turn) AudioUnitSetParameter(unit, 0, 0, draw(3) << 16 | draw(2), (Float32)draw_between(0, 1), 0);
}

static void change(AudioUnit unit, Chosen *chosen) {
  for (int turn = 1 + (int)draw(4); turn > 0; --turn) {
    const AUPreset *preset = once_in(2) ? any_preset(unit) : NULL;
    if (preset != NULL) choose(unit, chosen, *preset);
    else if (once_in(5)) {
      const AUPreset own = {-1 - (int)draw(9), text_of("of the host")};
      choose(unit, chosen, own);
      CFRelease(own.presetName);
    } else edit(unit);
  }
}

// MARK: States

static CFTypeRef at_key(CFTypeRef state, const char *key) {
  CFStringRef name = text_of(key);
  CFTypeRef value = CFDictionaryGetValue(state, name);
  CFRelease(name);
  return value;
}

static void put_at_key(CFTypeRef state, const char *key, CFTypeRef value) {
  CFStringRef name = text_of(key);
  if (value) CFDictionarySetValue(state, name, value), CFRelease(value);
  else CFDictionaryRemoveValue(state, name);
  CFRelease(name);
}

static UInt32 word_at(const UInt8 *bytes) { return (UInt32)bytes[0] << 24 | (UInt32)bytes[1] << 16 | (UInt32)bytes[2] << 8 | bytes[3]; }
static UInt8 *put_word(UInt8 *bytes, UInt32 word) { return bytes[0] = (UInt8)(word >> 24), bytes[1] = (UInt8)(word >> 16), bytes[2] = (UInt8)(word >> 8), bytes[3] = (UInt8)word, bytes + 4; }

static SInt32 number_at(CFTypeRef state, const char *key, SInt32 otherwise) {
  CFTypeRef number = at_key(state, key);
  SInt32 value = otherwise;
  if (number) CFNumberGetValue(number, int32, &value);
  return value;
}

// A state says what the unit had.
static void judge_state(AudioUnit unit, CFTypeRef state, Values *values, const Chosen *chosen) {
  differ("type", number_at(state, "type", 0), (SInt32)description.componentType);
  differ("subtype", number_at(state, "subtype", 0), (SInt32)description.componentSubType);
  differ("manufacturer", number_at(state, "manufacturer", 0), (SInt32)description.componentManufacturer);
  // A factory preset is named as long as nothing else is chosen; where it is all that a unit has, under the host's name too.
  if (chosen->number >= 0) differ("number of the preset", number_at(state, "preset-number", -1), chosen->number);
  char name[80] = "";
  if (at_key(state, "name")) CFStringGetCString(at_key(state, "name"), name, sizeof name, utf8);
  if (strcmp(name, chosen->number == no_preset ? "Untitled" : chosen->name) != 0) differ("name of the preset", 1, 0);
  CFTypeRef data = at_key(state, "data");
  if (data == NULL) { differ("has data", 0, 1); return; }
  const UInt8 *byte = CFDataGetBytePtr(data), *end = byte + CFDataGetLength(data);
  int found = 0;
  const int listed = values->count;
  while (end - byte >= 12) {
    const UInt32 scope = word_at(byte), element = word_at(byte + 4);
    UInt32 count = word_at(byte + 8);
    for (byte += 12; count > 0 && end - byte >= 8; --count, byte += 8, ++found) {
      const UInt32 id = word_at(byte), bits = word_at(byte + 4);
      const Value *value = find(values, id, scope, element);
      Float32 saved, held = 0;
      memcpy(&saved, &bits, 4);
      // Pairs of channels of a matrix are in no list of parameters.
      if (value == NULL && values->count < most_values) {
        differ("a value of the unit", AudioUnitGetParameter(unit, id, scope, element, &held), noErr);
        values->all[values->count++] = (Value){id, scope, element, {.flags = 0}, held}, value = &values->all[values->count - 1], --found;
      }
      if (value) differ("a value of the state", saved, value->value);
    }
    differ("values that are left", count, 0);
  }
  differ("values of the state", found, listed), differ("bytes behind them", (double)(end - byte), 0);
}

// The same values in another order, as another writer has them: an element for each value.
static CFTypeRef other_data(const Values *values) {
  static UInt8 bytes[20 * most_values];
  static int order[most_values];
  UInt8 *byte = bytes;
  for (int at = 0; at < values->count; ++at) order[at] = at;
  for (int at = values->count - 1; at > 0; --at) {
    const int other = (int)draw((UInt32)at + 1), kept = order[at];
    order[at] = order[other], order[other] = kept;
  }
  for (int at = 0; at < values->count; ++at) {
    const Value *value = &values->all[order[at]];
    UInt32 bits;
    memcpy(&bits, &value->value, 4);
    byte = put_word(put_word(put_word(put_word(put_word(byte, value->scope), value->element), 1), value->id), bits);
  }
  // One that the unit does not have.
  byte = put_word(put_word(put_word(put_word(put_word(byte, 0), 0), 1), 987654), 0);
  return CFDataCreate(NULL, bytes, byte - bytes);
}

// MARK: Other properties

typedef struct Rest {
  UInt32 bypass, inputs, outputs, most_frames;
} Rest;

static UInt32 uint_of(AudioUnit unit, UInt32 id) {
  UInt32 value = 12345, size = sizeof value;
  AudioUnitGetProperty(unit, id, 0, 0, &value, &size);
  return value;
}

static Rest rest_of(AudioUnit unit) { return (Rest){uint_of(unit, kAudioUnitProperty_BypassEffect), elements(unit, 1), elements(unit, 2), uint_of(unit, kAudioUnitProperty_MaximumFramesPerSlice)}; }

static void judge_rest(AudioUnit unit, Rest rest) {
  const Rest now = rest_of(unit);
  differ("bypass behind a state", now.bypass, rest.bypass), differ("inputs behind a state", now.inputs, rest.inputs);
  differ("outputs behind a state", now.outputs, rest.outputs), differ("longest slice behind a state", now.most_frames, rest.most_frames);
}

// MARK: Sound

static OSStatus give(void *refcon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames, AudioBufferList *data) {
  (void)refcon, (void)flags;
  for (UInt32 buffer = 0; buffer < data->mNumberBuffers; ++buffer)
    for (UInt32 at = 0; at < frames; ++at) ((Float32 *)data->mBuffers[buffer].mData)[at] = (Float32)(SInt16)noise((UInt32)time->mSampleTime + at + buffer * 977 + bus * 31) / 65536;
  return noErr;
}

static Digest sound_of(AudioUnit unit) {
  const AURenderCallbackStruct callback = {give, NULL};
  for (UInt32 input = 0; input < elements(unit, 1); ++input) AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, 1, input, &callback, sizeof callback);
  // A limiter looks ahead as far as it was to when it was initialized.
  if (description.componentSubType == four("lmtr")) AudioUnitUninitialize(unit);
  OSStatus status = AudioUnitInitialize(unit);
  if (status == noErr) status = AudioUnitReset(unit, 0, 0);
  Digest all = digest(0, &status, sizeof status);
  for (int slice = 0; slice < 3 && status == noErr; ++slice) {
    AudioStreamBasicDescription format = {0};
    UInt32 size = sizeof format;
    AudioUnitGetProperty(unit, kAudioUnitProperty_StreamFormat, 2, 0, &format, &size);
    if (format.mChannelsPerFrame > most_channels || format.mBytesPerFrame != 4) break;
    Planes *room = planes_of(format.mChannelsPerFrame, 512);
    AudioUnitRenderActionFlags flags = 0;
    const AudioTimeStamp stamp = {.mSampleTime = 512.0 * slice, .mFlags = kAudioTimeStampSampleTimeValid};
    status = AudioUnitRender(unit, &flags, &stamp, 0, 512, room->list);
    all = digest(all, &status, sizeof status);
    for (UInt32 channel = 0; channel < format.mChannelsPerFrame && status == noErr; ++channel) all = digest(all, room->samples[channel], 2048);
  }
  return all;
}

// MARK: A session

// Each of the two values of a changed speed is reckoned from the other.
static int is_same(Float32 value, Float32 wanted) { return value == wanted || (description.componentSubType == four("vari") && fabsf(value - wanted) <= 1e-6f * fabsf(wanted)); }

static void judge_values(AudioUnit unit, const Values *saved, const Values *before) {
  static Values now;
  read_values(unit, &now);
  for (int at = 0; at < now.count && !*difference; ++at) {
    const Value *value = &now.all[at], *wanted = find(saved, value->id, value->scope, value->element);
    // Elements that the state has no values of keep theirs.
    if (wanted == NULL) wanted = find(before, value->id, value->scope, value->element);
    if (wanted && !is_same(value->value, wanted->value))
      snprintf(difference, sizeof difference, "parameter %u of scope %u, element %u: %g, expected %g", (unsigned)value->id, (unsigned)value->scope, (unsigned)value->element, value->value, wanted->value);
  }
}

static void judge_pairs(AudioUnit unit, const Values *saved) {
  for (int at = 0; at < saved->count; ++at) {
    const Value *value = &saved->all[at];
    Float32 held = 0;
    if (AudioUnitGetParameter(unit, value->id, value->scope, value->element, &held) == noErr && !is_same(held, value->value)) differ("a pair's value", held, value->value);
  }
}

// States that are not taken, and change nothing.
static void refuse(AudioUnit unit, CFTypeRef state) {
  static Values before;
  read_values(unit, &before);
  const SInt32 other = 12345, one = 1;
  const UInt8 *bytes = CFDataGetBytePtr(at_key(state, "data"));
  const long length = CFDataGetLength(at_key(state, "data"));
  CFTypeRef wrong = CFDictionaryCreateMutableCopy(NULL, 0, state);
  const UInt32 way = draw(4);
  if (way == 0) put_at_key(wrong, "subtype", CFNumberCreate(NULL, int32, &other));
  else if (way == 1) put_at_key(wrong, "manufacturer", CFNumberCreate(NULL, int32, &other));
  else if (way == 2) put_at_key(wrong, "part", CFNumberCreate(NULL, int32, &one));
  else if (length > 20) put_at_key(wrong, "data", CFDataCreate(NULL, bytes, length - 4));
  if (way < 3 || length > 20) {
    differ("a wrong state", AudioUnitSetProperty(unit, kAudioUnitProperty_ClassInfo, 0, 0, &wrong, sizeof wrong), kAudioUnitErr_InvalidPropertyValue);
    judge_values(unit, &before, &before);
  }
  CFRelease(wrong);
}

static void state_of(UInt32 seed) {
  static AudioComponent all[most_components];
  static int count;
  const AudioComponentDescription any_of = {0, 0, kAudioUnitManufacturer_Apple, 0, 0};
  if (count == 0) {
    for (AudioComponent one = NULL; (one = AudioComponentFindNext(one, &any_of)) != NULL && count < most_components;)
      if (AudioComponentGetDescription(one, &description) == noErr && (description.componentType != kAudioUnitType_Output || description.componentSubType == kAudioUnitSubType_GenericOutput)) all[count++] = one;
  }
  draw_from(seed + 170000);
  *difference = 0;
  // Each in turn, and those with presets more often.
  component = all[seed % (UInt32)count];
  AudioUnit saved, fresh = NULL;
  if (once_in(2)) {
    static const char *with_presets[] = {"ipeq", "rvb2", "dist"};
    const AudioComponentDescription wanted = {four("aufx"), four(with_presets[draw(3)]), kAudioUnitManufacturer_Apple, 0, 0};
    if (AudioComponentFindNext(NULL, &wanted)) component = AudioComponentFindNext(NULL, &wanted);
  }
  AudioComponentGetDescription(component, &description);
  need(AudioComponentInstanceNew(component, &saved), "new");
  const UInt32 inputs = 1 + draw(4);
  set_uint(saved, kAudioUnitProperty_ElementCount, 1, 0, inputs);
  Chosen chosen = {no_preset, ""}, other = {no_preset, ""};
  // A unit may begin with a preset.
  AUPreset first = {-1, NULL};
  UInt32 size = sizeof first;
  if (any_preset(saved) && AudioUnitGetProperty(saved, kAudioUnitProperty_PresentPreset, 0, 0, &first, &size) == noErr && first.presetNumber >= 0) {
    chosen.number = first.presetNumber;
    CFStringGetCString(first.presetName, chosen.name, sizeof chosen.name, utf8);
  }
  change(saved, &chosen);
  static Values values, before;
  read_values(saved, &values);
  CFTypeRef state = NULL;
  size = sizeof state;
  need(AudioUnitGetProperty(saved, kAudioUnitProperty_ClassInfo, 0, 0, &state, &size), "state");
  judge_state(saved, state, &values, &chosen);
  if (once_in(2)) {
    CFTypeRef copy = CFDictionaryCreateMutableCopy(NULL, 0, state);
    CFRelease(state);
    put_at_key(copy, "data", other_data(&values));
    state = copy;
  }
  // Restored into a unit that has other values, runs, or is a graph's.
  AUGraph graph = NULL;
  const UInt32 way = draw(3);
  before.count = 0;
  if (way == 2) {
    AUNode node;
    need(NewAUGraph(&graph), "graph");
    differ("node", AUGraphNewNode(graph, &description, sizeof state, &state, &node), noErr);
    differ("open", AUGraphOpen(graph), noErr);
    AudioComponentDescription said;
    need(AUGraphNodeInfo(graph, node, &said, &fresh), "node");
    // The graph says the state again.
    CFTypeRef again = NULL;
    UInt32 bytes = 0;
    differ("class data", AUGraphGetNodeInfo(graph, node, NULL, &bytes, (void **)&again, NULL), noErr);
    read_values(fresh, &before);
    chosen.number = chosen.number >= 0 ? -1 : chosen.number;
    if (again) judge_state(fresh, again, &before, &chosen), CFRelease(again);
    else differ("has class data", 0, 1);
    set_uint(fresh, kAudioUnitProperty_ElementCount, 1, 0, inputs);
  } else {
    need(AudioComponentInstanceNew(component, &fresh), "new");
    set_uint(fresh, kAudioUnitProperty_ElementCount, 1, 0, once_in(3) ? 5 : inputs);
    change(fresh, &other);
    if (uint_of(fresh, kAudioUnitProperty_BypassEffect) < 2) set_uint(fresh, kAudioUnitProperty_BypassEffect, 0, 0, draw(2));
    set_uint(fresh, kAudioUnitProperty_MaximumFramesPerSlice, 0, 0, 1000 + draw(500));
    if (way == 1) sound_of(fresh);
    read_values(fresh, &before);
    const Rest rest = rest_of(fresh);
    differ("restore", AudioUnitSetProperty(fresh, kAudioUnitProperty_ClassInfo, 0, 0, &state, sizeof state), noErr);
    judge_rest(fresh, rest);
  }
  judge_values(fresh, &values, &before), judge_pairs(fresh, &values);
  AUPreset now = {0, NULL};
  size = sizeof now;
  if (AudioUnitGetProperty(fresh, kAudioUnitProperty_PresentPreset, 0, 0, &now, &size) == noErr) {
    char name[80] = "";
    if (now.presetName) CFStringGetCString(now.presetName, name, sizeof name, utf8);
    differ("number behind a state", now.presetNumber, -1);
    if (strcmp(name, chosen.number == no_preset ? "Untitled" : chosen.name) != 0) differ("name behind a state", 1, 0);
  }
  if (uint_of(fresh, kAudioUnitProperty_BypassEffect) < 2) set_uint(saved, kAudioUnitProperty_BypassEffect, 0, 0, uint_of(fresh, kAudioUnitProperty_BypassEffect));
  if (elements(saved, 1) == elements(fresh, 1) && description.componentSubType != four("vari")) differ("sounds as the saved one", sound_of(fresh) == sound_of(saved), 1);
  refuse(fresh, state);
  printf("seed %u: %s %d values, way %u: %s\n", (unsigned)seed, status_text((OSStatus)description.componentSubType), values.count, (unsigned)way, *difference ? difference : "ok");
  CFRelease(state);
  if (graph) DisposeAUGraph(graph);
  else AudioComponentInstanceDispose(fresh);
  AudioComponentInstanceDispose(saved);
}

void states(void) {
  unsetenv("AUBENCH_LOG");
  for_seeds(120, state_of);
}
