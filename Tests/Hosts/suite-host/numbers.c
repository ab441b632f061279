// Numbers of properties at both ends of what is allowed and beyond, and what is read then: presets of each unit that has any, and of one that has none; words of a
// voice unit, the ducking of other sound among them, in which three bytes behind a Boolean mean nothing.
#include "host.h"

static void say_preset(AudioUnit unit) {
  AUPreset preset = {-99, NULL};
  UInt32 size = sizeof preset;
  const OSStatus status = AudioUnitGetProperty(unit, kAudioUnitProperty_PresentPreset, kAudioUnitScope_Global, 0, &preset, &size);
  char name[64] = "-";
  if (status == noErr && preset.presetName) CFStringGetCString(preset.presetName, name, sizeof name, utf8), CFRelease(preset.presetName);
  if (status == noErr) printf(" is %d \"%s\"", (int)preset.presetNumber, name);
  else printf(" is %s", status_text(status));
}

// - Parameter last: the number of the last factory preset.
static void presets(const char *subtype, SInt32 last) {
  const SInt32 numbers[] = {INT32_MIN, -1000, -5, -2, -1, 0, last, last + 1, 127, INT32_MAX};
  AudioUnit unit = unit_of("aufx", subtype);
  printf("%s new", subtype), say_preset(unit), printf("\n");
  for (size_t index = 0; index < sizeof numbers / sizeof numbers[0]; ++index) {
    for (int is_named = 0; is_named < 2; ++is_named) {
      // One that is selected stays where another is refused.
      AUPreset preset = {1, NULL};
      AudioUnitSetProperty(unit, kAudioUnitProperty_PresentPreset, kAudioUnitScope_Global, 0, &preset, sizeof preset);
      preset = (AUPreset){numbers[index], is_named ? text_of("mine") : NULL};
      printf("%s %d%s: %s", subtype, (int)numbers[index], is_named ? " named" : "",
             status_text(AudioUnitSetProperty(unit, kAudioUnitProperty_PresentPreset, kAudioUnitScope_Global, 0, &preset, sizeof preset)));
      say_preset(unit), printf("\n");
      if (preset.presetName) CFRelease(preset.presetName);
    }
  }
  need(AudioComponentInstanceDispose(unit), "dispose");
}

static void ducking(AudioUnit unit) {
  static const UInt32 levels[] = {0, 1, 9, 10, 11, 20, 30, 31, 40, 0xFFFFFFFF};
  for (UInt32 first = 0; first < 4; ++first) {
    for (size_t index = 0; index < sizeof levels / sizeof levels[0]; ++index) {
      const UInt32 start[2] = {1, 20}, words[2] = {0xABCDEF00u | first, levels[index]};
      UInt32 got[2] = {9, 9}, size = sizeof got;
      need(AudioUnitSetProperty(unit, kAUVoiceIOProperty_OtherAudioDuckingConfiguration, kAudioUnitScope_Global, 0, start, sizeof start), "ducking");
      printf("ducking %x %u: %s", (unsigned)words[0], (unsigned)words[1],
             status_text(AudioUnitSetProperty(unit, kAUVoiceIOProperty_OtherAudioDuckingConfiguration, kAudioUnitScope_Global, 0, words, sizeof words)));
      need(AudioUnitGetProperty(unit, kAUVoiceIOProperty_OtherAudioDuckingConfiguration, kAudioUnitScope_Global, 0, got, &size), "ducking");
      printf(" is %x %u\n", (unsigned)got[0], (unsigned)got[1]);
    }
  }
}

static void voice_words(AudioUnit unit) {
  static const UInt32 ids[] = {2100, 2101, 2102, 2103, 2104}, values[] = {0, 1, 2, 126, 127, 128, 0xFFFFFFFF};
  for (size_t id = 0; id < sizeof ids / sizeof ids[0]; ++id) {
    for (size_t index = 0; index < sizeof values / sizeof values[0]; ++index) {
      UInt32 got = 99, size = sizeof got;
      need(set_uint(unit, ids[id], kAudioUnitScope_Global, 0, 1), "word");
      printf("word %u %u: %s", (unsigned)ids[id], (unsigned)values[index], status_text(set_uint(unit, ids[id], kAudioUnitScope_Global, 0, values[index])));
      need(AudioUnitGetProperty(unit, ids[id], kAudioUnitScope_Global, 0, &got, &size), "word");
      printf(" is %u\n", (unsigned)got);
    }
  }
}

void property_numbers(void) {
  presets("ipeq", 22), presets("rvb2", 12), presets("dist", 21), presets("lpas", 0);
  AudioUnit unit = unit_of("auou", "vpio");
  ducking(unit), voice_words(unit);
  need(AudioComponentInstanceDispose(unit), "dispose");
}
