// Rate conversion by AudioConverter and ExtAudioFile, held to itself where the header gives a rule: how the three ways to prime differ, what cannot be
// changed once a conversion has begun, calls from within the procedure that feeds it, and reading that goes on bit for bit behind a seek.
#include "refused.h"

enum { most_input = 4000, most_made = 16000, file_frames = 3000 };
static Float32 input[most_input], made[3][most_made];
static int input_count, given, largest_piece;
static AudioConverterRef converter;
static OSStatus within[3];

static OSStatus feed(AudioConverterRef from, UInt32 *packets, AudioBufferList *data, AudioStreamPacketDescription **descriptions, void *user) {
  (void)descriptions, (void)user;
  UInt32 count = (UInt32)fmin(fmin(*packets, largest_piece), input_count - given);
  *packets = count, data->mBuffers[0].mData = input + given, data->mBuffers[0].mDataByteSize = count * 4;
  given += (int)count;
  // A converter is busy within its own procedure.
  Float32 room[8];
  UInt32 one = 1, bytes = sizeof room;
  AudioBufferList list = {1, {{1, sizeof room, room}}};
  within[0] = AudioConverterFillComplexBuffer(from, feed, NULL, &one, &list, NULL);
  within[1] = AudioConverterFillBuffer(from, fetch_bytes, NULL, &bytes, room);
  // Nor does it take another engine there.
  within[2] = AudioConverterSetProperty(from, kAudioConverterSampleRateConverterComplexity, 4, "enil");
  return noErr;
}

// Everything that comes of the input; the number of frames.
static int convert_all(Float32 *into) {
  int count = 0;
  for (given = 0;;) {
    UInt32 packets = 333;
    AudioBufferList list = {1, {{1, 333 * 4, into + count}}};
    need(AudioConverterFillComplexBuffer(converter, feed, NULL, &packets, &list, NULL), "fill");
    if (packets == 0) return count;
    count += (int)packets;
    if (count + 333 > most_made) return count;
  }
}

static void prime(Float64 from, Float64 to, UInt32 complexity, UInt32 quality) {
  const AudioStreamBasicDescription source = planar(from, 1), target = planar(to, 1);
  char text[128];
  AudioConverterPrimeInfo info = {0, 0};
  UInt32 size = sizeof info;
  int counts[3];
  need(AudioConverterNew(&source, &target, &converter), "converter");
  need(AudioConverterSetProperty(converter, kAudioConverterSampleRateConverterComplexity, 4, &complexity), "complexity");
  need(AudioConverterSetProperty(converter, kAudioConverterSampleRateConverterQuality, 4, &quality), "quality");
  need(AudioConverterGetProperty(converter, kAudioConverterPrimeInfo, &size, &info), "prime");
  const int lead = (int)info.leadingFrames, length = 1500;
  for (UInt32 method = 0; method < 3; ++method) {
    // Pre: the program begins with the frames in front of the first, here zeros.
    const int zeros = method == 0 ? lead : 0;
    input_count = zeros + length;
    for (int frame = 0; frame < input_count; ++frame) input[frame] = frame < zeros ? 0 : (Float32)((SInt32)noise((UInt32)(frame - zeros)) / 4294967296.0);
    need(AudioConverterReset(converter), "reset");
    ANSWERS(0, AudioConverterSetProperty(converter, kAudioConverterPrimeMethod, 4, &method));
    UInt32 back = 9;
    size = 4;
    ANSWERS(0, AudioConverterGetProperty(converter, kAudioConverterPrimeMethod, &size, &back)), HOLDS(back == method);
    largest_piece = method == 1 ? 97 : 1000;
    memset(made[method], 0, sizeof made[method]);
    counts[method] = convert_all(made[method]);
    HOLDS(within[0] == unsupported && within[1] == unsupported && within[2] == unsupported);
    // In the midst of a conversion its engine stays.
    const UInt32 other = method == 1 ? 2 : 1;
    ANSWERS(unsupported, AudioConverterSetProperty(converter, kAudioConverterPrimeMethod, 4, &other));
    ANSWERS(unsupported, AudioConverterSetProperty(converter, kAudioConverterSampleRateConverterComplexity, 4, "enil"));
    ANSWERS(0, AudioConverterSetProperty(converter, kAudioConverterPrimeMethod, 4, &method));
  }
  const int expected = (int)floor(length * to / from + 0.5);
  snprintf(text, sizeof text, "%g to %g, %s, quality %u: frames", from, to, status_text((OSStatus)complexity), (unsigned)quality);
  // The silence that None begins with counts as frames of the stream; what Pre begins with does not.
  judge(text, counts[0], expected);
  judge(text, counts[1], expected);
  judge(text, counts[2], (OSStatus)floor((length + (int)info.trailingFrames) * to / from + 0.5));
  // With zeros in front the same sound comes out.
  int differences = 0;
  for (int frame = 0; frame < expected; ++frame) differences += fabsf(made[0][frame] - made[1][frame]) > 1e-6f;
  snprintf(text, sizeof text, "%g to %g, %s, quality %u: frames that Pre with zeros in front makes otherwise", from, to, status_text((OSStatus)complexity), (unsigned)quality);
  judge(text, differences, 0);
  // None is late by the trailing frames: where that is a whole number of frames, exactly.
  const Float64 late = info.trailingFrames * to / from;
  differences = 0;
  if (late == floor(late))
    for (int frame = 0; frame < counts[2]; ++frame) differences += fabsf(made[2][frame] - (frame < (int)late ? made[2][frame] : made[1][frame - (int)late])) > 1e-6f;
  snprintf(text, sizeof text, "%g to %g, %s, quality %u: frames that None makes otherwise, %d later", from, to, status_text((OSStatus)complexity), (unsigned)quality, (int)late);
  judge(text, differences, 0);
  need(AudioConverterDispose(converter), "dispose");
}

