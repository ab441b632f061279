// Every property of every unit by rule: what is told of it agrees, a value that is taken is there afterwards and told to
// its listeners once, one that is refused changes nothing and is told to nobody, and a saved state comes back. The text
// has the places that were looked at, and for each property that changes others which those are.
#include "drawn.h"

extern Boolean CFEqual(const void *one, const void *other);
enum { most_places = 6000, most_told = 64, most_bytes = 64 };

typedef struct Place {
  UInt32 id, scope, element, size;
  Boolean is_writable;
  OSStatus status;
  // The value, or the digest of a long one.
  unsigned char bytes[most_bytes];
  UInt32 got;
} Place;
typedef struct Places {
  Place list[most_places];
  int count;
} Places;

static struct {
  UInt32 id, scope, element;
} told[most_told];
static int told_count;
static char unit_name[32];
static int faults;

static void hear(void *user, AudioUnit unit, UInt32 id, UInt32 scope, UInt32 element) {
  (void)user, (void)unit;
  if (told_count < most_told) told[told_count].id = id, told[told_count].scope = scope, told[told_count].element = element;
  ++told_count;
}

static int times_told(UInt32 id, UInt32 scope, UInt32 element) {
  int times = 0;
  for (int at = 0; at < told_count && at < most_told; ++at) times += told[at].id == id && told[at].scope == scope && told[at].element == element;
  return times;
}

static void fault(const Place *place, const char *text, double found, double expected) {
  if (++faults <= 40) printf("  FAULT %s %u@%u:%u: %s: %g, expected %g\n", unit_name, (unsigned)place->id, (unsigned)place->scope, (unsigned)place->element, text, found, expected);
}

// Values that are objects of CoreFoundation.
static int is_text(UInt32 id) { return id == kAudioUnitProperty_ElementName || id == kAudioUnitProperty_ContextName || id == kAudioUnitProperty_NickName; }
static int is_preset(UInt32 id) { return id == kAudioUnitProperty_PresentPreset || id == kAudioUnitProperty_CurrentPreset; }
static int is_object(UInt32 id) {
  return id == kAudioUnitProperty_ClassInfo || id == kAudioUnitProperty_FactoryPresets || id == kAudioUnitProperty_ClassInfoFromDocument ||
         id == kAudioUnitProperty_ParameterValueStrings || id == kAudioUnitOfflineProperty_PreflightName;
}

// Questions: the value is the answer to what the caller's memory has.
static int is_question(UInt32 id) {
  return id == kAudioUnitProperty_ParameterInfo || id == kAudioUnitProperty_ParameterStringFromValue ||
         id == kAudioUnitProperty_ParameterValueFromString || id == kAudioUnitProperty_ParameterClumpName ||
         id == kAudioUnitProperty_ParameterIDName;
}

static void keep_text(Place *place, CFStringRef text) {
  char room[most_bytes * 4] = "";
  if (text) CFStringGetCString(text, room, sizeof room, utf8), CFRelease(text);
  const Digest words = digest(0, room, strlen(room));
  memcpy(place->bytes + 8, &words, sizeof words);
}

static void read_place(AudioUnit unit, Place *place) {
  static unsigned char room[65536];
  memset(place->bytes, 0, sizeof place->bytes);
  UInt32 size = place->got = place->size;
  if (size > sizeof room || is_question(place->id)) return;
  memset(room, 0, size + 16);
  place->status = AudioUnitGetProperty(unit, place->id, place->scope, place->element, room, &size);
  if (place->status != noErr) return;
  place->got = size;
  CFStringRef text = NULL;
  if (is_text(place->id)) {
    memcpy(&text, room, sizeof text);
    keep_text(place, text);
  } else if (is_preset(place->id)) {
    AUPreset preset;
    memcpy(&preset, room, sizeof preset);
    keep_text(place, preset.presetName);
    memcpy(place->bytes, &preset.presetNumber, 4);
  } else if (is_object(place->id)) {
    memcpy(&text, room, sizeof text);
    if (text) CFRelease(text);
  } else if (size > most_bytes) {
    const Digest all = digest(0, room, size);
    memcpy(place->bytes, &all, sizeof all);
  } else {
    memcpy(place->bytes, room, size);
  }
}

