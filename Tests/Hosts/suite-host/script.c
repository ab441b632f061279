// Drawn scripts of simulated hardware: rates that change more than once, slices that do not divide, lost frames, drift,
// late callbacks, breaks, maps of channels. When the program is called, with which times, what it hears, and each frame
// that the loudspeaker plays must be what the model says (script-model.c); docs/laws/devices.md has its law.
#include <aubench/DeviceScenario.h>
#include <unistd.h>

#include "script.h"

Script script;

void script_differs(const char *text, double found, double expected) {
  if (*script.difference) return;
  snprintf(script.difference, sizeof script.difference, "at %.6f s: %s: %.12g, expected %.12g", model_seconds(), text, found, expected);
}

// A sound by its place on the program's clock, which a conversion of rates keeps.
Float32 played_sample(Float64 place, int channel) { return (Float32)(0.3 * sin(2 * M_PI * 311 * place / script.app_rate + channel)); }

// MARK: What the program does

static Heard *hear_call(int kind, UInt32 bus, UInt32 frames, const AudioTimeStamp *stamp) {
  if (script.heard_count == most_heard) return NULL;
  Heard *heard = &script.heard[script.heard_count++];
  *heard = (Heard){.kind = kind, .bus = bus, .frames = frames, .stamp = *stamp};
  return heard;
}

static OSStatus play(void *user, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *stamp, UInt32 bus, UInt32 frames, AudioBufferList *list) {
  (void)user, (void)flags;
  Heard *heard = hear_call(0, bus, frames, stamp);
  if (heard == NULL) return -1;
  for (UInt32 channel = 0; channel < list->mNumberBuffers; ++channel)
    for (UInt32 frame = 0; frame < frames; ++frame) ((Float32 *)list->mBuffers[channel].mData)[frame] = played_sample(stamp->mSampleTime + frame, (int)channel);
  // Some calls take long.
  const UInt32 word = noise(script.seed * 977 + script.plays++);
  if (word % 11 == 0) heard->spent = (word >> 8) % 1000 / 1000.0 * 2.6 * frames / script.app_rate;
  AUBenchDeviceSpend(heard->spent);
  return noErr;
}

static OSStatus begin_cycle(void *user, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *stamp, UInt32 bus, UInt32 frames, AudioBufferList *list) {
  (void)user, (void)list;
  if (bus == 0 && *flags & kAudioUnitRenderAction_PreRender) hear_call(2, bus, frames, stamp);
  return noErr;
}

static OSStatus record(void *user, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *stamp, UInt32 bus, UInt32 frames, AudioBufferList *none) {
  (void)user, (void)none;
  static Float32 rooms[most_script_channels][most_frames];
  static struct {
    UInt32 count;
    AudioBuffer buffers[most_script_channels];
  } list;
  Heard *heard = hear_call(1, bus, frames, stamp);
  if (heard == NULL || frames > most_frames) return -1;
  // Now and then it leaves the frames where they are, or some of them: they are lost with the next, or for several
  // cycles. Or it asks in two pieces, for more than there are, or for the same twice.
  const UInt32 way = noise(script.seed * 331 + (UInt32)script.heard_count) % 24;
  if (way == 0) script.leaves = 2 + (int)(noise(script.seed * 37 + (UInt32)script.heard_count) % 12);
  heard->is_left = way < 2 || script.leaves > 0;
  script.leaves -= script.leaves > 0;
  if (heard->is_left || frames < 3) return heard->is_left = 1, noErr;
  heard->got = way == 2 ? frames / 2 : way == 3 && frames + 9 <= most_frames ? frames + 9 : frames;
  const UInt32 first = way == 4 ? frames / 3 : heard->got;
  for (UInt32 done = 0, count = first; done < heard->got; done += count, count = heard->got - done) {
    list.count = (UInt32)script.inputs;
    for (int channel = 0; channel < script.inputs; ++channel) list.buffers[channel] = (AudioBuffer){1, count * 4, rooms[channel] + done};
    AudioTimeStamp time = *stamp;
    time.mSampleTime += done;
    const OSStatus status = AudioUnitRender(script.unit, flags, &time, 1, count, (AudioBufferList *)&list);
    if (status != noErr) return status;
  }
  heard->samples = malloc(heard->got * sizeof(Float32));
  memcpy(heard->samples, rooms[0], heard->got * sizeof(Float32));
  if (way == 5) {
    const OSStatus status = AudioUnitRender(script.unit, flags, stamp, 1, frames, (AudioBufferList *)&list);
    if (status != noErr) return status;
  }
  heard->differs |= memcmp(rooms[0], heard->samples, heard->got * sizeof(Float32)) != 0;
  for (int channel = 1; channel < script.inputs; ++channel) heard->differs |= memcmp(rooms[channel], rooms[0], heard->got * sizeof(Float32)) != 0;
  return noErr;
}

