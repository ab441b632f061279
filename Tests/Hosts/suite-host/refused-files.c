// Sound files that are opened and created wrongly, and handles of files and converters that are none.
#include <sys/stat.h>

#include "refused.h"

static void put_bytes(const char *name, const void *bytes, size_t count) {
  FILE *file = fopen(temporary(name), "wb");
  fwrite(bytes, 1, count, file), fclose(file);
}

void wrong_file_handles(void) {
  AudioFileID file = open_file("plain.wav", 1), gone_file = open_file("plain.wav", 1);
  ExtAudioFileRef extended = open_extended("plain.wav"), gone_extended = open_extended("plain.wav");
  AudioStreamBasicDescription format = stereo16(), client = planar(48000, 2);
  AudioConverterRef converter, gone_converter;
  need(AudioConverterNew(&format, &client, &converter), "converter"), need(AudioConverterNew(&format, &client, &gone_converter), "converter");
  AudioUnit unit = unit_of("aufx", "lpas");
  need(AudioFileClose(gone_file), "close"), need(ExtAudioFileDispose(gone_extended), "dispose"), need(AudioConverterDispose(gone_converter), "dispose");
  void *const handles[] = {NULL, gone_file, gone_extended, gone_converter, unit, (void *)1, (void *)~(uintptr_t)0, file, extended, converter};
  char bytes[512] = {0};
  UInt32 size = 4, packets = 1, room = sizeof bytes;
  UInt64 size64;
  SInt64 frame;
  Boolean writable;
  AudioBufferList list = {1, {{2, 400, bytes}}};
  for (int at = 0; at < 10; ++at) {
    void *none = handles[at];
    if (none != file) {
      ANSWERS(-38, AudioFileClose(none));
      ANSWERS(-38, AudioFileOptimize(none));
      ANSWERS(-38, AudioFileReadBytes(none, 0, 0, &size, bytes));
      ANSWERS(-38, AudioFileWriteBytes(none, 0, 0, &size, bytes));
      ANSWERS(-38, AudioFileReadPacketData(none, 0, &room, NULL, 0, &packets, bytes));
      ANSWERS(-38, AudioFileReadPackets(none, 0, &room, NULL, 0, &packets, bytes));
      ANSWERS(-38, AudioFileWritePackets(none, 0, 4, NULL, 0, &packets, bytes));
      ANSWERS(-38, AudioFileCountUserData(none, 'data', &size));
      ANSWERS(-38, AudioFileGetUserDataSize(none, 'data', 0, &size));
      ANSWERS(-38, AudioFileGetUserDataSize64(none, 'data', 0, &size64));
      ANSWERS(-38, AudioFileGetUserData(none, 'data', 0, &size, bytes));
      ANSWERS(-38, AudioFileGetUserDataAtOffset(none, 'data', 0, 0, &size, bytes));
      ANSWERS(-38, AudioFileSetUserData(none, 'LIST', 0, 4, bytes));
      ANSWERS(-38, AudioFileRemoveUserData(none, 'LIST', 0));
      ANSWERS(-38, AudioFileGetPropertyInfo(none, 'dfmt', &size, &packets));
      ANSWERS(-38, AudioFileGetProperty(none, 'ffmt', &size, bytes));
      ANSWERS(-38, AudioFileSetProperty(none, 'dszu', 4, bytes));
      ExtAudioFileRef wrapped = (ExtAudioFileRef)1;
      ANSWERS(-38, ExtAudioFileWrapAudioFileID(none, 0, &wrapped));
      HOLDS(wrapped == NULL);
    }
    if (none != extended) {
      ANSWERS(-50, ExtAudioFileDispose(none));
      ANSWERS(-50, ExtAudioFileRead(none, &packets, &list));
      ANSWERS(-50, ExtAudioFileWrite(none, 1, &list));
      ANSWERS(-50, ExtAudioFileWriteAsync(none, 0, NULL));
      ANSWERS(-50, ExtAudioFileWriteAsync(none, 1, &list));
      ANSWERS(-50, ExtAudioFileSeek(none, 0));
      ANSWERS(-50, ExtAudioFileTell(none, &frame));
      ANSWERS(-50, ExtAudioFileGetPropertyInfo(none, 'ffmt', &size, &writable));
      size = 40;
      ANSWERS(-50, ExtAudioFileGetProperty(none, 'ffmt', &size, bytes));
      ANSWERS(-50, ExtAudioFileSetProperty(none, 'cfmt', sizeof client, &client));
    }
    if (none != converter) {
      ANSWERS(-50, AudioConverterDispose(none));
      ANSWERS(-50, AudioConverterReset(none));
      ANSWERS(-50, AudioConverterGetPropertyInfo(none, 'srcq', &size, &writable));
      ANSWERS(-50, AudioConverterGetProperty(none, 'srcq', &size, bytes));
      ANSWERS(-50, AudioConverterSetProperty(none, 'srcq', 4, bytes));
      ANSWERS(-50, AudioConverterConvertBuffer(none, 4, bytes, &room, bytes));
      ANSWERS(-50, AudioConverterConvertComplexBuffer(none, 1, &list, &list));
      ANSWERS(-50, AudioConverterFillBuffer(none, fetch_bytes, NULL, &room, bytes));
      ANSWERS(-50, AudioConverterFillComplexBuffer(none, fetch, NULL, &packets, &list, NULL));
    }
  }
  need(AudioFileClose(file), "close"), need(ExtAudioFileDispose(extended), "dispose"), need(AudioConverterDispose(converter), "dispose");
  need(AudioComponentInstanceDispose(unit), "dispose");
  say_judged("handles that are none");
}

