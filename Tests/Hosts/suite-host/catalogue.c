// The catalogue of file types against the files themselves: each format that a type offers can be created and comes back as it was offered, every other
// one is refused; types, formats, extensions and descriptions agree with one another.
#include "refused.h"

enum { most_types = 64, most_formats = 64 };

static UInt32 list_of(UInt32 question, UInt32 about, UInt32 *list, UInt32 most) {
  UInt32 size = most * 4;
  const OSStatus status = AudioFileGetGlobalInfo(question, about ? 4 : 0, about ? &about : NULL, &size, list);
  HOLDS(status == noErr);
  return status == noErr ? size / 4 : 0;
}
static int contains(const UInt32 *list, UInt32 count, UInt32 value) {
  for (UInt32 at = 0; at < count; ++at)
    if (list[at] == value) return 1;
  return 0;
}

// Creates a file by samples and says what it has become.
static OSStatus created(UInt32 type, AudioStreamBasicDescription format, AudioStreamBasicDescription *back) {
  CFURLRef url = new_url("offered");
  ExtAudioFileRef file;
  AudioFileID plain;
  const AudioStreamBasicDescription client = pcm(format.mSampleRate, format.mChannelsPerFrame, 32, 4, floats);
  static Float32 samples[200];
  const AudioBufferList list = {1, {{format.mChannelsPerFrame, 100 * format.mChannelsPerFrame * 4, samples}}};
  OSStatus status = ExtAudioFileCreateWithURL(url, type, &format, NULL, 1, &file);
  if (status == noErr) {
    ANSWERS(0, ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, sizeof client, &client));
    ANSWERS(0, ExtAudioFileWrite(file, 100, &list)), ANSWERS(0, ExtAudioFileDispose(file));
    UInt32 size = sizeof *back, kind = 0;
    need(AudioFileOpenURL(url, 1, 0, &plain), "open");
    ANSWERS(0, AudioFileGetProperty(plain, kAudioFilePropertyDataFormat, &size, back));
    size = 4;
    ANSWERS(0, AudioFileGetProperty(plain, kAudioFilePropertyFileFormat, &size, &kind)), HOLDS(kind == type);
    need(AudioFileClose(plain), "close");
  }
  CFRelease(url);
  return status;
}

// A format of the catalogue with a rate and channels.
static AudioStreamBasicDescription filled_in(AudioStreamBasicDescription offered) {
  offered.mSampleRate = 16000, offered.mChannelsPerFrame = 2;
  if (offered.mFormatID == 'lpcm') offered.mFramesPerPacket = 1, offered.mBytesPerFrame = offered.mBytesPerPacket = offered.mBitsPerChannel / 8 * 2;
  if (offered.mFormatID == 'ulaw' || offered.mFormatID == 'alaw') offered.mBytesPerFrame = offered.mBytesPerPacket = 2;
  return offered;
}