static void hear_change(void *user, AudioUnit unit, UInt32 id, UInt32 scope, UInt32 element) {
  (void)user, (void)unit;
  if (id == kAudioOutputUnitProperty_IsRunning) ++script.told_running;
  else if ((scope == kAudioUnitScope_Output) == (element == 0)) ++script.told_formats[element];
}

static void judge_told(void) {
  UInt32 is_running = 9, size = sizeof is_running;
  need(AudioUnitGetProperty(script.unit, kAudioOutputUnitProperty_IsRunning, 0, 0, &is_running, &size), "running");
  if ((int)is_running != model_is_running()) script_differs("is running", is_running, model_is_running());
  if (script.told_running != model_running_changes()) script_differs("told that it runs or stops", script.told_running, model_running_changes());
  for (int element = 0; element < 2; ++element)
    if (script.told_formats[element] != model_format_changes()) script_differs("told of a format of the hardware", script.told_formats[element], model_format_changes());
}

// MARK: Drawing

static const Float64 rates[] = {8000, 16000, 22050, 32000, 44100, 48000};

static int draw_slices(int *slices) {
  const int count = 1 + (int)draw(4);
  for (int at = 0; at < count; ++at) slices[at] = 20 + (int)draw(once_in(4) ? 600 : 300);
  return count;
}

static void draw_script(UInt32 seed) {
  draw_from(seed + 70000);
  memset(&script, 0, sizeof script);
  script.seed = seed;
  script.rate = rates[draw(6)];
  script.app_rate = once_in(3) ? rates[draw(6)] : script.rate;
  script.channels = once_in(3) ? 1 + (int)draw(most_script_channels) : 1 + (int)draw(2);
  script.inputs = 1 + (int)draw(3);
  script.app_channels = script.channels;
  script.has_map = once_in(3);
  if (script.has_map) script.app_channels = 1 + (int)draw(3);
  for (int channel = 0; channel < most_script_channels; ++channel) script.map[channel] = script.has_map ? (int)draw((UInt32)script.app_channels + 1) - 1 : channel;
  script.slice_count = draw_slices(script.slices);
  script.tone = 100 + draw(300), script.level = 0.25;
  script.microphone_file = once_in(3);
  script.has_echo = once_in(3);
  script.echo_delay = draw_between(0, 0.1), script.echo_gain = 0.5;
  script.starts_at_zero = !once_in(3);
  script.event_count = 4 + (int)draw(7);
  script.has_groups = once_in(6);
  // One element alone now and then; a voice processor that records needs a library.
  script.records = !once_in(4);
  script.plays_sound = !script.records || !once_in(6);
  script.is_voice = !script.records && once_in(2);
  Float64 seconds = 0.15;
  int is_in_break = 0;
  for (int at = 0; at < script.event_count; ++at) {
    ScriptEvent *event = &script.events[at];
    event->change = is_in_break ? a_break_end : (Change)draw(once_in(3) ? changes - 1 : other_cost);
    if (!is_in_break && once_in(3)) event->change = other_route;
    if (script.has_groups && (event->change == other_route || once_in(3))) event->change = other_groups;
    if (!script.has_groups && event->change == other_groups) event->change = other_slices;
    is_in_break = event->change == a_break;
    event->callbacks = once_in(3) ? 1 : 2 + (int)draw(5);
    event->seconds = seconds += draw_between(0.02, 0.25);
    event->slice_count = draw_slices(event->slices);
    const Float64 slice = 150 / script.rate;
    if (event->change == other_route) {
      // How long no callback comes, and the rate from then on: often that of the program.
      event->value = once_in(3) ? 0 : draw_between(0, 0.12);
      event->rate = once_in(3) ? script.app_rate : rates[draw(6)];
      // Now and then what follows comes before it is over: another change of route too.
      if (noise(seed * 59 + (UInt32)at) % 4) seconds += event->value;
    }
    if (event->change == other_groups) event->value = draw_between(0, 450 / script.rate);
    if (event->change == other_drift) event->value = draw_between(-3000, 3000);
    if (event->change == other_cost || event->change == other_lateness) event->value = once_in(3) ? 0 : draw_between(0, 1.2 * slice);
    if (event->change == other_volume) event->value = draw(5) / 4.0;
    if (event->change == other_sound) event->value = 100 + draw(300);
  }
}

static void write_slices(FILE *file, const int *slices, int count) {
  for (int at = 0; at < count; ++at) fprintf(file, "%s%d", at ? ", " : "[", slices[at]);
  fprintf(file, "]");
}

