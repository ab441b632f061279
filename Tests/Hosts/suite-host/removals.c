// Things that a host has set and takes away again: properties, sources, elements, and the signal that a reset forgets. Afterwards a unit must read and sound
// as one that never had them. A value that cannot be taken away stays.
#include <aubench/DeviceScenario.h>

#include "refused.h"

enum { frames = 128 };
typedef struct Sound {
  Float32 samples[most_channels][frames];
  OSStatus status;
} Sound;
static int pulls;

// Channel by channel another value, so that each can be told from the others.
static OSStatus give_levels(void *user, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 count, AudioBufferList *data) {
  (void)user, (void)flags, (void)time;
  ++pulls;
  for (UInt32 channel = 0; channel < data->mNumberBuffers; ++channel)
    for (UInt32 frame = 0; frame < count; ++frame) ((Float32 *)data->mBuffers[channel].mData)[frame] = (Float32)((bus + 1) * (1 << channel)) / 512;
  return noErr;
}
static const AURenderCallbackStruct levels = {give_levels, NULL};

static Sound render_at(AudioUnit one, UInt32 bus, UInt32 channels, Float64 time) {
  static Sound sound;
  AudioUnitRenderActionFlags flags = 0;
  const AudioTimeStamp stamp = at_frame(time);
  Planes *planes = planes_of(channels, frames);
  memset(&sound, 0, sizeof sound);
  sound.status = AudioUnitRender(one, &flags, &stamp, bus, frames, planes->list);
  for (UInt32 channel = 0; channel < channels && sound.status == noErr; ++channel) memcpy(sound.samples[channel], planes->list->mBuffers[channel].mData, frames * 4);
  return sound;
}
static int same(Sound one, Sound other) { return one.status == other.status && memcmp(one.samples, other.samples, sizeof one.samples) == 0; }

static void fault(const char *unit_name, const char *text, UInt32 id, UInt32 scope, UInt32 element, OSStatus found, OSStatus expected) {
  char line[160];
  snprintf(line, sizeof line, "%s %u@%u:%u %s", unit_name, (unsigned)id, (unsigned)scope, (unsigned)element, text);
  judge(line, found, expected);
}

// MARK: Properties

static int told;
static void count_told(void *user, AudioUnit from, UInt32 id, UInt32 scope, UInt32 element) { (void)from, (void)id, told += scope == ((UInt32 *)user)[0] && element == ((UInt32 *)user)[1]; }

static OSStatus text_property(AudioUnit one, UInt32 id, UInt32 scope, UInt32 element, char *into) {
  CFStringRef text = NULL;
  UInt32 size = sizeof text;
  *into = 0;
  const OSStatus status = AudioUnitGetProperty(one, id, scope, element, &text, &size);
  if (status == noErr && text) CFStringGetCString(text, into, 64, utf8), CFRelease(text);
  return status;
}