static OSStatus dispose_within(AudioConverterRef from, UInt32 *packets, AudioBufferList *data, AudioStreamPacketDescription **descriptions, void *user) {
  (void)descriptions, (void)user, (void)data;
  within[2] = AudioConverterDispose(from);
  return *packets = 0, noErr;
}

// MARK: Seeks

static void seek_everywhere(Float64 file_rate, Float64 client_rate, UInt32 complexity) {
  static Float32 whole[most_made], part[most_made];
  const AudioStreamBasicDescription format = pcm(file_rate, 1, 32, 4, floats), client = pcm(client_rate, 1, 32, 4, floats);
  CFURLRef url = new_url("seeks.wav");
  ExtAudioFileRef file;
  char text[128];
  need(ExtAudioFileCreateWithURL(url, 'WAVE', &format, NULL, 1, &file), "create");
  for (int frame = 0; frame < file_frames; ++frame) input[frame] = (Float32)((SInt32)noise((UInt32)frame) / 4294967296.0);
  AudioBufferList list = {1, {{1, file_frames * 4, input}}};
  need(ExtAudioFileWrite(file, file_frames, &list), "write"), need(ExtAudioFileDispose(file), "dispose");
  CFRelease(url);
  file = open_extended("seeks.wav");
  need(ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, sizeof client, &client), "client");
  AudioConverterRef inside;
  UInt32 size = sizeof inside;
  need(ExtAudioFileGetProperty(file, kExtAudioFileProperty_AudioConverter, &size, &inside), "converter");
  need(AudioConverterSetProperty(inside, kAudioConverterSampleRateConverterComplexity, 4, &complexity), "complexity"), need(ExtAudioFileSetProperty(file, kExtAudioFileProperty_ConverterConfig, 8, &(void *){NULL}), "config");
  UInt32 frames = most_made;
  list = (AudioBufferList){1, {{1, sizeof whole, whole}}};
  need(ExtAudioFileRead(file, &frames, &list), "read");
  const UInt32 total = frames;
  snprintf(text, sizeof text, "%g at %g: frames", file_rate, client_rate), judge(text, (OSStatus)total, (OSStatus)floor(file_frames * client_rate / file_rate + 0.5));
  for (int at = 0; at <= file_frames; at += at < 20 ? 1 : 149) {
    const UInt32 place = (UInt32)floor(at * client_rate / file_rate + 0.5);
    SInt64 told = -1;
    ANSWERS(0, ExtAudioFileSeek(file, at)), ANSWERS(0, ExtAudioFileTell(file, &told));
    frames = 400, list = (AudioBufferList){1, {{1, sizeof part, part}}};
    ANSWERS(0, ExtAudioFileRead(file, &frames, &list));
    const UInt32 left = place > total ? 0 : total - place, wanted = left < 400 ? left : 400;
    snprintf(text, sizeof text, "%g at %g, %s, from frame %d: told, frames, sound", file_rate, client_rate, status_text((OSStatus)complexity), at);
    judge(text, (OSStatus)told, at), judge(text, (OSStatus)frames, (OSStatus)wanted), judge(text, memcmp(part, whole + place, frames * 4) == 0, 1);
  }
  need(ExtAudioFileDispose(file), "dispose");
}

void prime_methods(void) {
  static const Float64 rates[][2] = {{24000, 48000}, {48000, 24000}, {44100, 48000}, {48000, 16000}, {16000, 48000}};
  static const UInt32 qualities[] = {0, 64, 127};
  for (int at = 0; at < 5; ++at)
    for (int quality = 0; quality < 3; ++quality) prime(rates[at][0], rates[at][1], 'norm', qualities[quality]);
  // An object that a procedure disposes of lives to the end of the call.
  const AudioStreamBasicDescription source = planar(44100, 1), target = planar(48000, 1);
  Float32 room[8];
  UInt32 packets = 4;
  AudioBufferList list = {1, {{1, sizeof room, room}}};
  need(AudioConverterNew(&source, &target, &converter), "converter");
  ANSWERS(-50, AudioConverterFillComplexBuffer(converter, dispose_within, NULL, &packets, &list, NULL)), ANSWERS(0, within[2]), HOLDS(packets == 0);
  ANSWERS(-50, AudioConverterReset(converter));
  say_judged("ways to prime a conversion");
  static const UInt32 complexities[] = {'line', 'norm', 'bats', 'minp'};
  for (int at = 0; at < 5; ++at)
    for (int kind = 0; kind < 4; ++kind) seek_everywhere(rates[at][0], rates[at][1], complexities[kind]);
  seek_everywhere(44100, 44100, 'norm');
  say_judged("seeks of a file at another rate");
}
