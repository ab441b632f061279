// Every property and parameter of every unit: what it is, what it takes, and what it says afterwards.
#include "host.h"

// The file for lines: behind initialization only those that have changed.
static FILE *out;

static const UInt32 named[] = {0x6673697A, 0x66737A23};

// Values that point into memory differ from run to run.
static int is_pointer(const unsigned char *bytes, UInt32 size) {
  for (UInt32 at = 0; at + 8 <= size; at += 8) {
    unsigned long long word;
    memcpy(&word, bytes + at, 8);
    if (word >> 40 && word >> 48 == 0) return 1;
  }
  return 0;
}

static void say_bytes(const unsigned char *bytes, UInt32 size) {
  if (is_pointer(bytes, size)) {
    fprintf(out, "*");
  } else if (size > 64) {
    fprintf(out, "#%016llx", digest(0, bytes, size));
  } else {
    for (UInt32 at = 0; at < size; ++at) fprintf(out, "%02x", bytes[at]);
  }
}

// Properties that take or give references to others' memory: only their size is printed.
static int is_reference(UInt32 id) {
  switch (id) {
    case kAudioUnitProperty_ClassInfo:
    case kAudioUnitProperty_MakeConnection:
    case kAudioUnitProperty_FactoryPresets:
    case kAudioUnitProperty_ElementName:
    case kAudioUnitProperty_SetRenderCallback:
    case kAudioUnitProperty_HostCallbacks:
    case kAudioUnitProperty_ContextName:
    case kAudioUnitProperty_PresentPreset:
    case kAudioUnitProperty_ClassInfoFromDocument:
    case kAudioUnitProperty_InPlaceProcessing:
    case kAudioUnitProperty_NickName:
    case kAudioOutputUnitProperty_SetInputCallback:
    case kAudioUnitProperty_FastDispatch:
    case kAudioUnitProperty_ScheduledFileIDs:
    case 64005:
    case 64009: return 1;
    default: return 0;
  }
}

static void try_values(AudioUnit unit, UInt32 id, UInt32 scope, UInt32 element, const unsigned char *former, UInt32 size) {
  static const UInt32 numbers[] = {0, 1, 2, 3, 4, 5, 6, 8, 32, 50, 64, 96, 127, 128, 512, 1024, 4096, 4097, 65537, 0x80000000, 0xFFFFFFFF};
  static const Float64 reals[] = {0, 1, 7999.5, 8000, 44100, 44100.5, 48000, 192000, 3e6, 3000001, -1, INFINITY, NAN};
  const size_t count = size == 4 ? sizeof numbers / 4 : size == 8 ? sizeof reals / 8 : 0;
  fprintf(out, "    set");
  for (size_t index = 0; index < count; ++index) {
    unsigned char value[8], back[8] = {0};
    memcpy(value, size == 4 ? (const void *)&numbers[index] : (const void *)&reals[index], size);
    OSStatus status = AudioUnitSetProperty(unit, id, scope, element, value, size);
    UInt32 got = size;
    OSStatus again = AudioUnitGetProperty(unit, id, scope, element, back, &got);
    if (status == noErr) {
      fprintf(out, " %zu:", index);
      if (again != noErr || got != size) fprintf(out, "%s/%u", status_text(again), (unsigned)got);
      else if (memcmp(back, value, size) != 0) say_bytes(back, size);
    } else {
      fprintf(out, " %s", status_text(status));
    }
  }
  fprintf(out, " | short %s", status_text(AudioUnitSetProperty(unit, id, scope, element, former, size > 0 ? size - 1 : 0)));
  fprintf(out, " none %s", status_text(AudioUnitSetProperty(unit, id, scope, element, NULL, 0)));
  fprintf(out, " back %s\n", status_text(AudioUnitSetProperty(unit, id, scope, element, former, size)));
}

static void one_property(AudioUnit unit, UInt32 id, UInt32 scope, UInt32 element) {
  UInt32 size = 0;
  Boolean writable = 0;
  OSStatus status = AudioUnitGetPropertyInfo(unit, id, scope, element, &size, &writable);
  if (status == kAudioUnitErr_InvalidProperty || status == kAudioUnitErr_InvalidScope || status == kAudioUnitErr_InvalidElement) return;
  fprintf(out, "  %u@%u:%u", (unsigned)id, (unsigned)scope, (unsigned)element);
  if (status != noErr) {
    fprintf(out, " %s\n", status_text(status));
    return;
  }
  fprintf(out, " %u%s", (unsigned)size, writable ? "w" : "");
  static unsigned char bytes[65536];
  if (size > sizeof bytes || is_reference(id)) {
    fprintf(out, "\n");
    return;
  }
  memset(bytes, 0, sizeof bytes);
  UInt32 got = size;
  status = AudioUnitGetProperty(unit, id, scope, element, bytes, &got);
  fprintf(out, " %s ", status_text(status));
  if (status == noErr) say_bytes(bytes, got);
  UInt32 little = size > 0 ? size - 1 : 0;
  unsigned char less[65536];
  OSStatus shorter = AudioUnitGetProperty(unit, id, scope, element, less, &little);
  if (shorter != noErr || little + 1 != size) fprintf(out, " short %s/%u", status_text(shorter), (unsigned)little);
  fprintf(out, "\n");
  if (status == noErr && writable && id != kAudioUnitProperty_StreamFormat) try_values(unit, id, scope, element, bytes, got);
  if (status != noErr && writable) try_values(unit, id, scope, element, bytes, size);
}

