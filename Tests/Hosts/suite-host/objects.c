// The objects of the hardware by rule: what is told of a value agrees with it, a value that is taken is there and told to
// its listeners, one that is refused is told to nobody; and both sides of a device have the formats, channels and sizes of
// their own side, under scripts whose sides differ.
#include <aubench/DeviceScenario.h>

#include "drawn.h"

enum { a_device = 50, most_addresses = 2000 };
static const char *const scopes[] = {"glob", "inpt", "outp"};
static const UInt32 objects[] = {1, 50, 51, 52};

typedef struct Value {
  UInt32 object;
  AudioObjectPropertyAddress address;
  OSStatus status;
  Digest digest;
  UInt32 size;
} Value;
static Value values[most_addresses];
static int value_count, faults;

static void fault(const char *text, UInt32 object, const AudioObjectPropertyAddress *address, double found, double expected) {
  if (++faults <= 40) printf("  FAULT %u %s@%s:%u: %s: %g, expected %g\n", (unsigned)object, status_text((OSStatus)address->mSelector), status_text((OSStatus)address->mScope), (unsigned)address->mElement, text, found, expected);
}

static OSStatus read_value(UInt32 object, const AudioObjectPropertyAddress *address, void *room, UInt32 *size) {
  return AudioObjectGetPropertyData(object, address, 0, NULL, size, room);
}

// Objects of CoreFoundation are let go, and not compared.
static int is_object(UInt32 selector) {
  static const char *const texts[] = {"lnam", "lmak", "lmod", "uid ", "muid", "lchn", "lcnn", "snum", "fwvn"};
  for (size_t at = 0; at < sizeof texts / sizeof texts[0]; ++at)
    if (selector == four(texts[at])) return 1;
  return 0;
}

static void note(Value *value) {
  static unsigned char room[65536];
  memset(room, 0, sizeof room);
  value->size = sizeof room, value->digest = 0;
  value->status = read_value(value->object, &value->address, room, &value->size);
  if (value->status != noErr) return;
  // Between the count of buffers and the buffers lies nothing that means anything.
  if (value->address.mSelector == kAudioDevicePropertyStreamConfiguration) memset(room + 4, 0, 4);
  if (is_object(value->address.mSelector)) {
    CFStringRef text;
    memcpy(&text, room, sizeof text);
    if (text) CFRelease(text);
  } else {
    value->digest = digest(0, room, value->size);
  }
}

// All codes that the interface has: four letters each, as in the scenario hardware.
static const char codes[] =
    "!dat !dev !hog !obj !siz !str **** 1394 abox actl adev airp akin aobj aplg asrt astr asys bcls bltn blue bsiz bsz# "
    "chnm clas clkd ctrl dIn  dOut dch2 dev# dflt diff dprt fsiz fsz# glob goin gone grup hdmi hdph hidn hogr icon inpt "
    "lchn line livn lmak lmod lnam lscn ltnc makr micr muid mute name ncyc nope nsr# nsrt oink oplg outp over ownd pci  "
    "pft  pft# pfta pftm plug pmut ptru rnlp sOut sact saft schn sdir sflt sfm# sfma sfmm sfmt slay slep spkr srnd srst "
    "ssc# ssrc stdv stm# stmo stop suse term thru thun tran uid  uidd unld unop usb  vfsz virt vold volm what who?";

static void find_values(void) {
  value_count = 0;
  for (size_t object = 0; object < sizeof objects / sizeof objects[0]; ++object)
    for (size_t code = 0; code + 4 <= sizeof codes; code += 5)
      for (int scope = 0; scope < 3; ++scope)
        for (UInt32 element = 0; element < 2 && value_count < most_addresses; ++element) {
          Value *value = &values[value_count];
          *value = (Value){.object = objects[object], .address = {four(codes + code), four(scopes[scope]), element}};
          if (!AudioObjectHasProperty(value->object, &value->address)) continue;
          note(value);
          ++value_count;
        }
}

static int told_count, told_right;
static AudioObjectPropertyAddress asked;
static UInt32 asked_object;
static OSStatus hear(AudioObjectID object, UInt32 count, const AudioObjectPropertyAddress *addresses, void *user) {
  (void)user;
  for (UInt32 at = 0; at < count; ++at) {
    ++told_count;
    told_right += object == asked_object && addresses[at].mSelector == asked.mSelector;
  }
  return noErr;
}