static void offer(UInt32 type) {
  UInt32 formats[most_formats];
  const UInt32 count = list_of('fmid', type, formats, most_formats);
  char text[96];
  printf("%s:", status_text((OSStatus)type));
  for (UInt32 at = 0; at < count; ++at) {
    const AudioFileTypeAndFormatID pair = {type, formats[at]};
    AudioStreamBasicDescription offered[32], back;
    UInt32 size = sizeof offered;
    ANSWERS(0, AudioFileGetGlobalInfo('sdid', sizeof pair, (void *)&pair, &size, offered));
    HOLDS(size > 0 && size % sizeof *offered == 0);
    printf(" %s %u", status_text((OSStatus)formats[at]), (unsigned)(size / sizeof *offered));
    for (UInt32 one = 0; one < size / sizeof *offered; ++one) {
      const AudioStreamBasicDescription wanted = filled_in(offered[one]);
      HOLDS(offered[one].mFormatID == formats[at] && offered[one].mSampleRate == 0 && offered[one].mChannelsPerFrame == 0 && offered[one].mBytesPerPacket == 0 && offered[one].mBytesPerFrame == 0);
      snprintf(text, sizeof text, "%s: %s, flags %x, %u bits", status_text((OSStatus)type), status_text((OSStatus)formats[at]), (unsigned)offered[one].mFormatFlags, (unsigned)offered[one].mBitsPerChannel);
      judge(text, created(type, wanted, &back), 0);
      judge(text, back.mFormatID == wanted.mFormatID && back.mSampleRate == 16000 && back.mChannelsPerFrame == 2, 1);
      if (formats[at] == 'lpcm' || formats[at] == 'flac' || formats[at] == 'alac') judge(text, (OSStatus)back.mFormatFlags, (OSStatus)wanted.mFormatFlags);
      judge(text, (OSStatus)back.mBitsPerChannel, (OSStatus)wanted.mBitsPerChannel);
    }
  }
  printf("\n");
  // Plain samples of every kind: those that are not among them are refused.
  AudioStreamBasicDescription offered[32], back;
  const AudioFileTypeAndFormatID pair = {type, 'lpcm'};
  UInt32 size = sizeof offered;
  if (AudioFileGetGlobalInfo('sdid', sizeof pair, (void *)&pair, &size, offered) != noErr) size = 0;
  for (UInt32 bits = 8; bits <= 64; bits += bits < 32 ? 8 : 32)
    for (UInt32 kind = 0; kind < 6; ++kind) {
      const UInt32 flags = (kind % 3 == 0 ? 0 : kind % 3 == 1 ? kAudioFormatFlagIsSignedInteger : kAudioFormatFlagIsFloat) | (kind >= 3 ? kAudioFormatFlagIsBigEndian : 0) | kAudioFormatFlagIsPacked;
      // Single bytes have no order, and floats have 32 bits or 64.
      if ((bits == 8 && kind >= 3) || (kind % 3 == 2 && bits < 32) || (kind % 3 < 2 && bits == 64)) continue;
      int is_offered = 0;
      for (UInt32 one = 0; one < size / sizeof *offered; ++one) is_offered |= offered[one].mBitsPerChannel == bits && (offered[one].mFormatFlags | (bits == 8 ? kAudioFormatFlagIsBigEndian : 0)) == (flags | (bits == 8 ? kAudioFormatFlagIsBigEndian : 0));
      const AudioStreamBasicDescription wanted = pcm(16000, 2, bits, bits / 8, flags);
      snprintf(text, sizeof text, "%s: %u bits, flags %x", status_text((OSStatus)type), (unsigned)bits, (unsigned)flags);
      judge(text, created(type, wanted, &back), is_offered ? 0 : 'fmt?');
    }
}

void type_catalogue(void) {
  UInt32 readable[most_types], writable[most_types], formats[most_formats];
  const UInt32 readable_count = list_of('afrf', 0, readable, most_types), writable_count = list_of('afwf', 0, writable, most_types);
  for (UInt32 at = 0; at < writable_count; ++at) HOLDS(contains(readable, readable_count, writable[at])), offer(writable[at]);
  for (UInt32 at = 0; at < readable_count; ++at) {
    if (contains(writable, writable_count, readable[at])) continue;
    // A format that is only read offers what it may hold, and is not created.
    const UInt32 count = list_of('fmid', readable[at], formats, most_formats);
    AudioStreamBasicDescription back;
    printf("%s, to be read:", status_text((OSStatus)readable[at]));
    for (UInt32 one = 0; one < count; ++one) {
      const AudioFileTypeAndFormatID pair = {readable[at], formats[one]};
      AudioStreamBasicDescription offered;
      UInt32 size = sizeof offered;
      ANSWERS(0, AudioFileGetGlobalInfo('sdid', sizeof pair, (void *)&pair, &size, &offered)), HOLDS(size == sizeof offered && offered.mFormatID == formats[one]);
      printf(" %s %u", status_text((OSStatus)formats[one]), (unsigned)offered.mFramesPerPacket);
    }
    printf("\n");
    ANSWERS('typ?', created(readable[at], stereo16(), &back));
  }
  say_judged("formats of the catalogue");
}