static void properties(AudioUnit unit) {
  for (UInt32 scope = 0; scope < 5; ++scope) {
    for (UInt32 element = 0; element < 3; ++element) {
      static const UInt32 ranges[][2] = {{0, 72}, {2000, 2012}, {2098, 2112}, {2200, 2206}, {3000, 3020}, {3308, 3322}, {63999, 64010}};
      for (size_t range = 0; range < sizeof ranges / sizeof ranges[0]; ++range) {
        for (UInt32 id = ranges[range][0]; id < ranges[range][1]; ++id) one_property(unit, id, scope, element);
      }
      for (size_t index = 0; index < 2; ++index) one_property(unit, named[index], scope, element);
    }
  }
}

static void one_parameter(AudioUnit unit, UInt32 id, UInt32 scope, UInt32 element) {
  AudioUnitParameterInfo info;
  memset(&info, 0, sizeof info);
  UInt32 size = sizeof info;
  OSStatus status = AudioUnitGetProperty(unit, kAudioUnitProperty_ParameterInfo, scope, id, &info, &size);
  Float32 value = NAN;
  OSStatus got = AudioUnitGetParameter(unit, id, scope, element, &value);
  fprintf(out, "  p%u@%u:%u %s", (unsigned)id, (unsigned)scope, (unsigned)element, status_text(status));
  if (status == noErr) {
    fprintf(out, " %s %u %.9g...%.9g %.9g %x", info.name, (unsigned)info.unit, info.minValue, info.maxValue, info.defaultValue,
           (unsigned)info.flags);
  }
  fprintf(out, " = %s %.9g set", status_text(got), value);
  const Float32 tries[] = {info.minValue - 1, info.minValue, (info.minValue + info.maxValue) / 2, info.maxValue,
                           info.maxValue + 1, INFINITY, NAN};
  for (size_t index = 0; index < sizeof tries / 4; ++index) {
    OSStatus set = AudioUnitSetParameter(unit, id, scope, element, tries[index], 0);
    Float32 now = NAN;
    AudioUnitGetParameter(unit, id, scope, element, &now);
    fprintf(out, " %s/%.9g", status_text(set), now);
  }
  fprintf(out, " back %s\n", status_text(AudioUnitSetParameter(unit, id, scope, element, value, 0)));
}

static void parameters(AudioUnit unit) {
  for (UInt32 scope = 0; scope < 3; ++scope) {
    for (UInt32 element = 0; element < 2; ++element) {
      UInt32 ids[512], size = sizeof ids;
      if (AudioUnitGetProperty(unit, kAudioUnitProperty_ParameterList, scope, element, ids, &size) != noErr) continue;
      for (UInt32 index = 0; index < size / 4; ++index) one_parameter(unit, ids[index], scope, element);
    }
  }
  Float32 value;
  fprintf(out, "  none %s %s %s\n", status_text(AudioUnitGetParameter(unit, 77777, 0, 0, &value)),
         status_text(AudioUnitSetParameter(unit, 0, 7, 0, 0, 0)), status_text(AudioUnitSetParameter(unit, 0, 1, 99, 0, 0)));
}

static char *told(AudioUnit unit) {
  char *text = NULL;
  size_t size = 0;
  out = open_memstream(&text, &size);
  properties(unit);
  parameters(unit);
  fclose(out);
  return text;
}

// The lines of `after` that differ from those of `before`.
static void say_changes(const char *before, const char *after) {
  while (*after) {
    const size_t had = strcspn(before, "\n"), has = strcspn(after, "\n");
    if (had != has || memcmp(before, after, has) != 0) printf("%.*s\n", (int)has, after);
    before += had + (before[had] == '\n');
    after += has + (after[has] == '\n');
  }
}

void census(void) {
  AudioComponentDescription any = {0};
  for (AudioComponent component = NULL; (component = AudioComponentFindNext(component, &any)) != NULL;) {
    AudioComponentDescription found;
    need(AudioComponentGetDescription(component, &found), "description");
    if (found.componentManufacturer != kAudioUnitManufacturer_Apple) continue;
    UInt32 version = 0;
    need(AudioComponentGetVersion(component, &version), "version");
    printf("%s %s %x %x version %x\n", status_text((OSStatus)found.componentType), status_text((OSStatus)found.componentSubType),
           (unsigned)found.componentFlags, (unsigned)found.componentFlagsMask, (unsigned)version);
    AudioUnit unit;
    need(AudioComponentInstanceNew(component, &unit), "new");
    char *before = told(unit);
    fputs(before, stdout);
    printf(" initialize %s\n", status_text(AudioUnitInitialize(unit)));
    char *after = told(unit);
    say_changes(before, after);
    printf(" uninitialize %s\n", status_text(AudioUnitUninitialize(unit)));
    free(before);
    free(after);
    need(AudioComponentInstanceDispose(unit), "dispose");
  }
}
