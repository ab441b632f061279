// The simulated hardware as objects, with as many channels on each side as are drawn, other rates, slices and routes: each property of the device and
// of its streams, by scope and element, must be what these rules say of a device of so many channels.
#include <aubench/DeviceScenario.h>
#include <unistd.h>

#include "drawn.h"

enum { device = 50, most_wide = 8 };
static int channels[2];
static UInt32 streams[2], frames;
static Float64 rate, rates[3];
static int rate_count;
static char difference[240];

static const char *address_text(UInt32 object, AudioObjectPropertyAddress at) {
  static char text[80];
  snprintf(text, sizeof text, "%s of %u, scope %s, element %u", status_text((OSStatus)at.mSelector), (unsigned)object, status_text((OSStatus)at.mScope), (unsigned)at.mElement);
  return text;
}

static void differ(UInt32 object, AudioObjectPropertyAddress at, const char *text, double found, double expected) {
  if (found != expected && !*difference) snprintf(difference, sizeof difference, "%s: %s: %g, expected %g", address_text(object, at), text, found, expected);
}

// The value must be these bytes, or not be there.
static void judge(UInt32 object, const char *selector, UInt32 scope, UInt32 element, const void *expected, UInt32 bytes) {
  const AudioObjectPropertyAddress at = {four(selector), scope, element};
  static unsigned char found[4096];
  UInt32 size = 0;
  const int is_there = AudioObjectHasProperty(object, &at);
  const OSStatus status = AudioObjectGetPropertyDataSize(object, &at, 0, NULL, &size);
  differ(object, at, "is there", is_there, expected != NULL);
  differ(object, at, "has a size", status == noErr, expected != NULL);
  if (expected == NULL || status != noErr) return;
  differ(object, at, "size", size, bytes);
  size = sizeof found;
  differ(object, at, "status", AudioObjectGetPropertyData(object, &at, 0, NULL, &size, found), noErr);
  differ(object, at, "bytes", size, bytes);
  if (size == bytes && memcmp(found, expected, bytes) != 0 && !*difference) snprintf(difference, sizeof difference, "%s: another value", address_text(object, at));
}

static void judge_words(UInt32 object, const char *selector, UInt32 scope, UInt32 count, UInt32 first, UInt32 second) {
  const UInt32 words[] = {first, second};
  judge(object, selector, scope, 0, words, count * 4);
}

static void judge_name(UInt32 scope, UInt32 element) {
  const int side = scope == four("inpt") ? 0 : 1;
  const int is_there = element >= 1 && element <= (UInt32)channels[side];
  char text[40];
  snprintf(text, sizeof text, "%s %u", side == 0 ? "Input" : "Output", (unsigned)element);
  judge(device, "chnm", scope, element, is_there ? text : NULL, (UInt32)strlen(text) + 1);
  const AudioObjectPropertyAddress at = {four("lchn"), scope, element};
  differ(device, at, "is there", AudioObjectHasProperty(device, &at), is_there);
  CFStringRef name = NULL;
  UInt32 size = sizeof name;
  const OSStatus status = AudioObjectGetPropertyData(device, &at, 0, NULL, &size, &name);
  differ(device, at, "status", status == noErr, is_there);
  if (status != noErr) return;
  char said[40] = "";
  CFStringGetCString(name, said, sizeof said, utf8), CFRelease(name);
  if (strcmp(said, text) != 0) differ(device, at, "another name", 1, 0);
}

static AudioStreamBasicDescription format_of(int side) { return pcm(rate, (UInt32)channels[side], 32, 4, kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked); }

static void judge_ranges(UInt32 object, const char *selector, UInt32 scope, int side) {
  AudioStreamRangedDescription formats[3];
  memset(formats, 0, sizeof formats);
  for (int at = 0; at < rate_count; ++at) {
    formats[at].mFormat = format_of(side), formats[at].mFormat.mSampleRate = 0;
    formats[at].mSampleRateRange = (AudioValueRange){rates[at], rates[at]};
  }
  judge(object, selector, scope, 0, formats, (UInt32)(rate_count * (int)sizeof formats[0]));
}

