// Frames that come with the call: AudioUnitProcess and AudioUnitProcessMultiple beside AudioUnitRender. Three units of a kind get the same settings,
// changes and input, each by its own call; they must give the same bits, whatever the slices are, and no call but AudioUnitRender asks a source or a
// render notify. Units and lists that do not go together, and the errors that a unit keeps.
#include "refused.h"

enum { most = 700, planes_here = 2, inputs_here = 3 };
static const UInt32 slices[] = {64, 1, 300, 512, 17, 64, 700, 33, 128};
enum { slice_count = sizeof slices / sizeof slices[0] };
static int pulls, notified;
static SInt64 first_frame;

static Float32 sample_at(SInt64 frame, UInt32 channel, UInt32 bus) { return (Float32)((SInt32)noise((UInt32)(frame * 7 + channel * 100003 + bus * 1000003)) / 4294967296.0); }

static OSStatus feed(void *user, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 count, AudioBufferList *data) {
  (void)user, (void)flags, (void)time;
  ++pulls;
  for (UInt32 channel = 0; channel < data->mNumberBuffers; ++channel)
    for (UInt32 frame = 0; frame < count; ++frame) ((Float32 *)data->mBuffers[channel].mData)[frame] = sample_at(first_frame + frame, channel, bus);
  return noErr;
}
static OSStatus notify(void *user, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 count, AudioBufferList *data) {
  (void)user, (void)flags, (void)time, (void)bus, (void)count, (void)data;
  return ++notified, noErr;
}
static const AURenderCallbackStruct source = {feed, NULL};

typedef struct Lists {
  struct {
    UInt32 count;
    AudioBuffer buffers[planes_here];
  } list[inputs_here];
  Float32 samples[inputs_here][planes_here][most];
} Lists;

// Lists of the frames of some inputs, or of room that has none.
static void lay_out(Lists *lists, UInt32 buses, UInt32 channels, UInt32 count, int is_room) {
  for (UInt32 bus = 0; bus < buses; ++bus) {
    lists->list[bus].count = channels;
    for (UInt32 channel = 0; channel < channels; ++channel) {
      lists->list[bus].buffers[channel] = (AudioBuffer){1, count * 4, lists->samples[bus][channel]};
      for (UInt32 frame = 0; frame < count; ++frame) lists->samples[bus][channel][frame] = is_room ? 77 : sample_at(first_frame + frame, channel, bus);
    }
  }
}

static AudioUnit unit_for(const char *type, const char *subtype, UInt32 channels, UInt32 buses, int has_source) {
  AudioUnit one = unit_of(type, subtype);
  if (buses > 1) need(set_uint(one, kAudioUnitProperty_ElementCount, 1, 0, buses), "elements");
  for (UInt32 bus = 0; bus < buses; ++bus) {
    need(set_format(one, 1, bus, planar(44100, channels)), subtype);
    // The one in the middle has no source.
    if (has_source && !(buses == 3 && bus == 1)) need(AudioUnitSetProperty(one, kAudioUnitProperty_SetRenderCallback, 1, bus, &source, sizeof source), "source");
  }
  need(set_format(one, 2, 0, planar(44100, channels)), subtype);
  // A matrix is silent until its gains are set.
  for (UInt32 channel = 0; channel < buses * channels && strcmp(subtype, "mxmx") == 0; ++channel) {
    need(AudioUnitSetParameter(one, kMatrixMixerParam_Volume, 1, channel, 1, 0), "gain");
    for (UInt32 output = 0; output < channels; ++output) need(AudioUnitSetParameter(one, kMatrixMixerParam_Volume, 2, output, 1, 0), "gain"), need(AudioUnitSetParameter(one, kMatrixMixerParam_Volume, 0, channel << 16 | output, 0.1f * (Float32)(channel + 2 * output + 1), 0), "gain");
  }
  if (strcmp(subtype, "mxmx") == 0) need(AudioUnitSetParameter(one, kMatrixMixerParam_Volume, 0, 0xFFFFFFFF, 1, 0), "gain");
  if (!has_source) need(AudioUnitSetProperty(one, kAudioUnitProperty_SetRenderCallback, 1, 0, &source, sizeof source), "source"), need(AudioUnitAddRenderNotify(one, notify, NULL), "notify");
  need(AudioUnitInitialize(one), subtype);
  return one;
}