// The properties that can be taken away: what is set first, and what is read with and without it.
static void remove_settings(const char *type, const char *subtype) {
  AudioUnit one = unit_of(type, subtype);
  UInt32 place[2] = {0, 0}, size;
  char text[64];
  static const UInt32 names[] = {kAudioUnitProperty_ContextName, kAudioUnitProperty_NickName};
  for (int at = 0; at < 2; ++at) {
    CFStringRef name = text_of("of the host");
    need(AudioUnitAddPropertyListener(one, names[at], count_told, place), "listener");
    for (int round = 0; round < 2; ++round) {
      told = 0;
      fault(subtype, "is set", names[at], 0, 0, AudioUnitSetProperty(one, names[at], 0, 0, &name, sizeof name), 0);
      fault(subtype, "is read", names[at], 0, 0, text_property(one, names[at], 0, 0, text), 0), HOLDS(strcmp(text, "of the host") == 0);
      fault(subtype, "is removed", names[at], 0, 0, AudioUnitSetProperty(one, names[at], 0, 0, NULL, 0), 0);
      fault(subtype, "is gone", names[at], 0, 0, text_property(one, names[at], 0, 0, text), 0), HOLDS(*text == 0);
      HOLDS(told == 2);
    }
    CFRelease(name);
  }
  HostCallbackInfo callbacks = {.hostUserData = &place}, found;
  size = sizeof found;
  fault(subtype, "before it is set", 27, 0, 0, AudioUnitGetProperty(one, 27, 0, 0, &found, &size), kAudioUnitErr_PropertyNotInUse);
  fault(subtype, "is set", 27, 0, 0, AudioUnitSetProperty(one, 27, 0, 0, &callbacks, sizeof callbacks), 0);
  size = sizeof found;
  fault(subtype, "is read", 27, 0, 0, AudioUnitGetProperty(one, 27, 0, 0, &found, &size), 0), HOLDS(memcmp(&found, &callbacks, sizeof found) == 0);
  fault(subtype, "is removed", 27, 0, 0, AudioUnitSetProperty(one, 27, 0, 0, NULL, 0), 0);
  size = sizeof found;
  fault(subtype, "is gone", 27, 0, 0, AudioUnitGetProperty(one, 27, 0, 0, &found, &size), kAudioUnitErr_PropertyNotInUse);
  for (UInt32 scope = 1; scope <= 2; ++scope) {
    UInt32 count = 0;
    size = sizeof count;
    AudioUnitGetProperty(one, kAudioUnitProperty_ElementCount, scope, 0, &count, &size);
    for (UInt32 element = 0; element < count; element += count > 4 ? count - 1 : 1) {
      AudioStreamBasicDescription format;
      size = sizeof format;
      need(AudioUnitGetProperty(one, kAudioUnitProperty_StreamFormat, scope, element, &format, &size), "format");
      const AudioChannelLayout layout = {.mChannelLayoutTag = format.mChannelsPerFrame == 2 ? kAudioChannelLayoutTag_Stereo : kAudioChannelLayoutTag_DiscreteInOrder | format.mChannelsPerFrame};
      const AudioChannelLayout wrong = {.mChannelLayoutTag = kAudioChannelLayoutTag_DiscreteInOrder | (format.mChannelsPerFrame + 1)};
      AudioChannelLayout back;
      size = sizeof back;
      fault(subtype, "before it is set", 19, scope, element, AudioUnitGetProperty(one, 19, scope, element, &back, &size), kAudioUnitErr_InvalidPropertyValue);
      fault(subtype, "is set", 19, scope, element, AudioUnitSetProperty(one, 19, scope, element, &layout, sizeof layout), 0);
      fault(subtype, "of other channels", 19, scope, element, AudioUnitSetProperty(one, 19, scope, element, &wrong, sizeof wrong), kAudioUnitErr_InvalidPropertyValue);
      fault(subtype, "cut off", 19, scope, element, AudioUnitSetProperty(one, 19, scope, element, &layout, 11), kAudioUnitErr_InvalidPropertyValue);
      size = sizeof back;
      fault(subtype, "is read", 19, scope, element, AudioUnitGetProperty(one, 19, scope, element, &back, &size), 0), HOLDS(back.mChannelLayoutTag == layout.mChannelLayoutTag);
      fault(subtype, "is removed", 19, scope, element, AudioUnitSetProperty(one, 19, scope, element, NULL, 0), 0);
      size = sizeof back;
      fault(subtype, "is gone", 19, scope, element, AudioUnitGetProperty(one, 19, scope, element, &back, &size), kAudioUnitErr_InvalidPropertyValue);
      // A name without a text is none.
      CFStringRef name = text_of("an element"), none = NULL;
      fault(subtype, "before it is set", 30, scope, element, text_property(one, 30, scope, element, text), kAudioUnitErr_PropertyNotInUse);
      fault(subtype, "is set", 30, scope, element, AudioUnitSetProperty(one, 30, scope, element, &name, sizeof name), 0);
      fault(subtype, "is read", 30, scope, element, text_property(one, 30, scope, element, text), 0), HOLDS(strcmp(text, "an element") == 0);
      fault(subtype, "is set to nothing", 30, scope, element, AudioUnitSetProperty(one, 30, scope, element, &none, sizeof none), 0);
      fault(subtype, "is gone", 30, scope, element, text_property(one, 30, scope, element, text), kAudioUnitErr_PropertyNotInUse);
      CFRelease(name);
    }
  }
  // Nothing else can be taken away, whether it is written or only read.
  static const UInt32 ranges[][2] = {{0, 80}, {1000, 1010}, {2000, 2016}, {2098, 2116}, {3000, 3040}, {3300, 3330}, {4000, 4010}, {63999, 64020}};
  for (size_t range = 0; range < sizeof ranges / sizeof ranges[0]; ++range)
    for (UInt32 id = ranges[range][0]; id < ranges[range][1]; ++id)
      for (UInt32 scope = 0; scope < 3; ++scope) {
        // An output unit takes its source at either scope, as programs have it.
        if (id == 25 || id == 54 || id == 27 || id == 19 || (scope == 2 && (id == 1 || id == 23))) continue;
        const OSStatus info = AudioUnitGetPropertyInfo(one, id, scope, 0, NULL, NULL);
        fault(subtype, "cannot be removed", id, scope, 0, AudioUnitSetProperty(one, id, scope, 0, NULL, 0), info == noErr || info == kAudioUnitErr_PropertyNotInUse ? kAudioUnitErr_InvalidPropertyValue : info);
      }
  need(AudioComponentInstanceDispose(one), "dispose");
}

