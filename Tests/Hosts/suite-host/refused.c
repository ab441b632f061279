// Each function of the interface asked wrongly: with handles that are null, of another kind or disposed of, without the pointers that it needs, in the
// wrong state, with numbers out of range and sizes that are none. The status stands in front of each call: Apple's, where it is published, or the one
// of docs/core-audio-on-linux.md.
#include "refused.h"

void *volatile nothing;
Judged judged;
AudioUnit unit;
AUGraph graph;
AUParameterListenerRef listener, events;
AudioComponent component;
static AudioConverterRef converter;

void judge(const char *call, OSStatus found, OSStatus expected) {
  ++judged.calls;
  if (found == expected) return;
  ++judged.wrong;
  printf("  FAULT %s: %s, expected %s\n", call, status_text(found), status_text(expected));
}

void say_judged(const char *subject) {
  printf("%s: %d calls, %d answered wrongly\n", subject, judged.calls, judged.wrong);
  judged = (Judged){0};
}

OSStatus give_silence(void *user, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames, AudioBufferList *data) {
  (void)user, (void)flags, (void)time, (void)bus;
  for (UInt32 buffer = 0; buffer < data->mNumberBuffers; ++buffer) memset(data->mBuffers[buffer].mData, 0, frames * 4);
  return noErr;
}
void hear_parameter(void *user, void *object, const AudioUnitParameter *parameter, Float32 value) { (void)user, (void)object, (void)parameter, (void)value; }
void hear_event(void *user, void *object, const AudioUnitEvent *event, UInt64 time, Float32 value) { (void)user, (void)object, (void)event, (void)time, (void)value; }

static AudioConverterRef new_converter(void) {
  const AudioStreamBasicDescription from = planar(48000, 2), to = pcm(48000, 2, 16, 2, 12);
  AudioConverterRef made = NULL;
  need(AudioConverterNew(&from, &to, &made), "converter");
  return made;
}

Handles handles_but(const void *one, const void *another) {
  Handles handles = {.count = 1};
  void *const others[] = {unit, graph, listener, events, converter, component};
  for (int at = 0; at < 6; ++at)
    if (others[at] != one && others[at] != another) handles.list[handles.count++] = others[at];
  AudioUnit gone = unit_of("aufx", "lpas");
  AudioComponentInstanceDispose(gone), handles.list[handles.count++] = gone;
  AUGraph no_graph;
  NewAUGraph(&no_graph), DisposeAUGraph(no_graph), handles.list[handles.count++] = no_graph;
  AUParameterListenerRef none;
  AUListenerCreate(hear_parameter, NULL, NULL, NULL, 0, &none), AUListenerDispose(none), handles.list[handles.count++] = none;
  AudioConverterRef closed = new_converter();
  AudioConverterDispose(closed), handles.list[handles.count++] = closed;
  handles.list[handles.count++] = (void *)1, handles.list[handles.count++] = (void *)~(uintptr_t)0;
  return handles;
}

// MARK: Files

// 100 frames of stereo in 16 bits.
static void make_file(const char *name, UInt32 type) {
  CFURLRef url = new_url(name);
  AudioStreamBasicDescription format = stereo16();
  if (type == 'AIFF') format.mFormatFlags |= kAudioFormatFlagIsBigEndian;
  AudioFileID file;
  UInt32 packets = 100;
  SInt16 samples[200];
  for (int at = 0; at < 200; ++at) samples[at] = (SInt16)(at * 100 - 10000);
  need(AudioFileCreateWithURL(url, type, &format, kAudioFileFlags_EraseFile, &file), "create");
  need(AudioFileWritePackets(file, 0, 400, NULL, 0, &packets, samples), "write");
  need(AudioFileClose(file), "close");
  CFRelease(url);
}

// A file that a coder makes: FLAC.
static void make_coded(const char *name) {
  CFURLRef url = new_url(name);
  AudioStreamBasicDescription format = {48000, 'flac', 0, 0, 0, 0, 2, 0, 0}, client = stereo16();
  ExtAudioFileRef file;
  SInt16 samples[200] = {0};
  AudioBufferList list = {1, {{2, 400, samples}}};
  need(ExtAudioFileCreateWithURL(url, 'flac', &format, NULL, kAudioFileFlags_EraseFile, &file), "create");
  need(ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, sizeof client, &client), "client");
  need(ExtAudioFileWrite(file, 100, &list), "write");
  need(ExtAudioFileDispose(file), "dispose");
  CFRelease(url);
}

AudioFileID open_file(const char *name, SInt8 permissions) {
  CFURLRef url = new_url(name);
  AudioFileID file = NULL;
  need(AudioFileOpenURL(url, permissions, 0, &file), name);
  CFRelease(url);
  return file;
}
ExtAudioFileRef open_extended(const char *name) {
  CFURLRef url = new_url(name);
  ExtAudioFileRef file = NULL;
  need(ExtAudioFileOpenURL(url, &file), name);
  CFRelease(url);
  return file;
}

void make_files(void) {
  make_file("plain.wav", 'WAVE'), make_file("plain.aif", 'AIFF'), make_coded("coded.flac");
}

OSStatus fetch(AudioConverterRef converter, UInt32 *packets, AudioBufferList *data, AudioStreamPacketDescription **descriptions, void *user) { return (void)converter, (void)data, (void)descriptions, (void)user, *packets = 0, noErr; }
OSStatus fetch_bytes(AudioConverterRef converter, UInt32 *bytes, void **data, void *user) { return (void)converter, (void)data, (void)user, *bytes = 0, noErr; }

void wrong_asking(void) {
  const AudioComponentDescription wanted = {'aufx', 'lpas', 'appl', 0, 0};
  component = AudioComponentFindNext(NULL, &wanted);
  unit = unit_of("aufx", "lpas"), converter = new_converter();
  need(NewAUGraph(&graph), "graph");
  need(AUListenerCreate(hear_parameter, NULL, NULL, NULL, 0, &listener), "listener");
  need(AUEventListenerCreate(hear_event, NULL, NULL, NULL, 0, 0, &events), "listener");
  make_files();
  wrong_units(), wrong_graphs(), wrong_components(), wrong_listeners();
  wrong_hardware(), wrong_session();
  wrong_file_handles(), wrong_openings(), wrong_files(), wrong_extended(), wrong_converters(), wrong_format_questions(), wrong_references();
}
