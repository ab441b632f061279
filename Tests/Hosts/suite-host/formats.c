// The stream formats that each side of each unit takes, the properties afterwards, and whether it renders so.
#include "host.h"

static OSStatus give(void *refcon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames, AudioBufferList *data) {
  (void)refcon, (void)flags;
  for (UInt32 buffer = 0; buffer < data->mNumberBuffers; ++buffer) {
    unsigned char *bytes = data->mBuffers[buffer].mData;
    for (UInt32 at = 0; at < data->mBuffers[buffer].mDataByteSize; ++at) {
      bytes[at] = (unsigned char)(noise((UInt32)time->mSampleTime * 31 + at + buffer * 7777 + bus * 99) & 0x3F);
    }
  }
  (void)frames;
  return noErr;
}

static int choices(AudioStreamBasicDescription *list) {
  const UInt32 floats = kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked;
  const UInt32 integers = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked;
  const UInt32 planes = kAudioFormatFlagIsNonInterleaved, big = kAudioFormatFlagIsBigEndian;
  int count = 0;
  list[count++] = pcm(44100, 2, 32, 4, floats | planes);
  list[count++] = pcm(44100, 1, 32, 4, floats | planes);
  list[count++] = pcm(44100, 2, 32, 4, floats);
  list[count++] = pcm(48000, 3, 32, 4, floats);
  list[count++] = pcm(22050, 2, 64, 8, floats | planes);
  list[count++] = pcm(44100, 2, 16, 2, integers);
  list[count++] = pcm(44100, 2, 16, 2, integers | big);
  list[count++] = pcm(44100, 2, 16, 2, integers | planes);
  list[count++] = pcm(44100, 1, 24, 3, integers);
  list[count++] = pcm(44100, 2, 24, 4, kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsAlignedHigh);
  list[count++] = pcm(44100, 2, 24, 4, kAudioFormatFlagIsSignedInteger);
  list[count++] = pcm(44100, 2, 32, 4, integers);
  list[count++] = pcm(44100, 2, 8, 1, kAudioFormatFlagIsPacked);
  list[count++] = pcm(44100, 2, 8, 1, integers);
  list[count++] = pcm(44100, 2, 32, 4, integers | planes | 24 << kLinearPCMFormatFlagsSampleFractionShift);
  list[count++] = pcm(0, 2, 32, 4, floats | planes);
  list[count++] = pcm(44100, 0, 32, 4, floats | planes);
  list[count++] = pcm(44100, 2, 12, 2, integers);
  list[count++] = pcm(-1, 2, 32, 4, floats | planes);
  list[count] = pcm(44100, 2, 32, 4, floats | planes);
  list[count++].mFramesPerPacket = 2;
  list[count] = pcm(44100, 2, 32, 4, floats | planes);
  list[count++].mFormatID = kAudioFormatMPEG4AAC;
  return count;
}

static void render(AudioUnit unit) {
  AudioStreamBasicDescription format;
  UInt32 size = sizeof format;
  if (AudioUnitGetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, &format, &size) != noErr) return;
  const UInt32 buffers = format.mFormatFlags & kAudioFormatFlagIsNonInterleaved ? format.mChannelsPerFrame : 1;
  if (buffers > most_channels) return;
  Digest sound = 0;
  OSStatus status = noErr;
  for (int slice = 0; slice < 3 && status == noErr; ++slice) {
    Planes *room = planes_of(buffers, 100);
    for (UInt32 buffer = 0; buffer < buffers; ++buffer) {
      room->list->mBuffers[buffer].mNumberChannels = buffers == 1 ? format.mChannelsPerFrame : 1;
      room->list->mBuffers[buffer].mDataByteSize = 100 * format.mBytesPerFrame;
    }
    AudioTimeStamp time = {0};
    time.mSampleTime = slice * 100;
    time.mFlags = kAudioTimeStampSampleTimeValid;
    AudioUnitRenderActionFlags flags = 0;
    status = AudioUnitRender(unit, &flags, &time, 0, 100, room->list);
    for (UInt32 buffer = 0; status == noErr && buffer < buffers; ++buffer) {
      sound = digest(sound, room->list->mBuffers[buffer].mData, room->list->mBuffers[buffer].mDataByteSize);
    }
  }
  printf(" render %s %016llx", status_text(status), sound);
}

static void one(const char *type, const char *subtype, UInt32 scope, UInt32 element, const AudioStreamBasicDescription *format) {
  AudioUnit unit = unit_of(type, subtype);
  AURenderCallbackStruct callback = {give, NULL};
  AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback, sizeof callback);
  printf("  @%u:%u ", (unsigned)scope, (unsigned)element);
  say_format(format);
  printf(" %s", status_text(set_format(unit, scope, element, *format)));
  AudioStreamBasicDescription now;
  UInt32 size = sizeof now;
  OSStatus status = AudioUnitGetProperty(unit, kAudioUnitProperty_StreamFormat, scope, element, &now, &size);
  if (status == noErr && memcmp(&now, format, sizeof now) != 0) {
    printf(" is ");
    say_format(&now);
  }
  // An effect has the same on both sides.
  if (strcmp(type, "aufx") == 0 && scope == 1) set_format(unit, kAudioUnitScope_Output, 0, now);
  status = AudioUnitInitialize(unit);
  printf(" initialize %s", status_text(status));
  if (status == noErr) {
    printf(" locked %s", status_text(set_format(unit, scope, element, *format)));
    render(unit);
    AudioUnitUninitialize(unit);
  }
  printf("\n");
  AudioComponentInstanceDispose(unit);
}

// Other formats on one side than on the other.
static void sides(const char *type, const char *subtype, const AudioStreamBasicDescription *list, int count) {
  for (int in = 0; in < count; ++in) {
    printf("  sides %d:", in);
    for (int out = 0; out < count; ++out) {
      for (int order = 0; order < 2; ++order) {
        AudioUnit unit = unit_of(type, subtype);
        const OSStatus first = set_format(unit, order ? 2 : 1, 0, list[order ? out : in]);
        const OSStatus second = set_format(unit, order ? 1 : 2, 0, list[order ? in : out]);
        printf(" %s/%s/%s", status_text(first), status_text(second), status_text(AudioUnitInitialize(unit)));
        AudioComponentInstanceDispose(unit);
      }
    }
    printf("\n");
  }
}

void formats(void) {
  static const char *const kinds[][2] = {{"aufc", "conv"}, {"aumx", "mcmx"}, {"aufx", "lpas"}, {"aufx", "nbeq"}, {"aufx", "ipeq"},
                                         {"auou", "genr"}, {"auou", "rioc"}, {"auou", "def "}, {"augn", "afpl"}};
  AudioStreamBasicDescription list[32];
  const int count = choices(list);
  for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; ++kind) {
    printf("%s %s\n", kinds[kind][0], kinds[kind][1]);
    // The first six are of other rates, encodings, channels and layouts.
    sides(kinds[kind][0], kinds[kind][1], list, 6);
    for (UInt32 scope = 1; scope < 3; ++scope) {
      for (UInt32 element = 0; element < 2; ++element) {
        for (int index = 0; index < count; ++index) one(kinds[kind][0], kinds[kind][1], scope, element, &list[index]);
      }
    }
  }
}