static void judge_side(UInt32 scope) {
  const int side = scope == four("inpt") ? 0 : 1, is_both = scope == four("glob"), width = channels[side];
  for (UInt32 element = 1; element <= most_wide + 1; ++element) judge_name(scope, element);
  // The streams: those of one side, or of both.
  const int has_output = scope != four("inpt"), has_input = (is_both || side == 0) && channels[0] > 0;
  for (int which = 0; which < 2; ++which)
    judge_words(device, which ? "ownd" : "stm#", scope, (UInt32)(has_output + has_input), has_output ? streams[1] : streams[0], streams[0]);
  struct {
    UInt32 count, nothing;
    AudioBuffer buffer;
  } list;
  memset(&list, 0, sizeof list);
  list.count = width > 0;
  if (width > 0) list.buffer = (AudioBuffer){(UInt32)width, frames * (UInt32)width * 4, NULL};
  const AudioObjectPropertyAddress at = {four("slay"), scope, 0};
  struct {
    UInt32 count, nothing;
    AudioBuffer buffer;
  } said;
  UInt32 size = sizeof said;
  memset(&said, 0, sizeof said);
  differ(device, at, "status", AudioObjectGetPropertyData(device, &at, 0, NULL, &size, &said), noErr);
  differ(device, at, "buffers", said.count, list.count);
  if (width > 0) differ(device, at, "channels", said.buffer.mNumberChannels, width), differ(device, at, "bytes", said.buffer.mDataByteSize, list.buffer.mDataByteSize);
  judge_words(device, "bsiz", scope, 1, frames * (UInt32)width * 4, 0);
  judge_words(device, "fsiz", scope, 1, frames, 0);
  const AudioObjectPropertyAddress frame_range = {four("fsz#"), scope, 0}, byte_range = {four("bsz#"), scope, 0};
  AudioValueRange ranges[2];
  size = sizeof ranges[0];
  differ(device, frame_range, "status", AudioObjectGetPropertyData(device, &frame_range, 0, NULL, &size, &ranges[0]), noErr);
  size = sizeof ranges[1];
  differ(device, byte_range, "status", AudioObjectGetPropertyData(device, &byte_range, 0, NULL, &size, &ranges[1]), noErr);
  differ(device, byte_range, "least", ranges[1].mMinimum, ranges[0].mMinimum * width * 4), differ(device, byte_range, "most", ranges[1].mMaximum, ranges[0].mMaximum * width * 4);
  judge(device, "nsrt", scope, 0, &rate, 8);
  AudioValueRange taken[3];
  for (int index = 0; index < rate_count; ++index) taken[index] = (AudioValueRange){rates[index], rates[index]};
  judge(device, "nsr#", scope, 0, taken, (UInt32)rate_count * 16);
  judge_words(device, "dch2", scope, 2, 1, channels[1] < 2 ? (UInt32)channels[1] : 2);
  // The loudspeakers: one alone, or by their numbers from left and right on.
  UInt32 words[3 + 5 * most_wide] = {kAudioChannelLayoutTag_UseChannelDescriptions, 0, (UInt32)channels[1]};
  for (int at = 0; at < channels[1]; ++at) words[3 + 5 * at] = channels[1] == 1 ? kAudioChannelLabel_Mono : (UInt32)at + 1;
  judge(device, "srnd", scope, 0, words, 12 + 20 * (UInt32)channels[1]);
  if (width == 0) return;
  const AudioStreamBasicDescription format = format_of(side);
  judge(device, "sfmt", scope, 0, &format, sizeof format), judge(device, "pft ", scope, 0, &format, sizeof format);
  judge_ranges(device, "sfma", scope, side), judge_ranges(device, "pfta", scope, side);
}

static void judge_stream(int side) {
  const UInt32 stream = streams[side], global = four("glob");
  judge_words(stream, "sdir", global, 1, side == 0, 0), judge_words(stream, "schn", global, 1, 1, 0), judge_words(stream, "sact", global, 1, 1, 0);
  judge_words(stream, "stdv", global, 1, device, 0), judge_words(stream, "ltnc", global, 1, 0, 0);
  judge_words(stream, "term", global, 1, side == 0 ? four("micr") : four("spkr"), 0);
  const AudioStreamBasicDescription format = format_of(side);
  judge(stream, "sfmt", global, 0, &format, sizeof format), judge(stream, "pft ", global, 0, &format, sizeof format);
  judge_ranges(stream, "sfma", global, side), judge_ranges(stream, "pfta", global, side);
  for (UInt32 element = 1; element < 4; ++element) judge(stream, "chnm", global, element, NULL, 0);
}

static void judge_all(void) {
  static const char *const scopes[] = {"inpt", "outp", "glob"};
  for (int scope = 0; scope < 3; ++scope) judge_side(four(scopes[scope]));
  for (int side = 0; side < 2; ++side)
    if (channels[side] > 0) judge_stream(side);
}

static void device_of(UInt32 seed) {
  static const Float64 all[] = {8000, 16000, 22050, 32000, 44100, 48000};
  draw_from(seed + 210000);
  *difference = 0, streams[0] = 52, streams[1] = 51;
  // Often more inputs than outputs, often none.
  channels[0] = once_in(4) ? 0 : 1 + (int)draw(most_wide), channels[1] = 1 + (int)draw(once_in(2) ? 2 : most_wide);
  const UInt32 first = draw(3);
  rate_count = 3;
  for (int at = 0; at < rate_count; ++at) rates[at] = all[first + (UInt32)at];
  rate = rates[draw(3)], frames = 32 + draw(2000);
  const Float64 next_rate = rates[draw(3)];
  const int next_inputs = (int)draw(most_wide + 1);
  char path[4096];
  snprintf(path, sizeof path, "%s", temporary("aubench-suite-device.json"));
  FILE *file = fopen(path, "w");
  need(file ? noErr : -1, "scenario");
  fprintf(file, "{ \"version\": 1, \"device\": { \"clock\": \"told\", \"sampleRate\": %g, \"sampleRates\": [%g, %g, %g], \"inputChannels\": %d, \"outputChannels\": %d },\n", rate, rates[0], rates[1], rates[2], channels[0], channels[1]);
  fprintf(file, "\"events\": [{ \"at\": 0.05, \"route\": { \"blocked\": 0, \"sampleRate\": %g, \"inputChannels\": %d } }] }\n", next_rate, next_inputs);
  fclose(file);
  need(AUBenchDeviceFollowScenario(path), "scenario");
  const AudioObjectPropertyAddress buffer = {kAudioDevicePropertyBufferFrameSize, kAudioObjectPropertyScopeGlobal, 0};
  need(AudioObjectSetPropertyData(device, &buffer, 0, NULL, 4, &frames), "buffer");
  judge_all();
  // Another route: its rate, and its microphone.
  need(AUBenchDeviceAdvance(1), "advance");
  printf("seed %u: %d in, then %d, and %d out: ", (unsigned)seed, channels[0], next_inputs, channels[1]);
  rate = next_rate, channels[0] = next_inputs;
  if (!*difference) judge_all();
  need(AUBenchDeviceFollowScenario(NULL), "no scenario");
  unlink(path);
  printf("%s\n", *difference ? difference : "ok");
}

void devices(void) { for_seeds(40, device_of); }