// MARK: Layouts and what they do to the sound

static AudioUnit converter_of(UInt32 in_tag, UInt32 out_tag, UInt32 out_channels) {
  AudioUnit one = unit_of("aufc", "conv");
  AudioChannelLayout layout = {0};
  need(set_format(one, 1, 0, planar(48000, 6)), "format"), need(set_format(one, 2, 0, planar(48000, out_channels)), "format");
  if (in_tag) layout.mChannelLayoutTag = in_tag, need(AudioUnitSetProperty(one, 19, 1, 0, &layout, sizeof layout), "layout");
  if (out_tag) layout.mChannelLayoutTag = out_tag, need(AudioUnitSetProperty(one, 19, 2, 0, &layout, sizeof layout), "layout");
  need(AudioUnitSetProperty(one, kAudioUnitProperty_SetRenderCallback, 1, 0, &levels, sizeof levels), "callback");
  return one;
}
static Sound play_converter(AudioUnit one, UInt32 channels) {
  need(AudioUnitInitialize(one), "initialize");
  const Sound sound = render_at(one, 0, channels, 0);
  need(AudioUnitUninitialize(one), "uninitialize");
  return sound;
}

// Layouts of 5.1 in different orders on both sides: with both channels change places, with one of them or none they go by their numbers.
static void remove_layouts(void) {
  // L R C LFE Ls Rs into C L R Ls Rs LFE: the channel of the input for each of the output.
  static const int turned[] = {2, 0, 1, 4, 5, 3};
  enum { from = kAudioChannelLayoutTag_MPEG_5_1_A, to = kAudioChannelLayoutTag_MPEG_5_1_D };
  for (int removed = 0; removed < 4; ++removed) {
    AudioUnit one = converter_of(from, to, 6);
    Sound sound = play_converter(one, 6);
    for (int channel = 0; channel < 6; ++channel) HOLDS(sound.samples[channel][50] == (Float32)(1 << turned[channel]) / 512);
    if (removed & 1) need(AudioUnitSetProperty(one, 19, 1, 0, NULL, 0), "remove");
    if (removed & 2) need(AudioUnitSetProperty(one, 19, 2, 0, NULL, 0), "remove");
    AudioUnit fresh = converter_of(removed & 1 ? 0 : from, removed & 2 ? 0 : to, 6);
    const Sound expected = play_converter(fresh, 6);
    sound = play_converter(one, 6);
    HOLDS(same(sound, expected));
    if (removed == 3)
      for (int channel = 0; channel < 6; ++channel) HOLDS(sound.samples[channel][50] == (Float32)(1 << channel) / 512);
    need(AudioComponentInstanceDispose(one), "dispose"), need(AudioComponentInstanceDispose(fresh), "dispose");
  }
  say_judged("properties taken away");
}

// MARK: Sources and elements

