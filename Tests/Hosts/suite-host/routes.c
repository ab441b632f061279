// Drawn lives of an audio session: categories, modes, switches and wishes of the program between routes, interruptions,
// volumes and other programs' sound that the hardware draws. Who is told of what, in which order and with which contents,
// and every property afterwards must be what these rules say.
#include <aubench/DeviceScenario.h>
#include <unistd.h>

#include "drawn.h"

extern const void *CFDictionaryGetValue(const void *dictionary, const void *key);
extern const void *CFArrayGetValueAtIndex(const void *array, long index);
extern Boolean CFNumberGetValue(const void *number, long type, void *value);

enum { most_told = 400, steps = 14, most_events = 2 * steps };
typedef const char *Port;

typedef struct Route {
  Port output, input;
} Route;

// A call of a listener: its property or 'intr', its number, the value, and the routes with their reason.
typedef struct Told {
  UInt32 id, client, reason;
  Float64 value;
  char routes[5][32];
} Told;

typedef enum Kind { another_route, break_begins, break_ends, another_volume, other_sound, kinds } Kind;
typedef struct Event {
  Kind kind;
  Float64 seconds, value, rate;
  Port output, input;
  int channels, resumes, is_told;
  UInt32 reason;
} Event;

static Told told[2][most_told];
static int told_counts[2];
static Event events[most_events];
static int event_count;
static char difference[240];

static void differ(const char *text, double found, double expected) {
  if (!*difference) snprintf(difference, sizeof difference, "%s: %g, expected %g", text, found, expected);
}
static void differ_text(const char *text, const char *found, const char *expected) {
  if (!*difference && strcmp(found, expected) != 0) snprintf(difference, sizeof difference, "%s: %s, expected %s", text, found, expected);
}

// MARK: The model

static const Float64 rates[] = {8000, 16000, 22050, 32000, 44100, 48000};
static const UInt32 listened[] = {kAudioSessionProperty_AudioRouteChange, kAudioSessionProperty_CurrentHardwareSampleRate, kAudioSessionProperty_CurrentHardwareOutputVolume, kAudioSessionProperty_AudioInputAvailable};
static const UInt32 switches[] = {kAudioSessionProperty_OtherMixableAudioShouldDuck, kAudioSessionProperty_OverrideCategoryMixWithOthers, kAudioSessionProperty_OverrideCategoryDefaultToSpeaker, kAudioSessionProperty_OverrideCategoryEnableBluetoothInput};
enum { ducks, mixes, to_speaker, from_bluetooth, switch_count };

static struct {
  UInt32 category, mode;
  int is_active, is_interrupted, has_other, overrides, is_on[switch_count];
  Float64 rate, wanted_rate;
  Float32 volume, gain;
  int channels;
  Route hardware;
  // The clients that listen to each property, in the order in which they were added.
  int clients[4][3], client_counts[4];
} model;

static int is_one_of(UInt32 category, const char *names) {
  for (; *names; names += 4 + (names[4] == ' '))
    if (category == four(names)) return 1;
  return 0;
}

static Route route(void) {
  Route result = {"", ""};
  const int records = is_one_of(model.category, "reca plar"), plays = is_one_of(model.category, "ambi solo medi plar uifx live");
  // Who plays and records hears the receiver, as on a telephone, unless the speaker is asked for.
  const int at_ear = records && !model.overrides && !model.is_on[to_speaker];
  if (plays) result.output = *model.hardware.output ? model.hardware.output : at_ear ? "BuiltInReceiver" : "BuiltInSpeaker";
  if (records && model.channels > 0) result.input = *model.hardware.input ? model.hardware.input : "BuiltInMic";
  return result;
}

static Port name_of(Route one) {
  static const char *const names[][3] = {
      {"BuiltInSpeaker", "", "Speaker"},     {"BuiltInSpeaker", "*", "SpeakerAndMicrophone"}, {"BuiltInReceiver", "*", "ReceiverAndMicrophone"}, {"", "BuiltInMic", "MicrophoneBuiltIn"}, {"", "+", "MicrophoneWired"},
      {"Headphones", "", "Headphone"},       {"Headphones", "HeadsetMic", "HeadsetInOut"},    {"Headphones", "*", "HeadphonesAndMicrophone"},    {"BluetoothHFP", "*", "HeadsetBT"},      {"LineOut", "*", "LineOut"},
      {"AirPlay", "*", "AirTunes"}};
  for (size_t at = 0; at < sizeof names / sizeof names[0]; ++at) {
    const char *input = names[at][1];
    const int fits = *input == '*' || (*input == '+' && *one.input) || strcmp(input, one.input) == 0;
    if (strcmp(names[at][0], one.output) == 0 && fits) return names[at][2];
  }
  return one.output;
}

