// Files in pieces of random size through the stream parser, story by story: streamed_files STORY FILE SEED. What comes out is
// compared with the file reader's, to the bit.
#include "client.h"

#include <sys/resource.h>

typedef struct {
  UInt8 *bytes;
  size_t count, place;
  UInt64 state;
} Source;

static UInt64 roll(Source *source) {
  source->state ^= source->state << 13;
  source->state ^= source->state >> 7;
  source->state ^= source->state << 17;
  return source->state;
}

static Source load(const char *path, UInt64 seed) {
  Source source = {NULL, 0, 0, seed * 2654435761u + 1};
  FILE *file = fopen(path, "rb");
  if (!file) exit(2);
  fseek(file, 0, SEEK_END);
  source.count = (size_t)ftell(file);
  rewind(file);
  source.bytes = malloc(source.count + 1);
  if (fread(source.bytes, 1, source.count, file) != source.count) exit(2);
  fclose(file);
  return source;
}

// A piece from one byte to a few thousand.
static OSStatus parsePiece(Source *source, AudioFileStreamID stream) {
  size_t size = roll(source) % 3 ? 1 + roll(source) % 4000 : 1 + roll(source) % 40;
  if (size > source->count - source->place) size = source->count - source->place;
  source->place += size;
  return AudioFileStreamParseBytes(stream, (UInt32)size, source->bytes + source->place - size, 0);
}

static CFURLRef newURL(const char *path) {
  return CFURLCreateFromFileSystemRepresentation(NULL, (const UInt8 *)path, (CFIndex)strlen(path), false);
}

// The sound as the file reader gives it, in Float32, interleaved.
static Float32 *readFile(const char *path, AudioStreamBasicDescription *format, size_t *frames) {
  CFURLRef url = newURL(path);
  ExtAudioFileRef file;
  checkStatus(ExtAudioFileOpenURL(url, &file));
  CFRelease(url);
  UInt32 size = sizeof *format;
  AudioStreamBasicDescription own;
  checkStatus(ExtAudioFileGetProperty(file, kExtAudioFileProperty_FileDataFormat, &size, &own));
  FillOutASBDForLPCM(format, own.mSampleRate, own.mChannelsPerFrame, 32, 32, true, false, false);
  checkStatus(ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, sizeof *format, format));
  SInt64 length = 0;
  size = sizeof length;
  checkStatus(ExtAudioFileGetProperty(file, kExtAudioFileProperty_FileLengthFrames, &size, &length));
  *frames = (size_t)length;
  Float32 *sound = calloc((size_t)length + 1, format->mBytesPerFrame);
  UInt32 count = (UInt32)length;
  AudioBufferList list = {1, {{format->mChannelsPerFrame, count * format->mBytesPerFrame, sound}}};
  checkStatus(ExtAudioFileRead(file, &count, &list));
  checkStatus(ExtAudioFileDispose(file));
  if (count != length) printf("the file gives %u of %u frames\n", (unsigned)count, (unsigned)length);
  return sound;
}

static void compare(const Float32 *heard, size_t heardFrames, const Float32 *sound, size_t frames, UInt32 channels) {
  size_t same = 0;
  while (same < frames && same < heardFrames && !memcmp(heard + same * channels, sound + same * channels, channels * 4)) ++same;
  printf("frames %zu of %zu, the same %zu\n", heardFrames, frames, same);
}

// MARK: Stream to queue

typedef struct {
  AudioQueueRef queue;
  AudioStreamBasicDescription format;
  UInt32 buffers;
} Player;

static void emptied(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer) {
  (void)data;
  AudioQueueFreeBuffer(queue, buffer);
}

static void playerProperty(void *data, AudioFileStreamID stream, AudioFileStreamPropertyID id,
                           AudioFileStreamPropertyFlags *flags) {
  (void)flags;
  Player *player = data;
  if (id != kAudioFileStreamProperty_ReadyToProducePackets) return;
  UInt32 size = sizeof player->format;
  checkStatus(AudioFileStreamGetProperty(stream, kAudioFileStreamProperty_DataFormat, &size, &player->format));
  checkStatus(AudioQueueNewOutput(&player->format, emptied, player, NULL, NULL, 0, &player->queue));
}