// Moves every parameter that can be written to a third of its range, and then to two thirds by a ramp in the next slice where it can.
static void change(AudioUnit one, int slice) {
  UInt32 ids[64], size = sizeof ids;
  if (AudioUnitGetProperty(one, kAudioUnitProperty_ParameterList, 0, 0, ids, &size) != noErr) return;
  for (UInt32 at = 0; at < size / 4; ++at) {
    AudioUnitParameterInfo info;
    UInt32 bytes = sizeof info;
    need(AudioUnitGetProperty(one, kAudioUnitProperty_ParameterInfo, 0, ids[at], &info, &bytes), "information");
    if (info.flags & kAudioUnitParameterFlag_CFNameRelease && info.cfNameString) CFRelease(info.cfNameString);
    if (!(info.flags & kAudioUnitParameterFlag_IsWritable) || at % slice_count != (UInt32)slice % slice_count) continue;
    const Float32 third = info.minValue + (info.maxValue - info.minValue) / 3, two = info.minValue + (info.maxValue - info.minValue) * 2 / 3;
    need(AudioUnitSetParameter(one, ids[at], 0, 0, third, 0), "parameter");
    if (!(info.flags & kAudioUnitParameterFlag_CanRamp)) continue;
    const AudioUnitParameterEvent event = {.parameter = ids[at], .eventType = kParameterEvent_Ramped, .eventValues.ramp = {0, 20, third, two}};
    need(AudioUnitScheduleParameters(one, &event, 1), "ramp");
  }
}