static UInt32 elements(AudioUnit unit, UInt32 scope) {
  UInt32 count = 0, size = sizeof count;
  const OSStatus status = AudioUnitGetProperty(unit, kAudioUnitProperty_ElementCount, scope, 0, &count, &size);
  return status == noErr ? count : 0;
}

static void find_places(AudioUnit unit, Places *places) {
  static const UInt32 ranges[][2] = {{0, 80}, {2000, 2016}, {2098, 2116}, {2200, 2210}, {3000, 3040}, {3300, 3330}, {4000, 4010}, {63999, 64012}};
  places->count = 0;
  for (size_t range = 0; range < sizeof ranges / sizeof ranges[0]; ++range) {
    for (UInt32 id = ranges[range][0]; id < ranges[range][1]; ++id) {
      for (UInt32 scope = 0; scope < 8; ++scope) {
        const UInt32 count = elements(unit, scope);
        for (UInt32 element = 0; element < count + 2; ++element) {
          // The first two elements, the last, and the first that is not there.
          if (element > 1 && element + 1 < count) continue;
          if (places->count == most_places) return;
          Place *place = &places->list[places->count];
          *place = (Place){.id = id, .scope = scope, .element = element};
          if (AudioUnitGetPropertyInfo(unit, id, scope, element, &place->size, &place->is_writable) != noErr) continue;
          read_place(unit, place);
          ++places->count;
        }
      }
    }
  }
}

static void listen(AudioUnit unit, const Places *places) {
  for (int at = 0; at < places->count; ++at)
    if (at == 0 || places->list[at].id != places->list[at - 1].id) need(AudioUnitAddPropertyListener(unit, places->list[at].id, hear, NULL), "listener");
}

// MARK: Reading

// Compares what GetPropertyInfo tells with the value that is given.
static void judge_reading(AudioUnit unit, const Place *place) {
  unsigned char room[256];
  UInt32 size = 0;
  // Null by a way that the compiler does not see.
  void *none = (void *)(uintptr_t)(place->id - place->id);
  OSStatus status = AudioUnitGetProperty(unit, place->id, place->scope, place->element, none, &size);
  if (status != noErr || size != place->size) fault(place, "size without memory", size, place->size);
  size = 0;
  if ((status = AudioUnitGetProperty(unit, place->id, place->scope, place->element, room, &size)) != kAudio_ParamError) fault(place, "no room", status, kAudio_ParamError);
  if (AudioUnitGetPropertyInfo(unit, place->id, place->scope, place->element, NULL, NULL) != noErr) fault(place, "asked nothing", 1, 0);
  if (place->status != noErr || is_question(place->id) || is_text(place->id) || is_preset(place->id) || is_object(place->id)) return;
  if (place->got != place->size) fault(place, "size", place->got, place->size);
  if (place->size < 2 || place->size > most_bytes || place->id == kAudioUnitProperty_FrequencyResponse) return;
  memset(room, 0x77, sizeof room);
  size = place->size - 1;
  status = AudioUnitGetProperty(unit, place->id, place->scope, place->element, room, &size);
  if (status == noErr && (size != place->size - 1 || memcmp(room, place->bytes, size) != 0 || room[size] != 0x77)) fault(place, "a part", size, place->size - 1);
}

// A property is unknown, or is not at this scope, or not at this element: asked in that order.
static void judge_absence(AudioUnit unit, const Places *places) {
  for (int at = 0; at < places->count; ++at) {
    const Place *place = &places->list[at];
    if (at > 0 && places->list[at - 1].id == place->id) continue;
    UInt32 size = 0;
    const OSStatus nowhere = AudioUnitGetPropertyInfo(unit, place->id, 99, 0, &size, NULL);
    if (nowhere != kAudioUnitErr_InvalidScope) fault(place, "at no scope", nowhere, kAudioUnitErr_InvalidScope);
    const OSStatus far = AudioUnitGetPropertyInfo(unit, place->id, place->scope, 70000, &size, NULL);
    if (far != noErr && far != kAudioUnitErr_InvalidElement) fault(place, "at no element", far, kAudioUnitErr_InvalidElement);
  }
  const Place unknown = {.id = 1999};
  UInt32 size = 0;
  if (AudioUnitGetPropertyInfo(unit, 1999, 99, 70000, &size, NULL) != kAudioUnitErr_InvalidProperty) fault(&unknown, "unknown", 0, kAudioUnitErr_InvalidProperty);
}