static void expect_told(UInt32 id, Float64 value, UInt32 reason, Route former) {
  for (int at = 0; at < 4; ++at) {
    if (listened[at] != id) continue;
    for (int client = 0; client < model.client_counts[at]; ++client) {
      if (told_counts[1] == most_told) return;
      Told *one = &told[1][told_counts[1]++];
      *one = (Told){.id = id, .client = (UInt32)model.clients[at][client], .value = value, .reason = reason};
      if (id != kAudioSessionProperty_AudioRouteChange) continue;
      const Port texts[5] = {name_of(former), former.input, former.output, route().input, route().output};
      for (int text = 0; text < 5; ++text) snprintf(one->routes[text], sizeof one->routes[text], "%s", texts[text]);
    }
  }
}

static void expect_interruption(UInt32 state, UInt32 type) {
  if (told_counts[1] < most_told) told[1][told_counts[1]++] = (Told){.id = four("intr"), .value = state, .reason = type};
}

static void expect_event(const Event *event) {
  const Route former = route();
  const Float64 former_rate = model.rate;
  const int former_channels = model.channels;
  switch (event->kind) {
    case another_route:
      model.hardware = (Route){event->output, event->input};
      if (event->rate > 0) model.rate = event->rate;
      if (event->channels >= 0) model.channels = event->channels;
      if (model.rate != former_rate) expect_told(kAudioSessionProperty_CurrentHardwareSampleRate, model.rate, 0, former);
      if ((model.channels > 0) != (former_channels > 0)) expect_told(kAudioSessionProperty_AudioInputAvailable, model.channels > 0, 0, former);
      expect_told(kAudioSessionProperty_AudioRouteChange, 0, event->reason, former);
      break;
    case break_begins:
      model.is_active = 0, model.is_interrupted = 1;
      expect_interruption(kAudioSessionBeginInterruption, 0);
      break;
    case break_ends:
      model.is_interrupted = 0;
      if (event->is_told) expect_interruption(kAudioSessionEndInterruption, event->resumes ? kAudioSessionInterruptionType_ShouldResume : kAudioSessionInterruptionType_ShouldNotResume);
      break;
    case another_volume:
      model.volume = (Float32)event->value;
      expect_told(kAudioSessionProperty_CurrentHardwareOutputVolume, model.volume, 0, former);
      break;
    default: model.has_other = event->value > 0; break;
  }
}

// MARK: What the program is told

static void text_of_object(const void *object, char *room) {
  *room = 0;
  if (object) CFStringGetCString(object, room, 32, utf8);
}

static const void *value_of(const void *dictionary, const char *key) {
  CFStringRef name = text_of(key);
  const void *value = dictionary ? CFDictionaryGetValue(dictionary, name) : NULL;
  CFRelease(name);
  return value;
}

// The one port of a side of a route's description.
static void port_of(const void *description, const char *side, char *room) {
  const void *ports = value_of(description, side);
  *room = 0;
  if (ports && CFArrayGetCount(ports) > 1) differ("ports of a side", (double)CFArrayGetCount(ports), 1);
  if (ports && CFArrayGetCount(ports) == 1) text_of_object(value_of(CFArrayGetValueAtIndex(ports, 0), "Type"), room);
}

static void hear(void *client, AudioSessionPropertyID id, UInt32 size, const void *data) {
  if (told_counts[0] == most_told) return;
  Told *one = &told[0][told_counts[0]++];
  *one = (Told){.id = id, .client = (UInt32)(size_t)client};
  if (id == kAudioSessionProperty_AudioRouteChange) {
    CFNumberGetValue(value_of(data, kAudioSession_AudioRouteChangeKey_Reason), 3, &one->reason);
    text_of_object(value_of(data, kAudioSession_AudioRouteChangeKey_OldRoute), one->routes[0]);
    port_of(value_of(data, "PreviousRouteDescription"), "Inputs", one->routes[1]), port_of(value_of(data, "PreviousRouteDescription"), "Outputs", one->routes[2]);
    port_of(value_of(data, "CurrentRouteDescription"), "Inputs", one->routes[3]), port_of(value_of(data, "CurrentRouteDescription"), "Outputs", one->routes[4]);
    return;
  }
  const int is_rate = id == kAudioSessionProperty_CurrentHardwareSampleRate;
  if (size != (is_rate ? 8 : 4)) differ("bytes of a value that is told", size, is_rate ? 8 : 4);
  Float32 real;
  UInt32 word;
  memcpy(&real, data, 4), memcpy(&word, data, 4);
  if (is_rate) memcpy(&one->value, data, 8);
  else one->value = id == kAudioSessionProperty_CurrentHardwareOutputVolume ? (Float64)real : (Float64)word;
}

