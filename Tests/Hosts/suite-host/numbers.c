// Numbers at both ends of what is allowed and beyond, and what is read or heard then: presets of each unit that has any, and of one that has none; the frequency of a
// tone; words of a voice unit, the ducking of other sound among them, in which three bytes behind a Boolean mean nothing.
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

// A tone's frequency is held to 0 … half the rate, whatever is set: docs/laws/generators.md.
static void tones(void) {
  static const Float64 rates[] = {8000, 44100, 48000}, turns[] = {-0.1, 0, 0.1, 0.25, 0.49, 0.5, 0.51, 0.75, 1, 1.25, 40};
  for (size_t rate = 0; rate < 3; ++rate) {
    for (size_t index = 0; index < sizeof turns / sizeof turns[0]; ++index) {
      AudioComponentDescription wanted = {four("augn"), four("tone"), four("aubn"), 0, 0};
      AudioUnit unit = NULL;
      need(AudioComponentInstanceNew(AudioComponentFindNext(NULL, &wanted), &unit), "tone");
      need(set_format(unit, kAudioUnitScope_Output, 0, planar(rates[rate], 2)), "format");
      const Float32 hertz = (Float32)(turns[index] * rates[rate]);
      printf("tone %g at %g: %s", hertz, rates[rate], status_text(AudioUnitSetParameter(unit, 0, kAudioUnitScope_Global, 0, hertz, 0)));
      need(AudioUnitSetParameter(unit, 1, kAudioUnitScope_Global, 0, 0, 0), "level"), need(AudioUnitInitialize(unit), "initialize");
      Planes *room = planes_of(2, 500);
      const AudioTimeStamp stamp = {.mSampleTime = 0, .mFlags = kAudioTimeStampSampleTimeValid};
      AudioUnitRenderActionFlags flags = 0;
      need(AudioUnitRender(unit, &flags, &stamp, 0, 500, room->list), "render");
      const double turn = fmin(0.5, fmax(0, hertz / rates[rate]));
      int wrong = 0;
      for (UInt32 frame = 0; frame < 500; ++frame)
        for (UInt32 channel = 0; channel < 2; ++channel) wrong += fabs(room->samples[channel][frame] - sin(2 * M_PI * fmod(turn * frame, 1))) > 1e-5;
      printf(" %s\n", wrong ? "another tone" : "as the law has it");
      need(AudioComponentInstanceDispose(unit), "dispose");
    }
  }
}

void property_numbers(void) {
  presets("ipeq", 22), presets("rvb2", 12), presets("dist", 21), presets("lpas", 0), tones();
  AudioUnit unit = unit_of("auou", "vpio");
  ducking(unit), voice_words(unit);
  need(AudioComponentInstanceDispose(unit), "dispose");
}