// MARK: Writing

static void say_place(UInt32 id, UInt32 scope) { printf(" %u@%u", (unsigned)id, (unsigned)scope); }

static CFStringRef another_name(void) {
  static int count;
  char text[32];
  snprintf(text, sizeof text, "name %d", ++count);
  return text_of(text);
}

// Other values than the present one.
static UInt32 candidate(const Place *place, int way, unsigned char *value) {
  memcpy(value, place->bytes, most_bytes);
  const UInt32 size = place->got;
  if (place->size == 40 && place->id == kAudioUnitProperty_StreamFormat) {
    AudioStreamBasicDescription format;
    memcpy(&format, value, sizeof format);
    const UInt32 channels = format.mChannelsPerFrame == 1 ? 2 : 1;
    if (way == 0) format = planar(format.mSampleRate == 22050 ? 48000 : 22050, format.mChannelsPerFrame);
    else if (way == 1) format = planar(format.mSampleRate, channels);
    else if (way == 2) format = pcm(32000, channels, 16, 2, kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked);
    else if (way == 3) format.mBytesPerFrame += 1;
    else format.mSampleRate = -1;
    memcpy(value, &format, sizeof format);
  } else if (is_text(place->id)) {
    const CFStringRef text = another_name();
    memcpy(value, &text, sizeof text);
    return sizeof text;
  } else if (is_preset(place->id)) {
    AUPreset preset = {way == 0 ? -1 : way == 1 ? 1 : way == 2 ? 3 : 9999, another_name()};
    if (way == 4) preset = (AUPreset){-2, NULL};
    memcpy(value, &preset, sizeof preset);
  } else if (is_object(place->id) || size > most_bytes) {
    return 0;
  } else if (place->status != noErr) {
    memset(value, 0, most_bytes);
    return way == 0 ? place->size : way == 1 && place->size > 0 ? place->size - 1 : 0;
  } else if (size == 4) {
    static const UInt32 steps[] = {1, (UInt32)-1, 2, 0x80000000, 40};
    UInt32 number;
    memcpy(&number, value, 4);
    number += steps[way];
    memcpy(value, &number, 4);
  } else if (size == 8) {
    Float64 number;
    UInt64 whole;
    memcpy(&number, value, 8), memcpy(&whole, value, 8);
    const Float64 others[] = {number == 48000 ? 32000 : 48000, 0.25, 0, -1, NAN};
    number = others[way];
    if (way == 3) ++whole, memcpy(&number, &whole, 8);
    memcpy(value, &number, 8);
  } else {
    // Lists of numbers: the last word is another one, the first and the last change places, or one is left out.
    UInt32 first, last;
    if (size < 4 || way > 2) return 0;
    memcpy(&first, value, 4), memcpy(&last, value + size - 4, 4);
    if (way == 0) last = first + 1;
    if (way == 1) memcpy(value, &last, 4), last = first;
    memcpy(value + size - 4, &last, 4);
    if (way == 2) return size - 1;
  }
  return size;
}

typedef struct Along {
  UInt32 id, scope;
} Along;

static int note(Along *list, int count, UInt32 id, UInt32 scope) {
  for (int at = 0; at < count; ++at)
    if (list[at].id == id && list[at].scope == scope) return count;
  if (count < 24) list[count++] = (Along){id, scope};
  return count;
}

// The line that is not yet ended.
static UInt32 last_id = (UInt32)-1;
static char last_text[1000];

static void end_effects(void) {
  if (*last_text) printf("%s\n", last_text);
  *last_text = 0, last_id = (UInt32)-1;
}

static Along changes[24], tells[24];
static int change_count, tell_count;

// Notes other properties that have changed, and listeners of others that were told.
static void compare_places(AudioUnit unit, const Place *set, Places *before, int was_taken) {
  for (int at = 0; at < before->count; ++at) {
    Place *old = &before->list[at], now = *old;
    if (AudioUnitGetPropertyInfo(unit, old->id, old->scope, old->element, &now.size, &now.is_writable) != noErr) now.size = 0, now.status = -1;
    else read_place(unit, &now);
    const int is_same = now.status == old->status && now.size == old->size && memcmp(now.bytes, old->bytes, most_bytes) == 0;
    if (is_same || (now.id == set->id && now.scope == set->scope && now.element == set->element)) continue;
    if (!was_taken) fault(old, "was changed by a value that is refused, or the same, of", set->id, 0);
    else change_count = note(changes, change_count, now.id, now.scope);
    *old = now;
  }
  for (int at = 0; at < told_count && at < most_told; ++at)
    if (told[at].id != set->id || told[at].scope != set->scope || told[at].element != set->element) tell_count = note(tells, tell_count, told[at].id, told[at].scope);
}