static void remove_sources(void) {
  static const char *const kinds[][2] = {{"aufx", "lpas"}, {"aufx", "rvb2"}, {"aufc", "conv"}, {"aumx", "mcmx"}, {"aumx", "mxmx"}, {"auou", "genr"}};
  for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; ++kind)
    for (int is_initialized = 0; is_initialized < 2; ++is_initialized)
      for (int is_connection = 0; is_connection < 2; ++is_connection) {
        AudioUnit one = unit_of(kinds[kind][0], kinds[kind][1]), source = unit_of("aumx", "mcmx");
        const AURenderCallbackStruct none = {NULL, NULL};
        const AudioUnitConnection connection = {source, 0, 0}, no_connection = {NULL, 0, 0};
        need(AudioUnitSetProperty(source, kAudioUnitProperty_SetRenderCallback, 1, 0, &levels, sizeof levels), "callback"), need(AudioUnitInitialize(source), "initialize");
        if (strcmp(kinds[kind][1], "mxmx") == 0) need(set_uint(one, kAudioUnitProperty_ElementCount, 1, 0, 2), "elements");
        if (!is_initialized) {
          if (is_connection) need(AudioUnitSetProperty(one, kAudioUnitProperty_MakeConnection, 1, 0, &connection, sizeof connection), "connect");
          else need(AudioUnitSetProperty(one, kAudioUnitProperty_SetRenderCallback, 1, 0, &levels, sizeof levels), "callback");
          if (is_connection) need(AudioUnitSetProperty(one, kAudioUnitProperty_MakeConnection, 1, 0, &no_connection, sizeof no_connection), "disconnect");
          else need(AudioUnitSetProperty(one, kAudioUnitProperty_SetRenderCallback, 1, 0, &none, sizeof none), "no callback");
        }
        if (is_initialized && is_connection) need(AudioUnitSetProperty(one, kAudioUnitProperty_MakeConnection, 1, 0, &connection, sizeof connection), "connect");
        need(AudioUnitInitialize(one), "initialize");
        if (is_initialized) {
          if (!is_connection) need(AudioUnitSetProperty(one, kAudioUnitProperty_SetRenderCallback, 1, 0, &levels, sizeof levels), "callback");
          pulls = 0;
          HOLDS(render_at(one, 0, 2, 0).status == noErr && pulls == 1);
          if (is_connection) need(AudioUnitSetProperty(one, kAudioUnitProperty_MakeConnection, 1, 0, &no_connection, sizeof no_connection), "disconnect");
          else need(AudioUnitSetProperty(one, kAudioUnitProperty_SetRenderCallback, 1, 0, &none, sizeof none), "no callback");
        }
        pulls = 0;
        const Sound sound = render_at(one, 0, 2, frames);
        // A mixer is silent, all others have nothing to render.
        const int is_mixer = kinds[kind][0][3] == 'x' && kinds[kind][0][2] == 'm';
        fault(kinds[kind][1], is_connection ? "without its connection" : "without its callback", 0, 1, 0, sound.status, is_mixer ? noErr : kAudioUnitErr_NoConnection);
        HOLDS(pulls == 0);
        Float32 loudest = 0;
        for (UInt32 frame = 0; is_mixer && frame < frames; ++frame) loudest = fmaxf(loudest, fabsf(sound.samples[0][frame]));
        HOLDS(loudest == 0);
        need(AudioComponentInstanceDispose(one), "dispose"), need(AudioComponentInstanceDispose(source), "dispose");
      }
  say_judged("sources taken away");
}