static void hear_break(void *client, UInt32 state) {
  if (client != (void *)3) differ("client of an interruption", (double)(size_t)client, 3);
  UInt32 type = 0, size = sizeof type;
  // The advice is there while an end is told, and at no other time.
  if (AudioSessionGetProperty(kAudioSessionProperty_InterruptionType, &size, &type) != noErr) type = 0;
  if (told_counts[0] < most_told) told[0][told_counts[0]++] = (Told){.id = four("intr"), .value = state, .reason = type};
}

static void compare_told(int step) {
  for (int at = 0; at < told_counts[0] && at < told_counts[1] && !*difference; ++at) {
    const Told *found = &told[0][at], *right = &told[1][at];
    char text[40];
    snprintf(text, sizeof text, "step %d, told of %s", step, status_text((OSStatus)right->id));
    differ_text(text, status_text((OSStatus)found->id), status_text((OSStatus)right->id));
    if (found->client != right->client) differ(text, found->client, right->client);
    if (found->value != right->value) differ(text, found->value, right->value);
    if (found->reason != right->reason) differ(text, found->reason, right->reason);
    static const char *const names[] = {"old route", "input before", "output before", "input now", "output now"};
    for (int route = 0; route < 5; ++route) differ_text(names[route], found->routes[route], right->routes[route]);
  }
  if (told_counts[0] != told_counts[1]) {
    char text[60];
    const int more = told_counts[0] > told_counts[1];
    const Told *first = &told[!more][more ? told_counts[1] : told_counts[0]];
    snprintf(text, sizeof text, "step %d, times told, the next of %s", step, status_text((OSStatus)first->id));
    differ(text, told_counts[0], told_counts[1]);
  }
  told_counts[0] = told_counts[1] = 0;
}

// MARK: Properties

static void judge_value(UInt32 id, Float64 right, int is_real) {
  unsigned char room[8];
  UInt32 size = sizeof room, word;
  Float32 real;
  Float64 found = -12345;
  if (AudioSessionGetProperty(id, &size, room) != noErr) size = 0;
  memcpy(&word, room, 4), memcpy(&real, room, 4);
  if (size == 8) memcpy(&found, room, 8);
  else if (size == 4) found = is_real ? (Float64)real : (Float64)word;
  if (found != right) differ(status_text((OSStatus)id), found, right);
}

static void judge_properties(void) {
  judge_value(kAudioSessionProperty_AudioCategory, model.category, 0), judge_value(kAudioSessionProperty_Mode, model.mode, 0);
  judge_value(kAudioSessionProperty_CurrentHardwareInputNumberChannels, model.channels, 0), judge_value(kAudioSessionProperty_CurrentHardwareOutputNumberChannels, 2, 0);
  judge_value(kAudioSessionProperty_AudioInputAvailable, model.channels > 0, 0), judge_value(kAudioSessionProperty_InputGainAvailable, model.channels > 0, 0);
  judge_value(kAudioSessionProperty_CurrentHardwareSampleRate, model.rate, 1), judge_value(kAudioSessionProperty_PreferredHardwareSampleRate, model.wanted_rate, 1);
  judge_value(kAudioSessionProperty_CurrentHardwareOutputVolume, model.volume, 1), judge_value(kAudioSessionProperty_InputGainScalar, model.gain, 1);
  for (int at = 0; at < switch_count; ++at) judge_value(switches[at], model.is_on[at], 0);
  // Another program is silent while this one is active and does not mix.
  const int mixes_now = is_one_of(model.category, "ambi uifx") || model.is_on[mixes] || (is_one_of(model.category, "medi") && model.is_on[ducks]);
  judge_value(kAudioSessionProperty_OtherAudioIsPlaying, model.has_other && (!model.is_active || mixes_now), 0);
  const void *object = NULL;
  UInt32 size = sizeof object;
  char text[32], ports[2][32];
  need(AudioSessionGetProperty(kAudioSessionProperty_AudioRoute, &size, &object), "route");
  text_of_object(object, text), CFRelease(object);
  differ_text("name of the route", text, name_of(route()));
  need(AudioSessionGetProperty(kAudioSessionProperty_AudioRouteDescription, &size, &object), "route");
  port_of(object, "Inputs", ports[0]), port_of(object, "Outputs", ports[1]), CFRelease(object);
  differ_text("input of the route", ports[0], route().input), differ_text("output of the route", ports[1], route().output);
}