// Its own value is taken, and told once, or refused and told to nobody; either way it stays.
static int takes_its_own(AudioUnit unit, const Place *place, int is_initialized, Places *places) {
  unsigned char room[most_bytes];
  if (place->status != noErr || is_question(place->id) || is_text(place->id) || is_preset(place->id) || is_object(place->id) || place->got > most_bytes || place->got == 0) return 0;
  UInt32 size = place->got;
  if (AudioUnitGetProperty(unit, place->id, place->scope, place->element, room, &size) != noErr) return 0;
  told_count = 0;
  const OSStatus status = AudioUnitSetProperty(unit, place->id, place->scope, place->element, room, size);
  const int times = times_told(place->id, place->scope, place->element);
  if (status != noErr ? told_count != 0 : times != 1) fault(place, "told of its own value", status != noErr ? told_count : times, status == noErr);
  if (status != noErr && place->is_writable && !(is_initialized && status == kAudioUnitErr_Initialized)) fault(place, "its own value", status, 0);
  Place now = *place;
  read_place(unit, &now);
  if (now.got != place->got || memcmp(now.bytes, place->bytes, most_bytes) != 0) fault(place, "its own value changes it", 1, 0);
  compare_places(unit, place, places, 0);
  return status == noErr;
}

// One line for the elements and scopes of a property that do the same.
static void say_effects(const Place *place, int taken, int refused) {
  char text[1000];
  size_t length = 0;
  if (taken == 0) length += (size_t)snprintf(text, sizeof text, ": refused %d", refused);
  for (int at = 0; at < change_count; ++at)
    length += (size_t)snprintf(text + length, sizeof text - length, "%s %u@%u", at ? "" : ": changes", (unsigned)changes[at].id, (unsigned)changes[at].scope);
  for (int at = 0; at < tell_count; ++at)
    length += (size_t)snprintf(text + length, sizeof text - length, "%s %u@%u", at ? "" : ": tells", (unsigned)tells[at].id, (unsigned)tells[at].scope);
  if (last_id != place->id || strcmp(text, last_text) != 0) {
    end_effects();
    printf(" %u", (unsigned)place->id);
    last_id = place->id;
    memcpy(last_text, text, sizeof text);
  }
  printf("@%u:%u", (unsigned)place->scope, (unsigned)place->element);
}

static void set_place(AudioUnit unit, Place *place, Places *places) {
  int taken = 0, refused = 0;
  change_count = tell_count = 0;
  for (int way = 0; way < 5 && taken < 2; ++way) {
    unsigned char value[most_bytes], expected[most_bytes];
    read_place(unit, place);
    const UInt32 size = candidate(place, way, value);
    if (size == 0) continue;
    memcpy(expected, value, sizeof value);
    told_count = 0;
    const OSStatus status = AudioUnitSetProperty(unit, place->id, place->scope, place->element, value, size);
    const int times = times_told(place->id, place->scope, place->element);
    if (status != noErr ? told_count != 0 : times != 1) fault(place, status != noErr ? "told, though refused" : "told", status != noErr ? told_count : times, status == noErr);
    status == noErr ? ++taken : ++refused;
    Place now = *place;
    AudioUnitGetPropertyInfo(unit, place->id, place->scope, place->element, &now.size, &now.is_writable);
    read_place(unit, &now);
    const int is_same = now.got == place->got && memcmp(now.bytes, place->bytes, most_bytes) == 0;
    if (status != noErr && !is_same) fault(place, "is another, though it was refused, by way", way, 0);
    if (status == noErr && now.status == noErr && !is_text(place->id) && !is_preset(place->id) && place->size == size) {
      // The value that was taken is there; some values have only a few forms, which are taken again as they are.
      if (memcmp(now.bytes, expected, size) != 0) {
        Place again = now;
        const OSStatus once_more = AudioUnitSetProperty(unit, place->id, place->scope, place->element, now.bytes, now.got);
        read_place(unit, &again);
        if (once_more != noErr || memcmp(again.bytes, now.bytes, most_bytes) != 0) fault(place, "its own value again", once_more, 0);
        if (place->id == kAudioUnitProperty_StreamFormat || place->id == kAudioUnitProperty_SampleRate) fault(place, "a format is not what was set, by way", way, 0);
      }
    } else if (status == noErr && (is_text(place->id) || is_preset(place->id)) && is_same) {
      fault(place, "is the same, though another was taken, by way", way, 0);
    }
    *place = now;
    if (status == noErr || told_count) compare_places(unit, place, places, status == noErr);
  }
  if (change_count + tell_count > 0 || (taken == 0 && refused > 0)) say_effects(place, taken, refused);
}