static void compare(const char *type, const char *subtype, UInt32 channels, UInt32 buses, int works_in_place) {
  static Lists rendered, in_place, in, out;
  AudioUnit by_render = unit_for(type, subtype, channels, buses, 1), by_process = unit_for(type, subtype, channels, buses, 0), by_lists = unit_for(type, subtype, channels, buses, 0);
  char text[96];
  int differences[2] = {0, 0}, changed = 0, heard = 0;
  first_frame = 0, notified = 0;
  for (int slice = 0; slice < 2 * slice_count; ++slice) {
    const UInt32 count = slices[slice % slice_count];
    AudioUnitRenderActionFlags flags[3] = {0, 0, 0};
    const AudioTimeStamp now = at_frame(first_frame);
    change(by_render, slice), change(by_process, slice), change(by_lists, slice);
    if (slice == slice_count) AudioUnitReset(by_render, 0, 0), AudioUnitReset(by_process, 0, 0), AudioUnitReset(by_lists, 0, 0);
    lay_out(&rendered, 1, channels, count, 1), lay_out(&in_place, 1, channels, count, 0), lay_out(&in, buses, channels, count, 0), lay_out(&out, 1, channels, count, 1);
    pulls = 0;
    need(AudioUnitRender(by_render, &flags[0], &now, 0, count, (AudioBufferList *)&rendered.list[0]), "render");
    HOLDS(pulls == (buses == 3 ? 2 : 1));
    pulls = 0;
    if (works_in_place) ANSWERS(0, AudioUnitProcess(by_process, &flags[1], &now, count, (AudioBufferList *)&in_place.list[0]));
    else ANSWERS(-4, AudioUnitProcess(by_process, &flags[1], &now, count, (AudioBufferList *)&in_place.list[0]));
    const AudioBufferList *inputs[inputs_here] = {(AudioBufferList *)&in.list[0], buses == 3 ? NULL : (AudioBufferList *)&in.list[1], (AudioBufferList *)&in.list[2]};
    AudioBufferList *outputs[] = {(AudioBufferList *)&out.list[0]};
    ANSWERS(0, AudioUnitProcessMultiple(by_lists, &flags[2], &now, count, buses, inputs, 1, outputs));
    HOLDS(pulls == 0);
    for (UInt32 channel = 0; channel < channels; ++channel) {
      differences[0] += works_in_place && memcmp(rendered.samples[0][channel], in_place.samples[0][channel], count * 4) != 0;
      differences[1] += memcmp(rendered.samples[0][channel], out.samples[0][channel], count * 4) != 0;
      for (UInt32 frame = 0; frame < count; ++frame) changed += in.samples[0][channel][frame] != sample_at(first_frame + frame, channel, 0), heard += rendered.samples[0][channel][frame] != 0;
    }
    HOLDS(in_place.list[0].buffers[0].mDataByteSize == count * 4 && out.list[0].buffers[0].mDataByteSize == count * 4);
    first_frame += count;
  }
  snprintf(text, sizeof text, "%s, %u channels: slices that AudioUnitProcess gives otherwise", subtype, (unsigned)channels), judge(text, differences[0], 0);
  snprintf(text, sizeof text, "%s, %u channels: slices that AudioUnitProcessMultiple gives otherwise", subtype, (unsigned)channels), judge(text, differences[1], 0);
  snprintf(text, sizeof text, "%s: samples of the input that were changed, notifies, and sound", subtype), judge(text, changed, 0), judge(text, notified, 0), judge(text, heard > 0 || strcmp(subtype, "sdly") == 0, 1);
  Float64 time = 0;
  UInt32 size = sizeof time;
  ANSWERS(0, AudioUnitGetProperty(by_lists, kAudioUnitProperty_LastRenderSampleTime, 0, 0, &time, &size)), HOLDS(time == first_frame - slices[slice_count - 1]);
  // An output list without memory gets the unit's own; an output that is not wanted is left out.
  lay_out(&in, buses, channels, 64, 0), lay_out(&out, 1, channels, 64, 1), out.list[0].buffers[0].mData = NULL;
  const AudioBufferList *inputs[inputs_here] = {(AudioBufferList *)&in.list[0], (AudioBufferList *)&in.list[1], (AudioBufferList *)&in.list[2]};
  AudioBufferList *outputs[] = {(AudioBufferList *)&out.list[0]};
  AudioUnitRenderActionFlags flags = 0;
  const AudioTimeStamp any = at_frame(1);
  ANSWERS(0, AudioUnitProcessMultiple(by_lists, &flags, &any, 64, buses, inputs, 1, outputs)), HOLDS(out.list[0].buffers[0].mData != NULL);
  ANSWERS(0, AudioUnitProcessMultiple(by_lists, &flags, &any, 64, buses, inputs, 0, outputs));
  need(AudioComponentInstanceDispose(by_render), "dispose"), need(AudioComponentInstanceDispose(by_process), "dispose"), need(AudioComponentInstanceDispose(by_lists), "dispose");
}

// MARK: Errors that stay

static int errors_told;
static void hear_error(void *user, AudioUnit from, UInt32 id, UInt32 scope, UInt32 element) { (void)user, (void)from, errors_told += id == kAudioUnitProperty_LastRenderError && scope == 0 && element == 0; }

static OSStatus last_error(AudioUnit one) {
  OSStatus error = 1;
  UInt32 size = sizeof error;
  need(AudioUnitGetProperty(one, kAudioUnitProperty_LastRenderError, 0, 0, &error, &size), "last error");
  return error;
}