static void judge_value(Value *value) {
  UInt32 size = 0;
  Boolean settable = 9;
  const AudioObjectPropertyAddress *address = &value->address;
  if (AudioObjectGetPropertyDataSize(value->object, address, 0, NULL, &size) != noErr || (value->status == noErr && size != value->size)) fault("size", value->object, address, size, value->size);
  if (AudioObjectIsPropertySettable(value->object, address, &settable) != noErr) fault("settable", value->object, address, settable, 1);
  if (!settable || value->status != noErr || (value->size != 4 && value->size != 8)) return;
  unsigned char former[8], now[8];
  UInt32 room = value->size;
  int taken = 0, changed = 0;
  need(read_value(value->object, address, former, &room), "value");
  for (int way = 0; way < 5; ++way) {
    const UInt32 words[] = {256, 1024, 3, 0xFFFFFFFF, 640};
    const Float64 reals[] = {48000, 32000, 1, NAN, 96000};
    const void *value_to_set = value->size == 4 ? (const void *)&words[way] : (const void *)&reals[way];
    unsigned char before[8];
    need(read_value(value->object, address, before, (room = value->size, &room)), "value");
    told_count = told_right = 0, asked = *address, asked_object = value->object;
    const OSStatus status = AudioObjectSetPropertyData(value->object, address, 0, NULL, value->size, value_to_set);
    need(read_value(value->object, address, now, (room = value->size, &room)), "value");
    const int has_changed = memcmp(before, now, value->size) != 0;
    if (status != noErr && (told_count || has_changed)) fault("told of, or changed by, what is refused", value->object, address, told_count, 0);
    if (status == noErr && has_changed && told_right != 1) fault("told of a change", value->object, address, told_right, 1);
    if (status == noErr && !has_changed && told_count != 0) fault("told without a change", value->object, address, told_count, 0);
    if (status == noErr && has_changed && memcmp(now, value_to_set, value->size) != 0) fault("not what was set", value->object, address, way, 0);
    taken += status == noErr, changed += has_changed;
  }
  if (taken > 0 && changed == 0) printf("  %u %s@%s:%u is taken without effect\n", (unsigned)value->object, status_text((OSStatus)address->mSelector), status_text((OSStatus)address->mScope), (unsigned)address->mElement);
  AudioObjectSetPropertyData(value->object, address, 0, NULL, value->size, former);
}

// MARK: The two sides

static void judge_format(UInt32 object, const char *selector, const char *scope, Float64 rate, UInt32 channels) {
  const AudioObjectPropertyAddress address = {four(selector), four(scope), 0};
  unsigned char room[512] = {0};
  UInt32 size = sizeof room;
  const OSStatus status = read_value(object, &address, room, &size);
  AudioStreamBasicDescription format;
  memcpy(&format, room, sizeof format);
  if (status != noErr) {
    fault("status of a format", object, &address, status, 0);
    return;
  }
  if (rate > 0 && format.mSampleRate != rate) fault("rate", object, &address, format.mSampleRate, rate);
  if (format.mChannelsPerFrame != channels) fault("channels", object, &address, format.mChannelsPerFrame, channels);
  if (format.mBytesPerFrame != 4 * channels || format.mBytesPerPacket != 4 * channels) fault("bytes of a frame", object, &address, format.mBytesPerFrame, 4 * channels);
}

static void judge_number(const char *selector, const char *scope, UInt32 at, double expected, int is_real) {
  const AudioObjectPropertyAddress address = {four(selector), four(scope), 0};
  unsigned char room[512] = {0};
  UInt32 size = sizeof room, word;
  Float64 real;
  const OSStatus status = read_value(a_device, &address, room, &size);
  memcpy(&word, room + at, 4), memcpy(&real, room + at, 8);
  const double found = status != noErr ? status : is_real ? real : word;
  if (found != expected) fault("value", a_device, &address, found, expected);
}

static void judge_unit(const char *kind, UInt32 scope, UInt32 element, Float64 rate, UInt32 channels) {
  AudioUnit unit = unit_of("auou", kind);
  const AudioObjectPropertyAddress address = {four(kind), scope, element};
  AudioStreamBasicDescription format = {0};
  UInt32 size = sizeof format;
  need(AudioUnitGetProperty(unit, kAudioUnitProperty_StreamFormat, scope, element, &format, &size), "format");
  if (format.mSampleRate != rate) fault("rate of a unit", element, &address, format.mSampleRate, rate);
  if (format.mChannelsPerFrame != channels) fault("channels of a unit", element, &address, format.mChannelsPerFrame, channels);
  need(AudioComponentInstanceDispose(unit), "dispose");
}