static void playerPackets(void *data, UInt32 bytes, UInt32 count, const void *input,
                          AudioStreamPacketDescription *descriptions) {
  Player *player = data;
  AudioQueueBufferRef buffer;
  checkStatus(AudioQueueAllocateBuffer(player->queue, bytes, &buffer));
  memcpy(buffer->mAudioData, input, bytes);
  buffer->mAudioDataByteSize = bytes;
  checkStatus(AudioQueueEnqueueBuffer(player->queue, buffer, descriptions ? count : 0, descriptions));
  ++player->buffers;
}

static void playQueue(const char *path, Source *source) {
  Player player = {0};
  AudioFileStreamID stream;
  checkStatus(AudioFileStreamOpen(&player, playerProperty, playerPackets, 0, &stream));
  AudioStreamBasicDescription format;
  size_t frames, done = 0;
  Float32 *sound = readFile(path, &format, &frames);
  Float32 *heard = calloc(frames + 4096, format.mBytesPerFrame);
  AudioTimeStamp time = {0};
  time.mFlags = kAudioTimeStampSampleTimeValid;
  AudioQueueBufferRef capture = NULL;
  while (source->place < source->count || done < frames) {
    // Pieces until there is a queue with some sound; then a render now and then.
    for (int pieces = 0; pieces < 8 && source->place < source->count; ++pieces) checkStatus(parsePiece(source, stream));
    if (!player.buffers) continue;
    if (!capture) {
      checkStatus(AudioQueueSetOfflineRenderFormat(player.queue, &format, NULL));
      checkStatus(AudioQueueAllocateBuffer(player.queue, 4096 * format.mBytesPerFrame, &capture));
      checkStatus(AudioQueueStart(player.queue, NULL));
    }
    UInt32 wanted = 1 + (UInt32)(roll(source) % 4000);
    checkStatus(AudioQueueOfflineRender(player.queue, &time, capture, wanted));
    UInt32 got = capture->mAudioDataByteSize / format.mBytesPerFrame;
    if (done + got > frames + 4096) break;
    memcpy(heard + done * format.mChannelsPerFrame, capture->mAudioData, capture->mAudioDataByteSize);
    done += got;
    time.mSampleTime += got;
    if (!got && source->place == source->count) break;
  }
  compare(heard, done, sound, frames, format.mChannelsPerFrame);
  checkStatus(AudioQueueDispose(player.queue, true));
  REPORT("close", AudioFileStreamClose(stream));
}

// MARK: Stream to converter, equalizer and graph

typedef struct {
  Source *source;
  AudioFileStreamID stream;
  AudioConverterRef converter;
  AudioStreamBasicDescription format, output;
  UInt8 *packets;
  size_t begin, end, room;
  const Float32 *sound;  // the file reader's, in place of the stream
  size_t place, frames;
} Chain;

static void chainProperty(void *data, AudioFileStreamID stream, AudioFileStreamPropertyID id,
                          AudioFileStreamPropertyFlags *flags) {
  (void)flags;
  Chain *chain = data;
  if (id != kAudioFileStreamProperty_ReadyToProducePackets) return;
  UInt32 size = sizeof chain->format;
  checkStatus(AudioFileStreamGetProperty(stream, kAudioFileStreamProperty_DataFormat, &size, &chain->format));
  FillOutASBDForLPCM(&chain->output, chain->format.mSampleRate, chain->format.mChannelsPerFrame, 32, 32, true, false, true);
  checkStatus(AudioConverterNew(&chain->format, &chain->output, &chain->converter));
}

static void chainPackets(void *data, UInt32 bytes, UInt32 count, const void *input,
                         AudioStreamPacketDescription *descriptions) {
  (void)count, (void)descriptions;
  Chain *chain = data;
  if (chain->end + bytes > chain->room) {
    chain->room = 2 * (chain->end + bytes);
    chain->packets = realloc(chain->packets, chain->room);
  }
  memcpy(chain->packets + chain->end, input, bytes);
  chain->end += bytes;
}