// The first error is kept until it is read, whichever call had it, and told once.
static void keep_errors(void) {
  AudioUnit one = unit_for("aufx", "lpas", 2, 1, 0);
  Planes *planes = planes_of(2, 64);
  AudioUnitRenderActionFlags flags = 0;
  const AudioTimeStamp now = at_frame(0);
  const AudioBufferList *inputs[] = {planes->list};
  AudioBufferList *outputs[] = {planes->list};
  need(AudioUnitAddPropertyListener(one, kAudioUnitProperty_LastRenderError, hear_error, NULL), "listener");
  for (int way = 0; way < 3; ++way) {
    errors_told = 0;
    ANSWERS(0, last_error(one));
    if (way == 0) ANSWERS(kAudioUnitErr_InvalidElement, AudioUnitRender(one, &flags, &now, 1, 64, planes->list));
    if (way == 1) ANSWERS(kAudioUnitErr_TooManyFramesToProcess, AudioUnitProcess(one, &flags, &now, 5000, planes->list));
    if (way == 2) ANSWERS(kAudioUnitErr_NoConnection, AudioUnitProcessMultiple(one, &flags, &now, 64, 0, inputs, 1, outputs));
    ANSWERS(-50, AudioUnitRender(one, &flags, &now, 0, 64, planes_of(1, 64)->list));
    planes_of(2, 64);
    const AudioTimeStamp later = at_frame(1000 * (way + 1));
    ANSWERS(0, AudioUnitRender(one, &flags, &later, 0, 64, planes->list));
    HOLDS(errors_told == 1);
    ANSWERS(way == 0 ? kAudioUnitErr_InvalidElement : way == 1 ? kAudioUnitErr_TooManyFramesToProcess : kAudioUnitErr_NoConnection, last_error(one));
    ANSWERS(0, last_error(one));
  }
  need(AudioComponentInstanceDispose(one), "dispose");
  // Each call is a slice of its own: the same time again goes on where the last call ended.
  static Lists on, again;
  AudioUnit other = unit_for("aufx", "lpas", 2, 1, 0);
  one = unit_for("aufx", "lpas", 2, 1, 0), first_frame = 0;
  for (int slice = 0; slice < 4; ++slice) {
    const AudioTimeStamp next = at_frame(slice * 64), same = at_frame(5);
    lay_out(&on, 1, 2, 64, 0), lay_out(&again, 1, 2, 64, 0);
    ANSWERS(0, AudioUnitProcess(one, &flags, &next, 64, (AudioBufferList *)&on.list[0])), ANSWERS(0, AudioUnitProcess(other, &flags, &same, 64, (AudioBufferList *)&again.list[0]));
    HOLDS(memcmp(on.samples[0][1], again.samples[0][1], 256) == 0);
  }
  need(AudioComponentInstanceDispose(one), "dispose"), need(AudioComponentInstanceDispose(other), "dispose");
  // Inputs that are converted, or run at another rate, are not pushed.
  one = unit_of("aufc", "conv");
  need(set_format(one, 1, 0, planar(44100, 2)), "format"), need(set_format(one, 2, 0, planar(48000, 2)), "format"), need(AudioUnitInitialize(one), "initialize");
  ANSWERS(kAudioUnitErr_FormatNotSupported, AudioUnitProcessMultiple(one, &flags, &now, 64, 1, inputs, 1, outputs));
  need(AudioComponentInstanceDispose(one), "dispose");
  one = unit_of("aumx", "mcmx");
  need(set_format(one, 1, 0, planar(22050, 2)), "format"), need(AudioUnitInitialize(one), "initialize");
  ANSWERS(kAudioUnitErr_FormatNotSupported, AudioUnitProcessMultiple(one, &flags, &now, 64, 1, inputs, 1, outputs));
  need(AudioComponentInstanceDispose(one), "dispose");
}

void pushed_frames(void) {
  static const struct {
    const char *type, *subtype;
    UInt32 buses;
    int works_in_place;
  } kinds[] = {{"aufx", "lpas", 1, 1}, {"aufx", "hpas", 1, 1}, {"aufx", "bpas", 1, 1}, {"aufx", "lshf", 1, 1}, {"aufx", "hshf", 1, 1}, {"aufx", "pmeq", 1, 1}, {"aufx", "greq", 1, 1}, {"aufx", "filt", 1, 1}, {"aufx", "nbeq", 1, 1}, {"aufx", "ipeq", 1, 1}, {"aufx", "sdly", 1, 1}, {"aufx", "dely", 1, 1}, {"aufx", "dist", 1, 1}, {"aufx", "dcmp", 1, 1}, {"aufx", "lmtr", 1, 1}, {"aufx", "rvb2", 1, 0}, {"aumx", "mcmx", 3, 0}, {"aumx", "mxmx", 3, 0}, {"aufc", "conv", 1, 0}};
  for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; ++kind)
    for (UInt32 channels = 1; channels <= 2; ++channels) {
      if (kinds[kind].type[2] == 'm' && channels == 1) continue;
      compare(kinds[kind].type, kinds[kind].subtype, channels, kinds[kind].buses, kinds[kind].works_in_place);
    }
  keep_errors();
  say_judged("frames that come with the call");
}