static void write_event(FILE *file, const ScriptEvent *event) {
  fprintf(file, "    { \"at\": %.17g, ", event->seconds);
  switch (event->change) {
    case other_slices: fprintf(file, "\"slices\": "), write_slices(file, event->slices, event->slice_count); break;
    case other_route: fprintf(file, "\"route\": { \"blocked\": %.17g, \"sampleRate\": %g }", event->value, event->rate); break;
    case other_drift: fprintf(file, "\"drift\": %.17g", event->value); break;
    case other_cost: fprintf(file, "\"cost\": %.17g", event->value); break;
    case other_lateness: fprintf(file, "\"late\": %.17g", event->value); break;
    case other_volume: fprintf(file, "\"volume\": %g", event->value); break;
    case other_sound: fprintf(file, "\"microphone\": { \"type\": \"tone\", \"frequency\": %g, \"level\": -12.041199826559248 }", event->value); break;
    case other_groups: fprintf(file, "\"burst\": { \"callbacks\": %d, \"pause\": %.17g }", event->callbacks, event->value); break;
    case a_break: fprintf(file, "\"interruption\": { \"edge\": \"begin\" }"); break;
    default: fprintf(file, "\"interruption\": { \"edge\": \"end\" }"); break;
  }
  fprintf(file, " }");
}

static void write_script(const char *path) {
  FILE *file = fopen(path, "w");
  need(file ? noErr : -1, path);
  fprintf(file, "{ \"version\": 1,\n  \"device\": { \"clock\": \"told\", \"sampleRate\": %g, \"outputChannels\": %d, \"inputChannels\": %d, \"slices\": ", script.rate, script.channels, script.inputs);
  write_slices(file, script.slices, script.slice_count);
  if (script.microphone_file) fprintf(file, " },\n  \"microphone\": { \"type\": \"file\", \"file\": \"%s\" },\n", microphone_wave);
  else fprintf(file, " },\n  \"microphone\": { \"type\": \"tone\", \"frequency\": %g, \"level\": -12.041199826559248 },\n", script.tone);
  fprintf(file, "  \"loudspeaker\": { \"file\": \"aubench-suite-script%u.wav\"", (unsigned)script.seed);
  if (script.has_echo) fprintf(file, ", \"echo\": [{ \"delay\": %.17g, \"gain\": -6.020599913279624 }]", script.echo_delay);
  fprintf(file, " },\n  \"events\": [\n");
  for (int at = 0; at < script.event_count; ++at) write_event(file, &script.events[at]), fprintf(file, at + 1 < script.event_count ? ",\n" : "\n");
  fprintf(file, "  ] }\n");
  fclose(file);
}

// A tone in a file, 32-bit float.
static void write_wave(void) {
  FILE *file = fopen(temporary(microphone_wave), "wb");
  need(file ? noErr : -1, microphone_wave);
  const UInt32 bytes = wave_seconds * wave_rate * 4;
  const struct __attribute__((packed)) {
    char riff[4];
    UInt32 size;
    char wave[8];
    UInt32 format_size;
    UInt16 format, channels;
    UInt32 rate, bytes_per_second;
    UInt16 block, bits;
    char data[4];
    UInt32 bytes;
  } header = {{'R', 'I', 'F', 'F'}, 36 + bytes, {'W', 'A', 'V', 'E', 'f', 'm', 't', ' '}, 16, 3, 1, wave_rate, wave_rate * 4, 4, 32, {'d', 'a', 't', 'a'}, bytes};
  fwrite(&header, sizeof header, 1, file);
  for (int frame = 0; frame < wave_seconds * wave_rate; ++frame) {
    const Float32 sample = (Float32)(script.level * sin(2 * M_PI * script.tone * frame / wave_rate));
    fwrite(&sample, 4, 1, file);
  }
  fclose(file);
}

// MARK: The loudspeaker's files

static void compare_file(int number) {
  char name[100];
  snprintf(name, sizeof name, number ? "aubench-suite-script%u-%d.wav" : "aubench-suite-script%u.wav", (unsigned)script.seed, number + 1);
  const File *expected = &played_files[number];
  FILE *file = fopen(temporary(name), "rb");
  if (file == NULL) {
    script_differs("a file is not there", number + 1, number);
    return;
  }
  static unsigned char bytes[most_file_frames * most_script_channels * 4 + 4096];
  const size_t size = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  unlink(temporary(name));
  UInt32 rate = 0;
  UInt16 channels = 0;
  size_t at = 12, length = 0;
  for (; at + 8 <= size; at += 8 + length + length % 2) {
    UInt32 chunk;
    memcpy(&chunk, bytes + at + 4, 4);
    length = chunk;
    if (memcmp(bytes + at, "fmt ", 4) == 0) memcpy(&channels, bytes + at + 10, 2), memcpy(&rate, bytes + at + 12, 4);
    if (memcmp(bytes + at, "data", 4) == 0) break;
  }
  if (rate != expected->rate) script_differs("rate of a file", rate, expected->rate);
  if (channels != script.channels) script_differs("channels of a file", channels, script.channels);
  const int frames = channels ? (int)(length / 4 / channels) : 0;
  if (frames != expected->frames) script_differs("frames of a file", frames, expected->frames);
  for (int frame = 0; frame < frames && frame < expected->frames && channels == script.channels; ++frame) {
    if (!expected->is_known[frame]) continue;
    for (int channel = 0; channel < channels; ++channel) {
      Float32 found;
      memcpy(&found, bytes + at + 8 + ((size_t)frame * channels + (size_t)channel) * 4, 4);
      const Float32 right = expected->samples[channel][frame];
      const double most = expected->is_known[frame] == 1 ? 1e-6 : 3e-3;
      if (fabs(found - right) <= most) continue;
      char text[80];
      snprintf(text, sizeof text, "file %d, frame %d, channel %d", number + 1, frame, channel);
      script_differs(text, found, right);
      return;
    }
  }
}