// MARK: What the program does

static OSStatus set_word(UInt32 id, UInt32 value) { return AudioSessionSetProperty(id, sizeof value, &value); }

static void expect(const char *text, OSStatus found, OSStatus expected) {
  if (found == expected || *difference) return;
  snprintf(difference, sizeof difference, "%s: %s, expected %s", text, status_text(found), status_text(expected));
}

static void tell_of_own_route(Route former, UInt32 reason) {
  const Route now = route();
  if (strcmp(former.output, now.output) != 0 || strcmp(former.input, now.input) != 0) expect_told(kAudioSessionProperty_AudioRouteChange, 0, reason, former);
}

static int takes_mode(UInt32 mode, UInt32 category) {
  return is_one_of(mode, "dflt msmt") || (is_one_of(mode, "vcct gmct") && is_one_of(category, "plar")) || (is_one_of(mode, "vrcd") && is_one_of(category, "reca plar"));
}

static void set_category(UInt32 category) {
  const Route former = route();
  expect("category", set_word(kAudioSessionProperty_AudioCategory, category), noErr);
  if (category == model.category) return;
  model.category = category, model.overrides = 0;
  // Settings of a category end with it.
  model.is_on[mixes] = model.is_on[to_speaker] = model.is_on[from_bluetooth] = 0;
  if (!takes_mode(model.mode, category)) model.mode = kAudioSessionMode_Default;
  tell_of_own_route(former, kAudioSessionRouteChangeReason_CategoryChange);
}

static void set_switch(int which, UInt32 value) {
  static const char *const categories[] = {NULL, "plar medi", "plar", "reca plar"};
  const Route former = route();
  const int is_allowed = value == 0 || categories[which] == NULL || is_one_of(model.category, categories[which]);
  expect("switch", set_word(switches[which], value), is_allowed ? noErr : kAudioSessionIncompatibleCategory);
  if (!is_allowed) return;
  model.is_on[which] = value != 0;
  tell_of_own_route(former, kAudioSessionRouteChangeReason_Override);
}

static void set_override(UInt32 value) {
  const Route former = route();
  const int is_allowed = value == 0 || is_one_of(model.category, "plar");
  expect("override", set_word(kAudioSessionProperty_OverrideAudioRoute, value), is_allowed ? noErr : kAudioSessionIncompatibleCategory);
  if (!is_allowed) return;
  model.overrides = value != 0;
  tell_of_own_route(former, kAudioSessionRouteChangeReason_Override);
}

static void set_active(int is_active) {
  OSStatus right = noErr;
  if (is_active && model.is_interrupted) right = kAudioSessionNotActiveError;
  else if (is_active && model.category == kAudioSessionCategory_RecordAudio && model.channels == 0) right = four("nohw");
  expect("active", AudioSessionSetActive((Boolean)is_active), right);
  if (right == noErr) model.is_active = is_active;
}

static void wish_rate(Float64 wanted) {
  Float64 nearest = rates[0];
  for (size_t at = 0; at < sizeof rates / sizeof rates[0]; ++at)
    if (fabs(rates[at] - wanted) < fabs(nearest - wanted)) nearest = rates[at];
  expect("rate", AudioSessionSetProperty(kAudioSessionProperty_PreferredHardwareSampleRate, sizeof wanted, &wanted), noErr);
  model.wanted_rate = wanted;
  if (wanted == 0 || nearest == model.rate) return;
  model.rate = nearest;
  expect_told(kAudioSessionProperty_CurrentHardwareSampleRate, nearest, 0, route());
}

