// Words for people: the texts of every parameter's values and back again, names and clumps cut to a length, names of values; what the environment's
// variables refuse. By rule: a value's text says that value, a name's own length is no cut, a list of names has one for each value.
#include <unistd.h>

#include "refused.h"

static const char *text_at(CFStringRef text) {
  static char rooms[4][256];
  static int next;
  char *room = rooms[next++ % 4];
  *room = 0;
  if (text) CFStringGetCString(text, room, 256, utf8), CFRelease(text);
  return room;
}

static OSStatus text_of_value(AudioUnit one, UInt32 scope, UInt32 id, const Float32 *value, const char **text) {
  AudioUnitParameterStringFromValue request = {id, value, NULL};
  UInt32 size = sizeof request;
  const OSStatus status = AudioUnitGetProperty(one, kAudioUnitProperty_ParameterStringFromValue, scope, 0, &request, &size);
  *text = status == noErr ? text_at(request.outString) : "";
  return status;
}
static OSStatus value_of_text(AudioUnit one, UInt32 scope, UInt32 id, const char *text, Float32 *value) {
  AudioUnitParameterValueFromString request = {id, text_of(text), -77};
  CFStringRef given = request.inString;
  UInt32 size = sizeof request;
  const OSStatus status = AudioUnitGetProperty(one, kAudioUnitProperty_ParameterValueFromString, scope, 0, &request, &size);
  CFRelease(given);
  *value = request.outValue;
  return status;
}
static OSStatus name_of(AudioUnit one, UInt32 property, UInt32 scope, UInt32 id, SInt32 wanted, const char **name) {
  AudioUnitParameterIDName request = {id, wanted, NULL};
  UInt32 size = sizeof request;
  const OSStatus status = AudioUnitGetProperty(one, property, scope, 0, &request, &size);
  *name = status == noErr ? text_at(request.outName) : "";
  return status;
}

static void judge_text(const char *unit_name, UInt32 scope, UInt32 id, const char *what, int found, int expected) {
  char line[160];
  snprintf(line, sizeof line, "%s parameter %u@%u: %s", unit_name, (unsigned)id, (unsigned)scope, what);
  judge(line, found, expected);
}

static void ask_parameter(AudioUnit one, const char *unit_name, UInt32 scope, UInt32 id) {
  AudioUnitParameterInfo info;
  UInt32 size = sizeof info;
  need(AudioUnitGetProperty(one, kAudioUnitProperty_ParameterInfo, scope, id, &info, &size), "information");
  char name[256];
  const char *cut, *text;
  snprintf(name, sizeof name, "%s", text_at(info.cfNameString));
  judge_text(unit_name, scope, id, "names differ", strncmp(name, info.name, 51), 0);
  judge_text(unit_name, scope, id, "full name", name_of(one, kAudioUnitProperty_ParameterIDName, scope, id, -1, &cut), 0), judge_text(unit_name, scope, id, "full name differs", strcmp(cut, name), 0);
  const int length = (int)strlen(name);
  for (int wanted = 0; wanted <= length + 1; ++wanted) {
    judge_text(unit_name, scope, id, "short name", name_of(one, kAudioUnitProperty_ParameterIDName, scope, id, wanted, &cut), 0);
    judge_text(unit_name, scope, id, "length of a short name", (int)strlen(cut), wanted < length ? wanted : length), judge_text(unit_name, scope, id, "short name differs", strncmp(cut, name, strlen(cut)), 0);
  }
  // Names of values, where the flag says so: one for each value from the smallest to the largest, and each is understood.
  const void *names = NULL;
  size = sizeof names;
  const int has_names = (info.flags & kAudioUnitParameterFlag_ValuesHaveStrings) != 0;
  const OSStatus listed = AudioUnitGetProperty(one, kAudioUnitProperty_ParameterValueStrings, scope, id, &names, &size);
  judge_text(unit_name, scope, id, "list of values", listed, has_names ? 0 : kAudioUnitErr_InvalidProperty);
  if (listed == noErr) judge_text(unit_name, scope, id, "names of values", (int)CFArrayGetCount(names), (int)(info.maxValue - info.minValue) + 1), CFRelease(names);
  const Float32 values[] = {info.minValue, info.maxValue, info.defaultValue, info.minValue + (info.maxValue - info.minValue) / 2};
  for (int at = 0; at < 4; ++at) {
    Float32 value = values[at], back;
    if (info.unit == kAudioUnitParameterUnit_Indexed || info.unit == kAudioUnitParameterUnit_Boolean) value = floorf(value);
    char said[256];
    judge_text(unit_name, scope, id, "text of a value", text_of_value(one, scope, id, &value, &text), 0);
    snprintf(said, sizeof said, "%s", text);
    judge_text(unit_name, scope, id, said, value_of_text(one, scope, id, said, &back), 0);
    judge_text(unit_name, scope, id, said, back == value, 1);
    // The present value goes without a pointer.
    if (info.flags & kAudioUnitParameterFlag_IsWritable) {
      const char *present;
      need(AudioUnitSetParameter(one, id, scope, 0, value, 0), "set");
      judge_text(unit_name, scope, id, "text of the present value", text_of_value(one, scope, id, NULL, &present), 0), judge_text(unit_name, scope, id, "present text differs", strcmp(present, said), 0);
    }
  }
  static const char *const strange[] = {"", "loud", "nan", "inf", "-inf", "Hz 5", "1e999"};
  for (int at = 0; at < 7; ++at) {
    Float32 back;
    judge_text(unit_name, scope, id, strange[at], value_of_text(one, scope, id, strange[at], &back), kAudioUnitErr_InvalidPropertyValue);
  }
}

