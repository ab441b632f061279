// Drawn files that are written asynchronously: slices that do and do not divide the ring, formats, rates, writes at once
// before. The file must be the one that is written at once, byte by byte, and where nothing is converted hold what was put
// in.
#include "drawn.h"

enum { most_channels_written = 3, most_slice = 20000, ring_frames = 131072 };

typedef struct Plan {
  UInt32 channels, frames, slices[5], slice_count, at_once;
  AudioFileTypeID type;
  AudioStreamBasicDescription client, file;
} Plan;

static char difference[200];
static void differ(const char *text, double found, double expected) {
  if (!*difference) snprintf(difference, sizeof difference, "%s: %g, expected %g", text, found, expected);
}

static Float32 sample_of(UInt32 seed, UInt32 frame, UInt32 channel) { return (Float32)(SInt16)noise(frame * 3 + channel + seed * 7919) / 32768; }

static Plan plan_of(UInt32 seed) {
  static const UInt32 types[] = {kAudioFileWAVEType, kAudioFileCAFType, kAudioFileAIFFType};
  static const Float64 rates[] = {8000, 22050, 44100, 48000};
  draw_from(seed + 150000);
  Plan plan = {.channels = 1 + draw(most_channels_written), .type = types[draw(3)], .slice_count = 1 + draw(5)};
  // Once and more often round the ring.
  plan.frames = once_in(4) ? 1 + draw(ring_frames) : ring_frames + draw(2 * ring_frames);
  for (UInt32 at = 0; at < plan.slice_count; ++at) plan.slices[at] = 1 + draw(once_in(3) ? most_slice : 3000);
  plan.at_once = once_in(3) ? draw(5000) : 0;
  const int is_planar = once_in(2), is_short = once_in(3);
  const UInt32 planes = is_planar ? kAudioFormatFlagIsNonInterleaved : 0;
  const Float64 rate = rates[draw(4)], file_rate = once_in(5) ? rates[draw(4)] : rate;
  plan.client = is_short ? pcm(rate, plan.channels, 16, 2, kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked | planes) : pcm(rate, plan.channels, 32, 4, kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked | planes);
  const UInt32 bits = once_in(2) ? 16 : 24, big = plan.type == kAudioFileAIFFType ? kAudioFormatFlagIsBigEndian : 0;
  plan.file = pcm(file_rate, plan.channels, bits, bits / 8, kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked | big);
  return plan;
}

// Frames of the plan in the client's format, in a room that the next ones take over.
static AudioBufferList *frames_of(const Plan *plan, UInt32 seed, UInt32 first, UInt32 frames) {
  static Float32 room[most_channels_written * most_slice];
  static struct {
    UInt32 count;
    AudioBuffer buffers[most_channels_written];
  } list;
  const int is_planar = (plan->client.mFormatFlags & kAudioFormatFlagIsNonInterleaved) != 0, is_short = plan->client.mBitsPerChannel == 16;
  list.count = is_planar ? plan->channels : 1;
  for (UInt32 buffer = 0; buffer < list.count; ++buffer) list.buffers[buffer] = (AudioBuffer){is_planar ? 1 : plan->channels, frames * plan->client.mBytesPerFrame, (char *)room + (size_t)buffer * most_slice * 4};
  for (UInt32 channel = 0; channel < plan->channels; ++channel)
    for (UInt32 frame = 0; frame < frames; ++frame) {
      const Float32 sample = sample_of(seed, first + frame, channel);
      void *buffer = list.buffers[is_planar ? channel : 0].mData;
      const UInt32 place = is_planar ? frame : frame * plan->channels + channel;
      if (is_short) ((SInt16 *)buffer)[place] = (SInt16)(sample * 32768);
      else ((Float32 *)buffer)[place] = sample;
    }
  return (AudioBufferList *)&list;
}