// Adds or removes a listener: one that is there already goes to the end of the line.
static void set_listener(int which, int client, int listens) {
  if (listens) need(AudioSessionAddPropertyListener(listened[which], hear, (void *)(size_t)client), "listener");
  else need(AudioSessionRemovePropertyListenerWithUserData(listened[which], hear, (void *)(size_t)client), "listener");
  int kept = 0;
  for (int at = 0; at < model.client_counts[which]; ++at)
    if (model.clients[which][at] != client) model.clients[which][kept++] = model.clients[which][at];
  if (listens) model.clients[which][kept++] = client;
  model.client_counts[which] = kept;
}

static void do_something(void) {
  static const char *const categories[] = {"ambi", "solo", "medi", "reca", "plar", "proc", "uifx", "live"};
  static const char *const modes[] = {"dflt", "vcct", "vrcd", "msmt", "gmct"};
  const UInt32 mode = four(modes[draw(5)]);
  switch (draw(9)) {
    case 0: set_category(four(categories[draw(8)])); break;
    case 1: set_category(once_in(2) ? kAudioSessionCategory_PlayAndRecord : kAudioSessionCategory_RecordAudio); break;
    case 2:
      expect("mode", set_word(kAudioSessionProperty_Mode, mode), takes_mode(mode, model.category) ? noErr : kAudioSessionIncompatibleCategory);
      if (takes_mode(mode, model.category)) model.mode = mode;
      break;
    case 3: set_switch((int)draw(switch_count), draw(3)); break;
    case 4: set_override(once_in(2) ? 0 : kAudioSessionOverrideAudioRoute_Speaker); break;
    case 5: set_active(!once_in(3)); break;
    case 6: wish_rate(once_in(3) ? 0 : once_in(2) ? rates[draw(6)] : (Float64)(1000 + draw(99000))); break;
    case 7: set_listener((int)draw(4), 1 + (int)draw(2), once_in(2)); break;
    default:
      model.gain = (Float32)draw(5) / 4;
      need(AudioSessionSetProperty(kAudioSessionProperty_InputGainScalar, sizeof model.gain, &model.gain), "gain");
      break;
  }
}

// MARK: The scenario

static const char *const outputs[] = {"", "BuiltInSpeaker", "BuiltInReceiver", "Headphones", "LineOut", "BluetoothHFP", "BluetoothA2DP", "USBAudio", "HDMI", "AirPlay"};
static const char *const inputs[] = {"", "BuiltInMic", "HeadsetMic", "LineIn", "BluetoothHFP", "USBAudio"};
static const struct {
  UInt32 number;
  const char *name;
} reasons[] = {{0, "unknown"}, {1, "newDeviceAvailable"}, {2, "oldDeviceUnavailable"}, {3, "categoryChange"}, {4, "override"}, {6, "wakeFromSleep"}, {7, "noSuitableRouteForCategory"}, {8, "routeConfigurationChange"}};

static void write_route(FILE *file, Port output, Port input) {
  if (*output) fprintf(file, ", \"output\": \"%s\"", output);
  if (*input) fprintf(file, ", \"input\": \"%s\"", input);
}

// Two events within each step of 50 ms, at times at which no step ends.
static void draw_events(FILE *file) {
  int is_in_break = 0;
  event_count = 0;
  for (int at = 0; at < most_events; ++at) {
    if (once_in(3)) continue;
    Event *event = &events[event_count];
    const UInt32 reason = draw(8);
    *event = (Event){.kind = once_in(3) ? another_route : (Kind)draw(kinds), .seconds = at * 0.025 + 0.005, .output = outputs[once_in(3) ? 0 : draw(10)], .input = inputs[once_in(3) ? 0 : draw(6)], .rate = once_in(2) ? 0 : rates[draw(6)], .channels = once_in(2) ? -1 : (int)draw(3), .resumes = once_in(2), .is_told = !once_in(4), .reason = reasons[reason].number};
    if (event->kind == break_begins || event->kind == break_ends) event->kind = is_in_break ? break_ends : break_begins, is_in_break = !is_in_break;
    event->value = event->kind == another_volume ? draw(5) / 4.0 : draw(2);
    fprintf(file, "%s\n    { \"at\": %.4f, ", event_count++ ? "," : "", event->seconds);
    if (event->kind == another_route) {
      fprintf(file, "\"route\": { \"blocked\": %.3f, \"reason\": \"%s\"", once_in(2) ? 0 : 0.006, reasons[reason].name);
      write_route(file, event->output, event->input);
      if (event->rate > 0) fprintf(file, ", \"sampleRate\": %g", event->rate);
      if (event->channels >= 0) fprintf(file, ", \"inputChannels\": %d", event->channels);
      fprintf(file, " }");
    } else if (event->kind == another_volume) {
      fprintf(file, "\"volume\": %g", event->value);
    } else if (event->kind == other_sound) {
      fprintf(file, "\"otherAudio\": { \"type\": \"%s\" }", event->value > 0 ? "noise" : "silence");
    } else if (event->kind == break_begins) {
      fprintf(file, "\"interruption\": { \"edge\": \"begin\" }");
    } else {
      fprintf(file, "\"interruption\": { \"edge\": \"end\", \"resumes\": %s, \"told\": %s }", event->resumes ? "true" : "false", event->is_told ? "true" : "false");
    }
    fprintf(file, " }");
  }
}