static void all_parameters(void) {
  const AudioComponentDescription any = {0, 0, 'appl', 0, 0};
  for (AudioComponent kind = AudioComponentFindNext(NULL, &any); kind; kind = AudioComponentFindNext(kind, &any)) {
    AudioComponentDescription description;
    AudioUnit one;
    need(AudioComponentGetDescription(kind, &description), "description"), need(AudioComponentInstanceNew(kind, &one), "new");
    for (UInt32 scope = 0; scope < 3; ++scope) {
      UInt32 ids[256], size = sizeof ids;
      if (AudioUnitGetProperty(one, kAudioUnitProperty_ParameterList, scope, 0, ids, &size) != noErr) continue;
      for (UInt32 at = 0; at < size / 4; ++at) ask_parameter(one, status_text((OSStatus)description.componentSubType), scope, ids[at]);
      const char *name;
      Float32 value;
      ANSWERS(kAudioUnitErr_InvalidParameter, name_of(one, kAudioUnitProperty_ParameterIDName, scope, 0xFFFFFFF0, -1, &name));
      ANSWERS(kAudioUnitErr_InvalidParameter, text_of_value(one, scope, 0xFFFFFFF0, NULL, &name));
      ANSWERS(kAudioUnitErr_InvalidParameter, value_of_text(one, scope, 0xFFFFFFF0, "1", &value));
    }
    need(AudioComponentInstanceDispose(one), "dispose");
  }
  say_judged("texts of parameters");
}

// Clumps: parameters of a band belong together under a name.
static void all_clumps(void) {
  AudioUnit equalizer = unit_of("aufx", "nbeq");
  const char *name, *cut;
  ANSWERS(kAudioUnitErr_InvalidPropertyValue, name_of(equalizer, kAudioUnitProperty_ParameterClumpName, 0, 0, -1, &name));
  for (UInt32 clump = 1; clump <= 17; ++clump) {
    const OSStatus status = name_of(equalizer, kAudioUnitProperty_ParameterClumpName, 0, clump, -1, &name);
    if (status == noErr) {
      printf("clump %u: %s", (unsigned)clump, name);
      ANSWERS(0, name_of(equalizer, kAudioUnitProperty_ParameterClumpName, 0, clump, 3, &cut));
      printf(", %s\n", cut);
    } else {
      ANSWERS(kAudioUnitErr_InvalidProperty, status);
    }
  }
  AudioUnit plain = unit_of("aufx", "lpas");
  ANSWERS(kAudioUnitErr_InvalidProperty, name_of(plain, kAudioUnitProperty_ParameterClumpName, 0, 1, -1, &name));
  need(AudioComponentInstanceDispose(equalizer), "dispose"), need(AudioComponentInstanceDispose(plain), "dispose");
  say_judged("clumps");
}