// A device of drawn channels and rate: everything that either side says of itself.
static void side(UInt32 seed) {
  static const Float64 rates[] = {8000, 16000, 22050, 44100, 48000, 96000};
  draw_from(seed);
  const Float64 rate = rates[draw(6)];
  const UInt32 outputs = 1 + draw(8), inputs = draw(9);
  char path[4096];
  snprintf(path, sizeof path, "%s", temporary("aubench-suite-side.json"));
  FILE *file = fopen(path, "w");
  need(file ? noErr : -1, path);
  fprintf(file, "{ \"version\": 1, \"device\": { \"clock\": \"told\", \"sampleRate\": %g, \"outputChannels\": %u, \"inputChannels\": %u } }\n", rate, (unsigned)outputs, (unsigned)inputs);
  fclose(file);
  need(AUBenchDeviceFollowScenario(path), "scenario");
  remove(path);
  const int before = faults;
  const AudioObjectPropertyAddress buffer = {four("fsiz"), four("glob"), 0};
  UInt32 frames = 0, size = sizeof frames;
  need(read_value(a_device, &buffer, &frames, &size), "frames");
  for (int is_input = 0; is_input < 2; ++is_input) {
    const UInt32 channels = is_input ? inputs : outputs;
    const char *scope = is_input ? "inpt" : "outp";
    judge_number("slay", scope, 0, channels > 0, 0);
    judge_number("slay", scope, 8, channels, 0);
    judge_number("slay", scope, 12, 4.0 * channels * frames, 0);
    judge_number("stm#", scope, 0, channels == 0 ? 0 : is_input ? 52 : 51, 0);
    if (channels == 0) continue;
    static const char *const formats[] = {"sfmt", "pft ", "sfmm", "pftm", "sfm#", "pft#"};
    for (size_t at = 0; at < sizeof formats / sizeof formats[0]; ++at) judge_format(a_device, formats[at], scope, rate, channels);
    static const char *const lists[] = {"sfma", "pfta"};
    for (size_t at = 0; at < sizeof lists / sizeof lists[0]; ++at) judge_format(a_device, lists[at], scope, 0, channels);
    for (size_t at = 0; at < 2; ++at) judge_format(is_input ? 52 : 51, formats[at], "glob", rate, channels);
    for (size_t at = 0; at < 2; ++at) judge_format(is_input ? 52 : 51, lists[at], "glob", 0, channels);
    static const char *const units[] = {"rioc", "vpio", "ahal"};
    for (size_t at = 0; at < sizeof units / sizeof units[0]; ++at) judge_unit(units[at], is_input ? kAudioUnitScope_Input : kAudioUnitScope_Output, (UInt32)is_input, rate, channels);
  }
  static const char *const either[] = {"glob", "inpt", "outp"};
  for (int at = 0; at < 3; ++at) judge_number("nsrt", either[at], 0, rate, 1), judge_number("bsiz", either[at], 0, 4.0 * frames * (at == 1 ? inputs : outputs), 0);
  printf("seed %u: %g Hz, %u and %u channels: %s\n", (unsigned)seed, rate, (unsigned)outputs, (unsigned)inputs, faults == before ? "ok" : "faults");
  need(AUBenchDeviceFollowScenario(NULL), "no scenario");
}

void all_objects(void) {
  run_device_into("objects.wav");
  find_values();
  for (int at = 0; at < value_count; ++at) {
    const AudioObjectPropertyAddress any = {values[at].address.mSelector, kAudioObjectPropertyScopeWildcard, kAudioObjectPropertyElementWildcard};
    if (at == 0 || values[at - 1].object != values[at].object || values[at - 1].address.mSelector != any.mSelector) need(AudioObjectAddPropertyListener(values[at].object, &any, hear, NULL), "listener");
  }
  for (int at = 0; at < value_count; ++at) judge_value(&values[at]);
  printf("%d values, faults: %d\n", value_count, faults);
  for_seeds(40, side);
}