// Parses on until there are packets, or no bytes any more.
static OSStatus nextPackets(AudioConverterRef converter, UInt32 *count, AudioBufferList *list,
                            AudioStreamPacketDescription **descriptions, void *data) {
  (void)converter, (void)descriptions;
  Chain *chain = data;
  UInt32 size = chain->format.mBytesPerPacket;
  if (chain->begin == chain->end) chain->begin = chain->end = 0;
  while (chain->end - chain->begin < size && chain->source->place < chain->source->count) {
    checkStatus(parsePiece(chain->source, chain->stream));
  }
  UInt32 present = (UInt32)((chain->end - chain->begin) / size);
  if (*count > present) *count = present;
  list->mBuffers[0].mData = chain->packets + chain->begin;
  list->mBuffers[0].mDataByteSize = *count * size;
  chain->begin += *count * size;
  return noErr;
}

static OSStatus chainSound(void *data, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
                           UInt32 frames, AudioBufferList *list) {
  (void)flags, (void)time, (void)bus;
  Chain *chain = data;
  UInt32 count = frames, channels = chain->output.mChannelsPerFrame;
  if (chain->sound) {
    if (count > chain->frames - chain->place) count = (UInt32)(chain->frames - chain->place);
    for (UInt32 channel = 0; channel < list->mNumberBuffers; ++channel)
      for (UInt32 frame = 0; frame < count; ++frame)
        ((Float32 *)list->mBuffers[channel].mData)[frame] = chain->sound[(chain->place + frame) * channels + channel];
    chain->place += count;
  } else {
    checkStatus(AudioConverterFillComplexBuffer(chain->converter, nextPackets, chain, &count, list, NULL));
  }
  for (UInt32 channel = 0; channel < list->mNumberBuffers; ++channel) {
    memset((Float32 *)list->mBuffers[channel].mData + count, 0, (frames - count) * sizeof(Float32));
    list->mBuffers[channel].mDataByteSize = frames * sizeof(Float32);
  }
  return noErr;
}

// The sound of the equalizer, channel behind channel.
static Float32 *renderGraph(Chain *chain, size_t frames) {
  AUGraph graph;
  AUNode nodes[2];
  AudioUnit equalizer, output;
  AudioComponentDescription descriptions[2] = {
      {kAudioUnitType_Effect, kAudioUnitSubType_NBandEQ, kAudioUnitManufacturer_Apple, 0, 0},
      {kAudioUnitType_Output, kAudioUnitSubType_GenericOutput, kAudioUnitManufacturer_Apple, 0, 0}};
  checkStatus(NewAUGraph(&graph));
  for (int node = 0; node < 2; ++node) checkStatus(AUGraphAddNode(graph, &descriptions[node], &nodes[node]));
  checkStatus(AUGraphOpen(graph));
  checkStatus(AUGraphNodeInfo(graph, nodes[0], NULL, &equalizer));
  checkStatus(AUGraphNodeInfo(graph, nodes[1], NULL, &output));
  for (int scope = 1; scope <= 2; ++scope) {
    checkStatus(AudioUnitSetProperty(equalizer, kAudioUnitProperty_StreamFormat, (AudioUnitScope)scope, 0,
                                     &chain->output, sizeof chain->output));
    checkStatus(AudioUnitSetProperty(output, kAudioUnitProperty_StreamFormat, (AudioUnitScope)scope, 0, &chain->output,
                                     sizeof chain->output));
  }
  checkStatus(AudioUnitSetParameter(equalizer, kAUNBandEQParam_BypassBand + 1, kAudioUnitScope_Global, 0, 0, 0));
  checkStatus(AudioUnitSetParameter(equalizer, kAUNBandEQParam_Frequency + 1, kAudioUnitScope_Global, 0, 1000, 0));
  checkStatus(AudioUnitSetParameter(equalizer, kAUNBandEQParam_Gain + 1, kAudioUnitScope_Global, 0, 9, 0));
  AURenderCallbackStruct sound = {chainSound, chain};
  checkStatus(AUGraphSetNodeInputCallback(graph, nodes[0], 0, &sound));
  checkStatus(AUGraphConnectNodeInput(graph, nodes[0], 0, nodes[1], 0));
  checkStatus(AUGraphInitialize(graph));
  UInt32 channels = chain->output.mChannelsPerFrame;
  Float32 *heard = calloc((frames + 512) * channels, sizeof(Float32));
  AudioBufferList *list = malloc(sizeof *list + channels * sizeof(AudioBuffer));
  AudioTimeStamp time = {0};
  time.mFlags = kAudioTimeStampSampleTimeValid;
  for (size_t done = 0; done < frames; done += 512) {
    list->mNumberBuffers = channels;
    for (UInt32 channel = 0; channel < channels; ++channel) {
      list->mBuffers[channel] = (AudioBuffer){1, 512 * sizeof(Float32), heard + channel * (frames + 512) + done};
    }
    AudioUnitRenderActionFlags flags = 0;
    checkStatus(AudioUnitRender(output, &flags, &time, 0, 512, list));
    time.mSampleTime += 512;
  }
  free(list);
  checkStatus(DisposeAUGraph(graph));
  return heard;
}