static void write_file(const Plan *plan, UInt32 seed, const char *path, int is_async) {
  ExtAudioFileRef file = NULL;
  CFURLRef url = url_of(path);
  need(ExtAudioFileCreateWithURL(url, plan->type, &plan->file, NULL, kAudioFileFlags_EraseFile, &file), "create");
  CFRelease(url);
  need(ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, sizeof plan->client, &plan->client), "client format");
  UInt32 done = 0;
  for (UInt32 slice = 0; done < plan->frames; ++slice) {
    const int goes_at_once = !is_async || done < plan->at_once;
    UInt32 frames = plan->slices[slice % plan->slice_count];
    if (frames > plan->frames - done) frames = plan->frames - done;
    AudioBufferList *list = frames_of(plan, seed, done, frames);
    if (goes_at_once) {
      need(ExtAudioFileWrite(file, frames, list), "write");
    } else {
      if (done == 0 || slice % 7 == 0) need(ExtAudioFileWriteAsync(file, 0, NULL), "ring");
      need(ExtAudioFileWriteAsync(file, frames, list), "write into the ring");
      // More than ever fit, and what is written at once from now on, are refused and leave nothing.
      if (slice % 11 == 3 && ExtAudioFileWriteAsync(file, ring_frames + 1, list) != kExtAudioFileError_AsyncWriteTooLarge) differ("more than the ring", 0, kExtAudioFileError_AsyncWriteTooLarge);
      if (slice % 11 == 5 && ExtAudioFileWrite(file, 1, list) != kExtAudioFileError_InvalidOperationOrder) differ("a write at once behind the ring's", 0, kExtAudioFileError_InvalidOperationOrder);
    }
    done += frames;
  }
  need(ExtAudioFileDispose(file), "dispose");
}

// Compares the content of a file, where nothing was converted.
static void judge_content(const Plan *plan, UInt32 seed, const char *path) {
  AudioFileID file = NULL;
  CFURLRef url = url_of(path);
  need(AudioFileOpenURL(url, kAudioFileReadPermission, 0, &file), "open");
  CFRelease(url);
  const UInt32 bytes = plan->file.mBitsPerChannel / 8;
  static unsigned char room[3 * most_channels_written * most_slice];
  SInt64 at = 0;
  const SInt64 whole = (SInt64)plan->frames * plan->channels;
  while (at < whole) {
    UInt32 count = (UInt32)(whole - at < most_slice ? whole - at : most_slice), size = count * bytes;
    need(AudioFileReadBytes(file, 0, at * bytes, &size, room), "read");
    if (size != count * bytes) differ("bytes of a file", size, count * bytes);
    for (UInt32 index = 0; index < size / bytes; ++index) {
      const unsigned char *word = room + index * bytes;
      const int is_big = (plan->file.mFormatFlags & kAudioFormatFlagIsBigEndian) != 0;
      const SInt16 found = (SInt16)(is_big ? word[0] << 8 | word[1] : word[bytes - 1] << 8 | word[bytes - 2]);
      const SInt64 place = at + index;
      const SInt16 right = (SInt16)(32768 * sample_of(seed, (UInt32)(place / plan->channels), (UInt32)(place % plan->channels)));
      if (found != right || (bytes == 3 && word[is_big ? 2 : 0] != 0)) {
        differ("a sample of the file", found, right);
        break;
      }
    }
    at += count;
  }
  need(AudioFileClose(file), "close");
}

static void write_drawn(UInt32 seed) {
  const Plan plan = plan_of(seed);
  *difference = 0;
  char path[4096], other[4096];
  snprintf(path, sizeof path, "%s", temporary("aubench-suite-async")), snprintf(other, sizeof other, "%s", temporary("aubench-suite-sync"));
  write_file(&plan, seed, path, 1), write_file(&plan, seed, other, 0);
  long bytes, other_bytes;
  const Digest found = file_digest(path, &bytes), right = file_digest(other, &other_bytes);
  if (bytes != other_bytes) differ("bytes of a file", bytes, other_bytes);
  if (found != right) differ("another file than one that is written at once", 1, 0);
  if (plan.client.mSampleRate == plan.file.mSampleRate) judge_content(&plan, seed, path);
  remove(path), remove(other);
  printf("seed %u: %u frames of %u channels, %u to %g Hz: %s\n", (unsigned)seed, (unsigned)plan.frames, (unsigned)plan.channels, (unsigned)plan.client.mSampleRate, plan.file.mSampleRate, *difference ? difference : "ok");
}

void writing(void) {
  run_device_into("writing.wav");
  for_seeds(24, write_drawn);
}