// What an offline unit calls its first pass.
static void preflights(void) {
  const AudioComponentDescription wanted = {'auol', 'norm', 'aubn', 0, 0};
  AudioUnit one;
  CFStringRef name = NULL;
  UInt32 size = sizeof name;
  need(AudioComponentInstanceNew(AudioComponentFindNext(NULL, &wanted), &one), "normalizer");
  ANSWERS(0, AudioUnitGetProperty(one, kAudioUnitOfflineProperty_PreflightName, 0, 0, &name, &size));
  printf("preflight: %s\n", text_at(name));
  need(AudioComponentInstanceDispose(one), "dispose");
}

// A mixer without inputs gets one with a callback of the whole unit; a callback of an input needs that input.
static void first_inputs(void) {
  AudioUnit mixer = unit_of("aumx", "mcmx");
  const AURenderCallbackStruct callback = {give_silence, NULL}, none = {NULL, NULL};
  UInt32 count = 9, size = 4;
  ANSWERS(0, set_uint(mixer, kAudioUnitProperty_ElementCount, 1, 0, 0));
  ANSWERS(kAudioUnitErr_InvalidElement, AudioUnitSetProperty(mixer, kAudioUnitProperty_SetRenderCallback, 1, 0, &callback, sizeof callback));
  // Taking a callback away adds nothing.
  ANSWERS(kAudioUnitErr_InvalidElement, AudioUnitSetProperty(mixer, kAudioUnitProperty_SetRenderCallback, 0, 0, &none, sizeof none));
  need(AudioUnitGetProperty(mixer, kAudioUnitProperty_ElementCount, 1, 0, &count, &size), "count"), HOLDS(count == 0);
  ANSWERS(0, AudioUnitSetProperty(mixer, kAudioUnitProperty_SetRenderCallback, 0, 0, &callback, sizeof callback));
  need(AudioUnitGetProperty(mixer, kAudioUnitProperty_ElementCount, 1, 0, &count, &size), "count"), HOLDS(count == 1);
  need(AudioComponentInstanceDispose(mixer), "dispose");
  say_judged("a mixer without inputs");
}

// MARK: The environment

// This program with a variable, in a scenario that makes a unit.
void make_one_unit(void) {
  UInt32 longest = 0, size = 4;
  AudioUnit one = unit_of("aufx", "lpas");
  need(AudioUnitGetProperty(one, kAudioUnitProperty_MaximumFramesPerSlice, 0, 0, &longest, &size), "frames");
  printf("%u frames\n", (unsigned)longest);
  need(AudioComponentInstanceDispose(one), "dispose");
}

static void environment(void) {
  static const char *const rows[] = {"MAXIMUM_FRAMES=0", "MAXIMUM_FRAMES=1", "MAXIMUM_FRAMES=1024", "MAXIMUM_FRAMES=1048576", "MAXIMUM_FRAMES=1048577", "MAXIMUM_FRAMES=many", "MAXIMUM_FRAMES=", "THREADS=0", "THREADS=256", "THREADS=257", "ISA=baseline", "ISA=sse", "MEMORY=4G", "MEMORY=much", "LOG=0", "LOG=2", "COMPONENT_LOG=yes"};
  char program[4096], command[8192];
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  need(length > 0 ? noErr : -1, "program");
  program[length] = 0;
  for (size_t row = 0; row < sizeof rows / sizeof rows[0]; ++row) {
    printf("%s: ", rows[row]), fflush(stdout);
    snprintf(command, sizeof command, "AUBENCH_%s '%s' one-unit 2>&1", rows[row], program);
    need(system(command), "a unit");
  }
}

void all_words(void) {
  all_parameters(), all_clumps(), preflights(), first_inputs();
  environment();
}