// MARK: Opening and creating

typedef struct Kept {
  unsigned char bytes[4096];
  SInt64 length;
  OSStatus reads, writes;
} Kept;
static OSStatus kept_read(void *user, SInt64 at, UInt32 count, void *bytes, UInt32 *got) {
  Kept *kept = user;
  if (kept->reads) return kept->reads;
  *got = at >= kept->length ? 0 : (UInt32)fmin(count, kept->length - at);
  memcpy(bytes, kept->bytes + at, *got);
  return noErr;
}
static OSStatus kept_write(void *user, SInt64 at, UInt32 count, const void *bytes, UInt32 *put) {
  Kept *kept = user;
  if (kept->writes) return kept->writes;
  if (at + count > (SInt64)sizeof kept->bytes) return -34;
  memcpy(kept->bytes + at, bytes, count), *put = count;
  kept->length = (SInt64)fmax(kept->length, at + count);
  return noErr;
}
static SInt64 kept_size(void *user) { return ((Kept *)user)->length; }
static OSStatus kept_resize(void *user, SInt64 length) { return ((Kept *)user)->length = length, noErr; }

static OSStatus opening(const char *name, SInt8 permissions, UInt32 hint) {
  AudioFileID file = (AudioFileID)1;
  CFURLRef url = new_url(name);
  const OSStatus status = AudioFileOpenURL(url, permissions, hint, &file);
  HOLDS((file == NULL) == (status != noErr));
  if (file) AudioFileClose(file);
  CFRelease(url);
  return status;
}
static OSStatus extended_opening(const char *name) {
  ExtAudioFileRef file = (ExtAudioFileRef)1;
  CFURLRef url = new_url(name);
  const OSStatus status = ExtAudioFileOpenURL(url, &file);
  HOLDS((file == NULL) == (status != noErr));
  if (file) ExtAudioFileDispose(file);
  CFRelease(url);
  return status;
}
static OSStatus creating(const char *name, UInt32 type, AudioStreamBasicDescription format, UInt32 flags) {
  AudioFileID file = (AudioFileID)1;
  CFURLRef url = new_url(name);
  const OSStatus status = AudioFileCreateWithURL(url, type, &format, flags, &file);
  HOLDS((file == NULL) == (status != noErr));
  if (file) AudioFileClose(file);
  CFRelease(url);
  return status;
}
static OSStatus extended_creating(const char *name, UInt32 type, AudioStreamBasicDescription format, UInt32 tag, UInt32 flags) {
  ExtAudioFileRef file = (ExtAudioFileRef)1;
  CFURLRef url = new_url(name);
  const AudioChannelLayout layout = {.mChannelLayoutTag = tag};
  const OSStatus status = ExtAudioFileCreateWithURL(url, type, &format, tag ? &layout : NULL, flags, &file);
  HOLDS((file == NULL) == (status != noErr));
  if (file) ExtAudioFileDispose(file);
  CFRelease(url);
  return status;
}