// MARK: A session

static void open_unit(void) {
  script.unit = unit_of("auou", script.is_voice ? "vpio" : "rioc");
  const SInt32 map[most_script_channels] = {script.map[0], script.map[1], script.map[2], script.map[3], script.map[4], script.map[5]};
  const AURenderCallbackStruct playing = {play, NULL}, recording = {record, NULL};
  need(set_uint(script.unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, (UInt32)script.records), "input");
  need(set_uint(script.unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Output, 0, (UInt32)script.plays_sound), "output");
  need(set_format(script.unit, kAudioUnitScope_Input, 0, planar(script.app_rate, (UInt32)script.app_channels)), "format played");
  need(set_format(script.unit, kAudioUnitScope_Output, 1, planar(script.app_rate, (UInt32)script.inputs)), "format recorded");
  need(set_uint(script.unit, kAudioOutputUnitProperty_StartTimestampsAtZero, 0, 0, (UInt32)script.starts_at_zero), "start");
  if (script.has_map) need(AudioUnitSetProperty(script.unit, kAudioOutputUnitProperty_ChannelMap, kAudioUnitScope_Output, 0, map, (UInt32)script.channels * 4), "map");
  need(AudioUnitSetProperty(script.unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &playing, sizeof playing), "play");
  if (script.records) need(AudioUnitSetProperty(script.unit, kAudioOutputUnitProperty_SetInputCallback, 0, 1, &recording, sizeof recording), "record");
  need(AudioUnitAddRenderNotify(script.unit, begin_cycle, NULL), "notify");
  need(AudioUnitInitialize(script.unit), "initialize");
  need(AudioUnitAddPropertyListener(script.unit, kAudioOutputUnitProperty_IsRunning, hear_change, NULL), "listener");
  need(AudioUnitAddPropertyListener(script.unit, kAudioUnitProperty_StreamFormat, hear_change, NULL), "listener");
}

static void advance(Float64 seconds) {
  need(AUBenchDeviceAdvance(seconds), "advance");
  model_advance(seconds);
}

static void script_of(UInt32 seed) {
  draw_script(seed);
  printf("seed %u: %s%s%s at %g, %d channels at %g Hz, %d events: ", (unsigned)seed, script.is_voice ? "voice" : "remote", script.records ? ", records" : "",
         script.plays_sound ? ", plays" : "", script.app_rate, script.channels, script.rate, script.event_count);
  char path[4096];
  snprintf(path, sizeof path, "%s", temporary("aubench-suite-script.json"));
  write_script(path);
  if (script.microphone_file) write_wave();
  need(AUBenchDeviceFollowScenario(path), "scenario");
  begin_model();
  open_unit();
  model_opens();
  if (once_in(3)) advance(draw_between(0, 0.1));
  const Float64 end = script.events[script.event_count - 1].seconds + 0.3;
  while (model_seconds() < end && !*script.difference) {
    // It is started, and now and then stopped for a while; after a break it is started again.
    if (!model_is_running()) {
      const OSStatus status = AudioOutputUnitStart(script.unit);
      if (model_is_interrupted() != (status != noErr)) script_differs("status of a start", status, 0);
      if (status == noErr) model_starts();
    } else if (once_in(12)) {
      model_stops();
      need(AudioOutputUnitStop(script.unit), "stop");
    }
    advance(draw_between(0.005, 0.1));
    judge_told();
  }
  need(AudioOutputUnitStop(script.unit), "stop");
  need(AudioComponentInstanceDispose(script.unit), "dispose");
  need(AUBenchDeviceFollowScenario(NULL), "no scenario");
  for (int number = 0; number < file_count; ++number) compare_file(number);
  unlink(path), unlink(temporary(microphone_wave));
  printf("%s\n", *script.difference ? script.difference : "ok");
  end_model();
}

void scripts(void) { for_seeds(200, script_of); }