// Elements that are taken away and come back are new ones.
static void remove_elements(void) {
  static const char *const kinds[] = {"mcmx", "mxmx"};
  for (int kind = 0; kind < 2; ++kind) {
    AudioUnit mixer = unit_of("aumx", kinds[kind]);
    char text[64];
    CFStringRef name = text_of("the last");
    Float32 value = 9;
    UInt32 size, word, count;
    AudioStreamBasicDescription format = planar(48000, 1);
    AudioChannelLayout layout = {.mChannelLayoutTag = kAudioChannelLayoutTag_Mono}, back;
    need(set_uint(mixer, kAudioUnitProperty_ElementCount, 1, 0, 6), "elements");
    need(AudioUnitSetProperty(mixer, kAudioUnitProperty_ElementName, 1, 5, &name, sizeof name), "name");
    need(set_format(mixer, 1, 5, format), "format");
    need(AudioUnitSetProperty(mixer, kAudioUnitProperty_AudioChannelLayout, 1, 5, &layout, sizeof layout), "layout");
    need(set_uint(mixer, kAudioUnitProperty_ShouldAllocateBuffer, 1, 5, 0), "memory");
    if (!kind) need(AudioUnitSetParameter(mixer, kMultiChannelMixerParam_Volume, 1, 5, 0.25f, 0), "volume");
    need(AudioUnitSetProperty(mixer, kAudioUnitProperty_SetRenderCallback, 1, 5, &levels, sizeof levels), "callback");
    need(set_uint(mixer, kAudioUnitProperty_ElementCount, 1, 0, 2), "elements");
    ANSWERS(kAudioUnitErr_InvalidElement, text_property(mixer, kAudioUnitProperty_ElementName, 1, 5, text));
    need(set_uint(mixer, kAudioUnitProperty_ElementCount, 1, 0, 6), "elements");
    size = 4, need(AudioUnitGetProperty(mixer, kAudioUnitProperty_ElementCount, 1, 0, &count, &size), "count"), HOLDS(count == 6);
    ANSWERS(kAudioUnitErr_PropertyNotInUse, text_property(mixer, kAudioUnitProperty_ElementName, 1, 5, text));
    size = sizeof back;
    ANSWERS(kAudioUnitErr_InvalidPropertyValue, AudioUnitGetProperty(mixer, kAudioUnitProperty_AudioChannelLayout, 1, 5, &back, &size));
    size = 4;
    ANSWERS(0, AudioUnitGetProperty(mixer, kAudioUnitProperty_ShouldAllocateBuffer, 1, 5, &word, &size)), HOLDS(word == 1);
    size = sizeof format;
    ANSWERS(0, AudioUnitGetProperty(mixer, kAudioUnitProperty_StreamFormat, 1, 5, &format, &size)), HOLDS(format.mChannelsPerFrame == 2);
    if (!kind) ANSWERS(0, AudioUnitGetParameter(mixer, kMultiChannelMixerParam_Volume, 1, 5, &value)), HOLDS(value == 1);
    need(AudioUnitInitialize(mixer), "initialize");
    pulls = 0;
    ANSWERS(0, render_at(mixer, 0, 2, 0).status), HOLDS(pulls == 0);
    need(AudioComponentInstanceDispose(mixer), "dispose");
    CFRelease(name);
  }
  say_judged("elements taken away");
}

// MARK: Resets

// The same time again is the same slice, and behind a reset, whatever its scope and element, a new one, on each output.
static void reset_slices(void) {
  static const char *const kinds[][2] = {{"aufx", "lpas"}, {"aufx", "dely"}, {"aufx", "rvb2"}, {"aufx", "lmtr"}, {"aufc", "conv"}, {"aufc", "splt"}, {"aufc", "merg"}, {"aumx", "mspl"}, {"aumx", "mcmx"}, {"aumx", "mxmx"}, {"aumx", "3dem"}, {"auou", "genr"}, {"auou", "rioc"}, {"auou", "def "}};
  for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; ++kind)
    for (UInt32 scope = 0; scope < 3; ++scope)
      for (UInt32 element = 0; element < 2; ++element) {
        AudioUnit one = unit_of(kinds[kind][0], kinds[kind][1]);
        UInt32 outputs = 1, size = 4;
        AudioUnitGetProperty(one, kAudioUnitProperty_ElementCount, 2, 0, &outputs, &size);
        if (strcmp(kinds[kind][0], "auou") == 0) outputs = 1;
        AudioStreamBasicDescription format;
        size = sizeof format;
        need(AudioUnitSetProperty(one, kAudioUnitProperty_SetRenderCallback, 1, 0, &levels, sizeof levels), kinds[kind][1]);
        if (kinds[kind][1][0] == 'm' && kinds[kind][1][1] == 'e') need(AudioUnitSetProperty(one, kAudioUnitProperty_SetRenderCallback, 1, 1, &levels, sizeof levels), "callback");
        need(AudioUnitGetProperty(one, kAudioUnitProperty_StreamFormat, 2, 0, &format, &size), "format");
        if (!(format.mFormatFlags & kAudioFormatFlagIsNonInterleaved)) set_format(one, 2, 0, planar(format.mSampleRate, 2));
        size = sizeof format, AudioUnitGetProperty(one, kAudioUnitProperty_StreamFormat, 2, 0, &format, &size);
        const UInt32 channels = format.mFormatFlags & kAudioFormatFlagIsNonInterleaved ? format.mChannelsPerFrame : 1;
        if (strcmp(kinds[kind][1], "mxmx") == 0) need(set_uint(one, kAudioUnitProperty_ElementCount, 1, 0, 2), "elements");
        if (strcmp(kinds[kind][1], "mspl") == 0) need(set_uint(one, kAudioUnitProperty_ElementCount, 2, 0, 3), "elements"), outputs = 3;
        need(AudioUnitInitialize(one), kinds[kind][1]);
        for (UInt32 bus = 0; bus < outputs; ++bus) {
          AudioUnitRenderActionFlags flags = 0;
          AudioTimeStamp stamp = at_frame(bus * 1000);
          char text[80];
          int first, again, anew;
          AudioBufferList *list = planes_of(channels, 1024)->list;
          for (UInt32 buffer = 0; buffer < channels; ++buffer) list->mBuffers[buffer].mNumberChannels = format.mChannelsPerFrame / channels;
#define PULL(count) (pulls = 0, list = planes_of(channels, 1024)->list, need(AudioUnitRender(one, &flags, &stamp, bus, 64, list), kinds[kind][1]), (count) = pulls)
          PULL(first), PULL(again);
          need(AudioUnitReset(one, scope, element), "reset");
          PULL(anew);
          snprintf(text, sizeof text, "%s output %u, reset of scope %u element %u: pulls of the same time", kinds[kind][1], (unsigned)bus, (unsigned)scope, (unsigned)element);
          judge(text, first > 0, 1), judge(text, again, 0), judge(text, anew, first);
#undef PULL
        }
        need(AudioComponentInstanceDispose(one), "dispose");
      }
  say_judged("resets of outputs");
}