static void playGraph(const char *path, Source *source) {
  Chain chain = {0}, reader = {0};
  chain.source = source;
  checkStatus(AudioFileStreamOpen(&chain, chainProperty, chainPackets, 0, &chain.stream));
  while (!chain.converter && source->place < source->count) checkStatus(parsePiece(source, chain.stream));
  AudioStreamBasicDescription format;
  reader.sound = readFile(path, &format, &reader.frames);
  reader.output = chain.output;
  Float32 *heard = renderGraph(&chain, reader.frames + 2048);
  Float32 *sound = renderGraph(&reader, reader.frames + 2048);
  size_t count = (reader.frames + 2048 + 512) * chain.output.mChannelsPerFrame;
  size_t same = 0, loud = 0, changed = 0;
  while (same < count && !memcmp(heard + same, sound + same, sizeof(Float32))) ++same;
  for (size_t index = 0; index < count; ++index) loud += sound[index] != 0;
  for (size_t frame = 0; frame < reader.frames; ++frame) changed += sound[frame] != reader.sound[frame * chain.output.mChannelsPerFrame];
  printf("the same %d, equalized %d, sound %d\n", same == count, changed > reader.frames / 2, loud > count / 2);
  checkStatus(AudioConverterDispose(chain.converter));
  REPORT("close", AudioFileStreamClose(chain.stream));
}

// MARK: Damage

typedef struct {
  UInt32 hash, properties;
  UInt64 packets, bytes;
} Tally;

static void tallyProperty(void *data, AudioFileStreamID stream, AudioFileStreamPropertyID id,
                          AudioFileStreamPropertyFlags *flags) {
  (void)flags;
  Tally *tally = data;
  tally->hash = hash(tally->hash, &id, sizeof id);
  ++tally->properties;
  UInt8 value[512];
  UInt32 size = sizeof value;
  if (id != kAudioFileStreamProperty_InfoDictionary && AudioFileStreamGetProperty(stream, id, &size, value) == noErr)
    tally->hash = hash(tally->hash, value, size);
}

static void tallyPackets(void *data, UInt32 bytes, UInt32 count, const void *input,
                         AudioStreamPacketDescription *descriptions) {
  Tally *tally = data;
  tally->packets += count;
  tally->bytes += bytes;
  if (!descriptions) tally->hash = hash(tally->hash, input, bytes);
  for (UInt32 index = 0; descriptions && index < count; ++index) {
    const AudioStreamPacketDescription *packet = &descriptions[index];
    tally->hash = hash(tally->hash, (const UInt8 *)input + packet->mStartOffset, packet->mDataByteSize);
    tally->hash = hash(tally->hash, &packet->mDataByteSize, sizeof packet->mDataByteSize);
  }
}