// The bytes of a file with others in front of them.
static void put_behind(const char *name, const void *lead, size_t lead_bytes, const char *from) {
  static unsigned char bytes[1 << 16];
  memcpy(bytes, lead, lead_bytes);
  FILE *file = fopen(temporary(from), "rb");
  const size_t got = fread(bytes + lead_bytes, 1, sizeof bytes - lead_bytes, file);
  fclose(file);
  put_bytes(name, bytes, lead_bytes + got);
}

void wrong_openings(void) {
  static const unsigned char tag[20] = {'I', 'D', '3', 3, 0, 0, 0, 0, 0, 10};
  static const unsigned char foreign[] = "RIFF\x2c\0\0\0WAVEfmt \x10\0\0\0\x61\x01\1\0\x80\xbb\0\0\x80\xbb\0\0\1\0\x10\0data\x08\0\0\0........";
  put_bytes("words", "There is no sound in here, only words.", 38), put_bytes("empty", "", 0), put_bytes("short.wav", "RIFF\x2c\0\0\0WAVEfmt ", 16);
  // A header that says no channels.
  static const unsigned char none[] = "FORM\0\0\0\x32" "AIFFCOMM\0\0\0\x12\0\0\0\0\0\2\0\x10\x40\x0b\xfa\0\0\0\0\0\0\0SSND\0\0\0\xc\0\0\0\0\0\0\0\0....", silent[] = ".snd\0\0\0\x18\0\0\0\x8\0\0\0\3\0\0\x1f\x40\0\0\0\0........";
  put_bytes("none.aif", none, sizeof none - 1), put_bytes("none.au", silent, sizeof silent - 1);
  put_bytes("foreign.wav", foreign, sizeof foreign - 1);
  put_behind("tagged.wav", tag, sizeof tag, "plain.wav"), put_behind("tagged.aif", tag, sizeof tag, "plain.aif");
  mkdir(temporary("folder"), 0777);
  for (SInt8 permissions = 1; permissions <= 3; ++permissions) {
    ANSWERS(0, opening("plain.wav", permissions, 0));
    ANSWERS(0, opening("plain.aif", permissions, 0));
    // The file is what it is, whatever it is said to be.
    ANSWERS(0, opening("plain.wav", permissions, 'AIFF'));
    ANSWERS(0, opening("plain.wav", permissions, 'adts'));
    ANSWERS('typ?', opening("words", permissions, 0));
    ANSWERS('typ?', opening("empty", permissions, 0));
    ANSWERS('dta?', opening("short.wav", permissions, 0));
    ANSWERS('dta?', opening("none.aif", permissions, 0)), ANSWERS('dta?', opening("none.au", permissions, 0));
    // A container opens without its codec.
    ANSWERS(permissions == 1 ? 0 : unsupported, opening("foreign.wav", permissions, 0));
    ANSWERS(-43, opening("nowhere.wav", permissions, 0));
    ANSWERS(-43, opening("plain.wav/inside", permissions, 0));
    ANSWERS(permissions == 1 ? 'typ?' : 'prm?', opening("folder", permissions, 0));
    // Packets of a coder are not written; neither is a file with something in front of its header.
    ANSWERS(permissions == 1 ? 0 : unsupported, opening("coded.flac", permissions, 0));
    ANSWERS(permissions == 1 ? 0 : unsupported, opening("tagged.wav", permissions, 0));
    ANSWERS(permissions == 1 ? 0 : unsupported, opening("tagged.aif", permissions, 0));
  }
  static const SInt8 odd[] = {0, 4, -1, 127};
  for (int at = 0; at < 4; ++at) ANSWERS('prm?', opening("plain.wav", odd[at], 0));
  ANSWERS(0, extended_opening("plain.wav")), ANSWERS(0, extended_opening("tagged.wav")), ANSWERS(0, extended_opening("coded.flac"));
  ANSWERS('typ?', extended_opening("words")), ANSWERS('dta?', extended_opening("short.wav")), ANSWERS('fmt?', extended_opening("foreign.wav"));
  ANSWERS(-43, extended_opening("nowhere.wav")), ANSWERS('typ?', extended_opening("folder"));
  AudioFileID file;
  ExtAudioFileRef extended;
  CFURLRef url = new_url("plain.wav");
  const AudioStreamBasicDescription format = stereo16();
  ANSWERS(-50, AudioFileOpenURL(url, 1, 0, (AudioFileID *)nothing));
  ANSWERS(-50, AudioFileOpenURL((CFURLRef)nothing, 1, 0, &file));
  ANSWERS(-50, AudioFileCreateWithURL(url, 'WAVE', &format, 1, (AudioFileID *)nothing));
  ANSWERS(-50, AudioFileCreateWithURL(url, 'WAVE', (const AudioStreamBasicDescription *)nothing, 1, &file));
  ANSWERS(-50, AudioFileCreateWithURL((CFURLRef)nothing, 'WAVE', &format, 1, &file));
  ANSWERS(-50, ExtAudioFileOpenURL(url, (ExtAudioFileRef *)nothing));
  ANSWERS(-50, ExtAudioFileOpenURL((CFURLRef)nothing, &extended));
  ANSWERS(-50, ExtAudioFileCreateWithURL(url, 'WAVE', &format, NULL, 1, (ExtAudioFileRef *)nothing));
  ANSWERS(-50, ExtAudioFileCreateWithURL(url, 'WAVE', (const AudioStreamBasicDescription *)nothing, NULL, 1, &extended));
  ANSWERS(-50, ExtAudioFileCreateWithURL((CFURLRef)nothing, 'WAVE', &format, NULL, 1, &extended));
  CFRelease(url);

  // A refused creation leaves a file that is there alone.
  long before, after;
  const Digest bytes = file_digest(temporary("plain.wav"), &before);
  AudioStreamBasicDescription odd_format = stereo16(), coded = {48000, 'flac', 1, 0, 4096, 0, 2, 0, 0}, foreign_format = {48000, 'aac ', 0, 0, 1024, 0, 2, 0, 0};
  for (UInt32 flags = 0; flags < 2; ++flags) {
    ANSWERS('typ?', creating("plain.wav", 'zzzz', format, flags));
    ANSWERS('typ?', creating("plain.wav", 'MPG3', format, flags));
    ANSWERS('typ?', creating("plain.wav", 0, format, flags));
    ANSWERS('fmt?', creating("plain.wav", 'AIFF', format, flags));
    ANSWERS('fmt?', creating("plain.wav", 'WAVE', foreign_format, flags));
    ANSWERS(unsupported, creating("plain.wav", 'flac', coded, flags));
    odd_format = format, odd_format.mSampleRate = 0;
    ANSWERS('fmt?', creating("plain.wav", 'WAVE', odd_format, flags));
    odd_format = pcm(48000, 0, 16, 2, integers);
    ANSWERS('fmt?', creating("plain.wav", 'WAVE', odd_format, flags));
    ANSWERS('typ?', extended_creating("plain.wav", 'MPG3', format, 0, flags));
    ANSWERS('fmt?', extended_creating("plain.wav", 'AIFF', format, 0, flags));
    ANSWERS('fmt?', extended_creating("plain.wav", 'flac', foreign_format, 0, flags));
    ANSWERS(-66564, extended_creating("plain.wav", 'WAVE', format, kAudioChannelLayoutTag_Mono, flags));
  }
  ANSWERS('prm?', creating("plain.wav", 'WAVE', format, 0));
  ANSWERS('prm?', creating("plain.wav", 'WAVE', format, kAudioFileFlags_DontPageAlignAudioData));
  ANSWERS('prm?', extended_creating("plain.wav", 'WAVE', format, 0, 0));
  ANSWERS('prm?', creating("folder", 'WAVE', format, 1));
  ANSWERS(-43, creating("nowhere/at all.wav", 'WAVE', format, 1));
  HOLDS(file_digest(temporary("plain.wav"), &after) == bytes && after == before);
  ANSWERS(0, creating("again.wav", 'WAVE', format, 1)), ANSWERS(0, creating("again.wav", 'WAVE', format, 1));
  ANSWERS(0, extended_creating("again.wav", 'WAVE', format, kAudioChannelLayoutTag_Stereo, 1));

  // Behind a program's functions: each of them is needed to create, two to open; their errors come back.
  Kept kept = {.length = 0};
  ANSWERS(-50, AudioFileInitializeWithCallbacks(&kept, (AudioFile_ReadProc)nothing, kept_write, kept_size, kept_resize, 'WAVE', &format, 0, &file));
  ANSWERS(-50, AudioFileInitializeWithCallbacks(&kept, kept_read, (AudioFile_WriteProc)nothing, kept_size, kept_resize, 'WAVE', &format, 0, &file));
  ANSWERS(-50, AudioFileInitializeWithCallbacks(&kept, kept_read, kept_write, (AudioFile_GetSizeProc)nothing, kept_resize, 'WAVE', &format, 0, &file));
  ANSWERS(-50, AudioFileInitializeWithCallbacks(&kept, kept_read, kept_write, kept_size, (AudioFile_SetSizeProc)nothing, 'WAVE', &format, 0, &file));
  ANSWERS(-50, AudioFileInitializeWithCallbacks(&kept, kept_read, kept_write, kept_size, kept_resize, 'WAVE', (const AudioStreamBasicDescription *)nothing, 0, &file));
  ANSWERS(-50, AudioFileInitializeWithCallbacks(&kept, kept_read, kept_write, kept_size, kept_resize, 'WAVE', &format, 0, (AudioFileID *)nothing));
  ANSWERS('typ?', AudioFileInitializeWithCallbacks(&kept, kept_read, kept_write, kept_size, kept_resize, 'zzzz', &format, 0, &file));
  kept.writes = -777;
  ANSWERS(-777, AudioFileInitializeWithCallbacks(&kept, kept_read, kept_write, kept_size, kept_resize, 'WAVE', &format, 0, &file));
  HOLDS(file == NULL);
  kept.writes = 0;
  ANSWERS(0, AudioFileInitializeWithCallbacks(&kept, kept_read, kept_write, kept_size, kept_resize, 'WAVE', &format, 0, &file));
  UInt32 packets = 4, size = 16;
  SInt16 samples[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  ANSWERS(0, AudioFileWritePackets(file, 0, 16, NULL, 0, &packets, samples));
  kept.writes = -778, packets = 4;
  ANSWERS(-778, AudioFileWritePackets(file, 0, 16, NULL, 4, &packets, samples));
  kept.writes = 0, kept.reads = -779;
  ANSWERS(-779, AudioFileReadBytes(file, 0, 0, &size, samples));
  kept.reads = 0;
  ANSWERS(0, AudioFileClose(file));
  ANSWERS(-50, AudioFileOpenWithCallbacks(&kept, (AudioFile_ReadProc)nothing, NULL, kept_size, NULL, 0, &file));
  ANSWERS(-50, AudioFileOpenWithCallbacks(&kept, kept_read, NULL, (AudioFile_GetSizeProc)nothing, NULL, 0, &file));
  ANSWERS(-50, AudioFileOpenWithCallbacks(&kept, kept_read, NULL, kept_size, NULL, 0, (AudioFileID *)nothing));
  kept.reads = -780;
  ANSWERS(-780, AudioFileOpenWithCallbacks(&kept, kept_read, NULL, kept_size, NULL, 0, &file));
  kept.reads = 0;
  ANSWERS(0, AudioFileOpenWithCallbacks(&kept, kept_read, NULL, kept_size, NULL, 0, &file));
  size = 4;
  ANSWERS('prm?', AudioFileWriteBytes(file, 0, 0, &size, samples));
  ANSWERS(0, AudioFileClose(file));
  say_judged("opening and creating");
}