static AudioUnit recorder;
static int resets, repeats, differences, recorded;
static OSStatus hear_microphone(void *user, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *stamp, UInt32 bus, UInt32 count, AudioBufferList *none) {
  (void)user, (void)none;
  static Float32 first[most_frames], second[most_frames];
  Float32 *const rooms[] = {first, second, second};
  // The same slice twice, then behind a reset: what was recorded has been taken.
  for (int pull = 0; pull < (resets ? 3 : 2); ++pull) {
    if (pull == 2) AudioUnitReset(recorder, kAudioUnitScope_Global, 0);
    memset(rooms[pull], 0x55, count * 4);
    AudioBufferList list = {1, {{1, count * 4, rooms[pull]}}};
    const OSStatus status = AudioUnitRender(recorder, flags, stamp, bus, count, &list);
    if (pull == 1) repeats += status == noErr && memcmp(first, second, count * 4) == 0;
    if (pull == 2) differences += status != noErr || memcmp(first, second, count * 4) != 0;
  }
  ++recorded;
  return noErr;
}

static void reset_input(void) {
  const char *path = temporary("removals.json");
  FILE *file = fopen(path, "w");
  fputs("{ \"version\": 1, \"device\": { \"clock\": \"told\", \"sampleRate\": 48000, \"inputChannels\": 1, \"outputChannels\": 2, \"slices\": [480] }, \"microphone\": { \"type\": \"tone\", \"frequency\": 777, \"level\": -6 } }", file);
  fclose(file);
  need(AUBenchDeviceFollowScenario(path), "scenario");
  static const char *const kinds[] = {"rioc", "ahal"};
  for (int kind = 0; kind < 2; ++kind)
    for (resets = 0; resets < 2; ++resets) {
      recorder = unit_of("auou", kinds[kind]);
      const AURenderCallbackStruct callback = {hear_microphone, NULL};
      need(set_uint(recorder, kAudioOutputUnitProperty_EnableIO, 1, 1, 1), "input"), need(set_uint(recorder, kAudioOutputUnitProperty_EnableIO, 2, 0, 0), "output");
      need(set_format(recorder, 2, 1, planar(48000, 1)), "format");
      need(AudioUnitSetProperty(recorder, kAudioOutputUnitProperty_SetInputCallback, 0, 0, &callback, sizeof callback), "callback");
      need(AudioUnitInitialize(recorder), "initialize"), need(AudioOutputUnitStart(recorder), "start");
      recorded = repeats = differences = 0;
      need(AUBenchDeviceAdvance(0.1), "advance");
      need(AudioOutputUnitStop(recorder), "stop"), need(AudioComponentInstanceDispose(recorder), "dispose");
      char text[64];
      snprintf(text, sizeof text, "%s: cycles, and those whose slice came back", kinds[kind]);
      judge(text, recorded, 10), judge(text, repeats, 10);
      snprintf(text, sizeof text, "%s: slices behind a reset that are the former ones again", kinds[kind]);
      judge(text, recorded - differences, resets ? 0 : 10);
    }
  need(AUBenchDeviceFollowScenario(NULL), "no scenario");
  say_judged("resets of a microphone");
}