// MARK: State

static CFPropertyListRef state_of(AudioUnit unit) {
  CFPropertyListRef state = NULL;
  UInt32 size = sizeof state;
  need(AudioUnitGetProperty(unit, kAudioUnitProperty_ClassInfo, 0, 0, &state, &size), "state");
  return state;
}

// Other values of all parameters; or how many differ between two units.
static int each_parameter(AudioUnit unit, AudioUnit other) {
  int count = 0;
  for (UInt32 scope = 0; scope < 3; ++scope) {
    for (UInt32 element = 0; element < elements(unit, scope); ++element) {
      static UInt32 ids[8192];
      UInt32 size = sizeof ids;
      if (AudioUnitGetProperty(unit, kAudioUnitProperty_ParameterList, scope, element, ids, &size) != noErr) continue;
      for (UInt32 at = 0; at < size / 4; ++at) {
        AudioUnitParameterInfo info;
        UInt32 bytes = sizeof info;
        Float32 value = 0, there = 0;
        if (AudioUnitGetProperty(unit, kAudioUnitProperty_ParameterInfo, scope, ids[at], &info, &bytes) != noErr || !(info.flags & kAudioUnitParameterFlag_IsWritable)) continue;
        if (info.flags & kAudioUnitParameterFlag_HasCFNameString && info.flags & kAudioUnitParameterFlag_CFNameRelease && info.cfNameString) CFRelease(info.cfNameString);
        if (other == NULL) {
          const Float32 high = isfinite(info.maxValue) ? info.maxValue : 1000;
          value = (Float32)draw_between(info.minValue, high);
          if (info.unit == kAudioUnitParameterUnit_Indexed || info.unit == kAudioUnitParameterUnit_Boolean) value = rintf(value);
          count += AudioUnitSetParameter(unit, ids[at], scope, element, value, 0) == noErr;
        } else if (AudioUnitGetParameter(unit, ids[at], scope, element, &value) != noErr || AudioUnitGetParameter(other, ids[at], scope, element, &there) != noErr || value != there) {
          ++count;
        }
      }
    }
  }
  return count;
}

static void set_counts(AudioUnit unit) {
  set_uint(unit, kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, 5);
  set_uint(unit, kAudioUnitProperty_ElementCount, kAudioUnitScope_Output, 0, 3);
}