static void follow_drawn(void) {
  const char *path = temporary("aubench-suite-routes.json");
  FILE *file = fopen(path, "w");
  need(file ? noErr : -1, path);
  model.rate = rates[draw(6)], model.channels = (int)draw(3), model.has_other = once_in(2), model.volume = 1;
  model.hardware = (Route){outputs[once_in(2) ? 0 : draw(10)], inputs[once_in(2) ? 0 : draw(6)]};
  fprintf(file, "{ \"version\": 1,\n  \"device\": { \"clock\": \"told\", \"sampleRate\": %g, \"sampleRates\": [8000, 16000, 22050, 32000, 44100, 48000], \"inputChannels\": %d, \"slices\": [32]", model.rate, model.channels);
  write_route(file, model.hardware.output, model.hardware.input);
  fprintf(file, " },\n  \"otherAudio\": { \"type\": \"%s\" },\n  \"events\": [", model.has_other ? "noise" : "silence");
  draw_events(file);
  fprintf(file, " ] }\n");
  fclose(file);
  need(AUBenchDeviceFollowScenario(path), "scenario");
  unlink(path);
}

static void route_drawn(UInt32 seed) {
  draw_from(seed + 160000);
  memset(&model, 0, sizeof model);
  *difference = 0;
  // The one session of the process as it begins.
  for (int at = 0; at < 4; ++at) AudioSessionRemovePropertyListener(listened[at]);
  model.category = kAudioSessionCategory_SoloAmbientSound, model.mode = kAudioSessionMode_Default, model.gain = 1;
  need(set_word(kAudioSessionProperty_AudioCategory, kAudioSessionCategory_AmbientSound), "category"), need(set_word(kAudioSessionProperty_AudioCategory, model.category), "category");
  need(set_word(kAudioSessionProperty_Mode, model.mode), "mode"), need(set_word(switches[ducks], 0), "ducks");
  need(AudioSessionSetProperty(kAudioSessionProperty_InputGainScalar, sizeof model.gain, &model.gain), "gain");
  need(AudioSessionSetProperty(kAudioSessionProperty_PreferredHardwareSampleRate, sizeof model.wanted_rate, &model.wanted_rate), "rate");
  AudioSessionSetActive(0);
  follow_drawn();
  told_counts[0] = told_counts[1] = 0;
  for (int which = 0; which < 4; ++which)
    for (int client = 1; client < 3; ++client)
      if (!once_in(3)) set_listener(which, client, 1);
  int next = 0, all = 0;
  for (int step = 0; step < steps && !*difference; ++step) {
    for (int at = (int)draw(4); at > 0; --at) do_something();
    compare_told(step), judge_properties();
    // Whole cycles of up to 4 ms are run.
    need(AUBenchDeviceAdvance((step + 1) * 0.05 - AUBenchDeviceGetSeconds()), "advance");
    for (; next < event_count && events[next].seconds < (step + 1) * 0.05; ++next) expect_event(&events[next]);
    all += told_counts[1];
    compare_told(step), judge_properties();
  }
  printf("seed %u: %d events, %d calls: %s\n", (unsigned)seed, event_count, all, *difference ? difference : "ok");
  need(AUBenchDeviceFollowScenario(NULL), "no scenario");
}

void routes(void) {
  need(AudioSessionInitialize(NULL, NULL, hear_break, (void *)3), "session");
  for_seeds(150, route_drawn);
}