// Stamps that say no sample time count the frames from the unit's beginning, and behind a reset from 0 again, on each side of an output unit.
static void reset_counts(void) {
  static const struct {
    const char *type, *subtype;
    UInt32 bus;
  } kinds[] = {{"aufx", "lpas", 0}, {"aumx", "mcmx", 0}, {"aufc", "conv", 0}, {"auou", "genr", 0}, {"auou", "rioc", 0}, {"auou", "rioc", 1}, {"auou", "ahal", 0}, {"auou", "ahal", 1}};
  for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; ++kind)
    for (int has_host_time = 0; has_host_time < 2; ++has_host_time) {
      AudioUnit one = unit_of(kinds[kind].type, kinds[kind].subtype);
      const int is_device = strcmp(kinds[kind].type, "auou") == 0 && kinds[kind].subtype[0] != 'g';
      if (is_device) need(set_uint(one, kAudioOutputUnitProperty_EnableIO, 1, 1, 1), "input"), need(set_format(one, 2, 1, planar(44100, 2)), "format");
      need(AudioUnitSetProperty(one, kAudioUnitProperty_SetRenderCallback, 1, 0, &levels, sizeof levels), "callback");
      need(AudioUnitInitialize(one), "initialize");
      AudioStreamBasicDescription format;
      UInt32 size = sizeof format;
      need(AudioUnitGetProperty(one, kAudioUnitProperty_StreamFormat, 2, kinds[kind].bus, &format, &size), "format");
      const UInt32 buffers = format.mFormatFlags & kAudioFormatFlagIsNonInterleaved ? format.mChannelsPerFrame : 1;
      UInt64 host = 1000;
      for (int round = 0; round < 3; ++round) {
        for (int slice = 0; slice < 3; ++slice) {
          AudioUnitRenderActionFlags flags = 0;
          const AudioTimeStamp stamp = {.mHostTime = host++, .mFlags = has_host_time ? kAudioTimeStampHostTimeValid : kAudioTimeStampRateScalarValid};
          char text[96];
          Float64 time = -1;
          AudioBufferList *list = planes_of(buffers, 1024)->list;
          for (UInt32 buffer = 0; buffer < buffers; ++buffer) list->mBuffers[buffer].mNumberChannels = format.mChannelsPerFrame / buffers;
          snprintf(text, sizeof text, "%s output %u, slice %d behind %d resets", kinds[kind].subtype, (unsigned)kinds[kind].bus, slice, round);
          judge(text, AudioUnitRender(one, &flags, &stamp, kinds[kind].bus, 100, list), 0);
          size = sizeof time;
          need(AudioUnitGetProperty(one, kAudioUnitProperty_LastRenderSampleTime, 0, 0, &time, &size), "time");
          judge(text, (OSStatus)time, 100 * slice);
        }
        need(AudioUnitReset(one, kAudioUnitScope_Global, 0), "reset");
      }
      need(AudioComponentInstanceDispose(one), "dispose");
    }
  say_judged("frames counted from a reset");
}

void removals(void) {
  static const char *const kinds[][2] = {{"aufx", "lpas"}, {"aufx", "nbeq"}, {"aufx", "rvb2"}, {"aufc", "conv"}, {"aufc", "vari"}, {"aumx", "mcmx"}, {"aumx", "mxmx"}, {"aumx", "3dem"}, {"augn", "sspl"}, {"augn", "afpl"}, {"auou", "genr"}, {"auou", "rioc"}};
  for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; ++kind) remove_settings(kinds[kind][0], kinds[kind][1]);
  remove_layouts(), remove_sources(), remove_elements();
  reset_slices(), reset_input(), reset_counts();
}