static OSStatus tallyAll(Source *source, int inPieces, Tally *tally) {
  AudioFileStreamID stream;
  checkStatus(AudioFileStreamOpen(tally, tallyProperty, tallyPackets, 0, &stream));
  OSStatus status = noErr;
  source->place = 0;
  if (inPieces) {
    while (status == noErr && source->place < source->count) status = parsePiece(source, stream);
  } else {
    status = AudioFileStreamParseBytes(stream, (UInt32)source->count, source->bytes, 0);
  }
  checkStatus(AudioFileStreamClose(stream));
  return status;
}

// Bytes of the header, or anywhere, that are others: in pieces they give what they give at once, in little memory and time.
static void damage(Source *source, int rounds) {
  struct rlimit memory = {1u << 30, 1u << 30}, seconds = {120, 120};
  setrlimit(RLIMIT_AS, &memory);
  setrlimit(RLIMIT_CPU, &seconds);
  UInt8 *whole = malloc(source->count);
  memcpy(whole, source->bytes, source->count);
  size_t length = source->count;
  int different = 0, refused = 0, parsed = 0;
  for (int round = 0; round < rounds; ++round) {
    memcpy(source->bytes, whole, length);
    source->count = roll(source) % 4 ? length : roll(source) % (length + 1);
    for (int change = (int)(roll(source) % 6); change >= 0 && source->count; --change) {
      size_t area = roll(source) % 3 ? (source->count < 200 ? source->count : 200) : source->count;
      static const UInt8 values[] = {0, 1, 0x7F, 0x80, 0xFF};
      source->bytes[roll(source) % area] = roll(source) % 2 ? values[roll(source) % 5] : (UInt8)roll(source);
    }
    Tally once = {0}, pieces = {0};
    OSStatus first = tallyAll(source, 0, &once), second = tallyAll(source, 1, &pieces);
    if (first != second || once.hash != pieces.hash || once.packets != pieces.packets || once.properties != pieces.properties) {
      ++different;
      printf("round %d: %d %u %llu, in pieces %d %u %llu\n", round, (int)first, once.properties,
             (unsigned long long)once.packets, (int)second, pieces.properties, (unsigned long long)pieces.packets);
    }
    refused += first != noErr;
    parsed += once.packets > 0;
  }
  printf("different %d, refused %d, parsed %d\n", different, refused > 0, parsed > 0);
}

// MARK: Packets

static void sizeProperty(void *data, AudioFileStreamID stream, AudioFileStreamPropertyID id,
                         AudioFileStreamPropertyFlags *flags) {
  (void)flags;
  AudioStreamBasicDescription format;
  UInt32 size = sizeof format;
  if (id != kAudioFileStreamProperty_DataFormat) return;
  checkStatus(AudioFileStreamGetProperty(stream, id, &size, &format));
  *(UInt32 *)data = format.mBytesPerPacket;
}

// The size of each packet, a line each; of packets of one size those of a call.
static void sizePackets(void *data, UInt32 bytes, UInt32 count, const void *input,
                        AudioStreamPacketDescription *descriptions) {
  (void)data, (void)input;
  if (!descriptions) printf("%u bytes\n", (unsigned)bytes);
  for (UInt32 index = 0; descriptions && index < count; ++index) printf("%u\n", (unsigned)descriptions[index].mDataByteSize);
}

static void listPackets(Source *source) {
  UInt32 packetBytes;
  AudioFileStreamID stream;
  checkStatus(AudioFileStreamOpen(&packetBytes, sizeProperty, sizePackets, 0, &stream));
  while (source->place < source->count) checkStatus(parsePiece(source, stream));
  REPORT("close", AudioFileStreamClose(stream));
}

int main(int argumentCount, char **arguments) {
  if (argumentCount < 4) return 2;
  Source source = load(arguments[2], strtoull(arguments[3], NULL, 10));
  if (!strcmp(arguments[1], "queue")) playQueue(arguments[2], &source);
  if (!strcmp(arguments[1], "graph")) playGraph(arguments[2], &source);
  if (!strcmp(arguments[1], "packets")) listPackets(&source);
  if (!strcmp(arguments[1], "damage")) damage(&source, argumentCount > 4 ? atoi(arguments[4]) : 100);
  free(source.bytes);
  return 0;
}