static void judge_state(AudioComponent component, Places *places) {
  const Place state_place = {.id = kAudioUnitProperty_ClassInfo}, preset_place = {.id = kAudioUnitProperty_PresentPreset};
  AudioUnit unit, fresh;
  need(AudioComponentInstanceNew(component, &unit), "new");
  need(AudioComponentInstanceNew(component, &fresh), "new");
  set_counts(unit), set_counts(fresh);
  for (int has_name = 0; has_name < 2; ++has_name) {
    const int count = each_parameter(unit, NULL);
    AUPreset preset = {-1, text_of("a preset of a host")};
    if (has_name) need(AudioUnitSetProperty(unit, kAudioUnitProperty_PresentPreset, 0, 0, &preset, sizeof preset), "preset");
    find_places(fresh, places);
    if (!has_name) listen(fresh, places);
    CFPropertyListRef state = state_of(unit);
    told_count = 0;
    const OSStatus status = AudioUnitSetProperty(fresh, kAudioUnitProperty_ClassInfo, 0, 0, &state, sizeof state);
    if (status != noErr) fault(&state_place, "status of a state", status, 0);
    if (times_told(kAudioUnitProperty_ClassInfo, 0, 0) != 1) fault(&state_place, "told of a state", times_told(kAudioUnitProperty_ClassInfo, 0, 0), 1);
    if (times_told(kAudioUnitProperty_PresentPreset, 0, 0) != 1) fault(&preset_place, "told of a state", times_told(kAudioUnitProperty_PresentPreset, 0, 0), 1);
    change_count = tell_count = 0;
    compare_places(fresh, &state_place, places, 1);
    printf(" state %d: %d parameters; changes", has_name, count);
    for (int at = 0; at < change_count; ++at) say_place(changes[at].id, changes[at].scope);
    printf("; tells");
    for (int at = 0; at < tell_count; ++at) say_place(tells[at].id, tells[at].scope);
    printf("\n");
    if (each_parameter(unit, fresh) != 0) fault(&state_place, "parameters of a state that are not there", each_parameter(unit, fresh), 0);
    CFPropertyListRef back = state_of(fresh);
    // A state is a preset of the host's, whatever it was before.
    if (has_name && !CFEqual(state, back)) fault(&state_place, "the state of the restored unit is another", 1, 0);
    Place now = {.id = kAudioUnitProperty_PresentPreset, .size = sizeof(AUPreset)};
    read_place(fresh, &now);
    SInt32 number;
    memcpy(&number, now.bytes, 4);
    if (has_name && number != -1) fault(&preset_place, "number of a restored preset", number, -1);
    CFRelease(state), CFRelease(back), CFRelease(preset.presetName);
  }
  need(AudioComponentInstanceDispose(unit), "dispose");
  need(AudioComponentInstanceDispose(fresh), "dispose");
}

static void no_state(AudioUnit unit, CFPropertyListRef wrong) {
  const Place place = {.id = kAudioUnitProperty_ClassInfo};
  told_count = 0;
  const OSStatus status = AudioUnitSetProperty(unit, kAudioUnitProperty_ClassInfo, 0, 0, &wrong, sizeof wrong);
  if (status == noErr || told_count != 0) fault(&place, "told of another unit's state", told_count, 0);
}

void all_properties(void) {
  // Refusals are judged here, and not told.
  unsetenv("AUBENCH_LOG");
  static Places places;
  AudioComponentDescription any = {0};
  AudioUnit other = unit_of("aumx", "3dem"), second = unit_of("aufx", "lpas");
  CFPropertyListRef wrong = state_of(other), wrong_too = state_of(second);
  draw_from(42);
  for (AudioComponent component = NULL; (component = AudioComponentFindNext(component, &any)) != NULL;) {
    AudioComponentDescription found;
    need(AudioComponentGetDescription(component, &found), "description");
    snprintf(unit_name, sizeof unit_name, "%s", status_text((OSStatus)found.componentSubType));
    for (int is_initialized = 0; is_initialized < 2; ++is_initialized) {
      AudioUnit unit;
      need(AudioComponentInstanceNew(component, &unit), "new");
      set_counts(unit);
      find_places(unit, &places);
      listen(unit, &places);
      told_count = 0;
      if (is_initialized) printf(" initialize %s, told %d\n", status_text(AudioUnitInitialize(unit)), told_count);
      find_places(unit, &places);
      judge_absence(unit, &places);
      int own = 0;
      for (int at = 0; at < places.count; ++at) own += takes_its_own(unit, &places.list[at], is_initialized, &places);
      if (is_initialized) printf(" takes its own value at %d\n", own);
      int writable = 0;
      for (int at = 0; at < places.count; ++at) writable += places.list[at].is_writable, judge_reading(unit, &places.list[at]);
      if (!is_initialized) printf("%s %s: %d places, %d writable\n", status_text((OSStatus)found.componentType), unit_name, places.count, writable);
      for (int pass = 0; pass < 2; ++pass) {
        for (int at = 0; at < places.count; ++at) {
          Place *place = &places.list[at];
          // The number of elements comes last: it changes what there is.
          if (place->is_writable && (place->id == kAudioUnitProperty_ElementCount) == pass) set_place(unit, place, &places);
        }
      }
      end_effects();
      no_state(unit, found.componentSubType == '3dem' ? wrong_too : wrong);
      need(AudioComponentInstanceDispose(unit), "dispose");
    }
    judge_state(component, &places);
  }
  CFRelease(wrong), CFRelease(wrong_too);
  printf("faults: %d\n", faults);
}
