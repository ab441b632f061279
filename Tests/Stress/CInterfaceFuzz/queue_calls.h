// Calls of audio queues, and the functions that queues call. Included by fuzz.c alone.
//
// The memory of a buffer is the queue's, and gone with it: it is written only where nobody else has the queue yet, and in the
// callback that gives the buffer back.

static void refill_buffer(Fuzz *fuzz, AudioQueueRef queue, AudioQueueBufferRef buffer) {
  buffer->mAudioDataByteSize = one_in(fuzz, 16) ? draw_number(fuzz) : roll(fuzz, buffer->mAudioDataBytesCapacity + 1);
  if (!one_in(fuzz, 8)) AudioQueueEnqueueBuffer(queue, buffer, 0, NULL);
}

static void buffer_played(void *context, AudioQueueRef queue, AudioQueueBufferRef buffer) {
  (void)context;
  Fuzz *fuzz = mine();
  meddle(fuzz);
  refill_buffer(fuzz, queue, buffer);
}
static AudioQueueOutputCallback draw_AudioQueueOutputCallback(Fuzz *fuzz) {
  return one_in(fuzz, 16) ? NULL : buffer_played;
}

static void buffer_recorded(void *context, AudioQueueRef queue, AudioQueueBufferRef buffer, const AudioTimeStamp *time,
                            UInt32 count, const AudioStreamPacketDescription *descriptions) {
  (void)context, (void)time, (void)count, (void)descriptions;
  Fuzz *fuzz = mine();
  meddle(fuzz);
  refill_buffer(fuzz, queue, buffer);
}
static AudioQueueInputCallback draw_AudioQueueInputCallback(Fuzz *fuzz) {
  return one_in(fuzz, 16) ? NULL : buffer_recorded;
}

static void queue_property(void *context, AudioQueueRef queue, AudioQueuePropertyID id) {
  (void)context, (void)queue, (void)id;
  meddle(mine());
}
static AudioQueuePropertyListenerProc draw_AudioQueuePropertyListenerProc(Fuzz *fuzz) {
  return one_in(fuzz, 16) ? NULL : queue_property;
}

static void tapped(void *context, AudioQueueProcessingTapRef tap, UInt32 frames, AudioTimeStamp *time,
                   AudioQueueProcessingTapFlags *flags, UInt32 *given, AudioBufferList *data) {
  (void)context, (void)flags;
  Fuzz *fuzz = mine();
  meddle(fuzz);
  AudioQueueProcessingTapFlags source_flags;
  Float64 queue_time;
  UInt32 queue_frames;
  AudioQueueProcessingTapGetSourceAudio(tap, one_in(fuzz, 16) ? draw_number(fuzz) : frames, time, &source_flags, given, data);
  AudioQueueProcessingTapGetQueueTime(tap, &queue_time, &queue_frames);
  if (one_in(fuzz, 16)) *given = draw_number(fuzz);
}
static AudioQueueProcessingTapCallback draw_AudioQueueProcessingTapCallback(Fuzz *fuzz) {
  return one_in(fuzz, 16) ? NULL : tapped;
}

static const Property queue_properties[] = {
    {kAudioQueueProperty_IsRunning, NUMBER},
    {kAudioQueueDeviceProperty_SampleRate, FLOAT64},
    {kAudioQueueDeviceProperty_NumberChannels, NUMBER},
    {kAudioQueueProperty_CurrentDevice, STRING},
    {kAudioQueueProperty_MagicCookie, BYTES},
    {kAudioQueueProperty_MaximumOutputPacketSize, NUMBER},
    {kAudioQueueProperty_StreamDescription, FORMAT},
    {kAudioQueueProperty_ChannelLayout, LAYOUT},
    {kAudioQueueProperty_EnableLevelMetering, NUMBER},
    {kAudioQueueProperty_CurrentLevelMeter, BYTES},
    {kAudioQueueProperty_CurrentLevelMeterDB, BYTES},
    {kAudioQueueProperty_DecodeBufferSizeFrames, NUMBER},
    {kAudioQueueProperty_ConverterError, NUMBER},
    {kAudioQueueProperty_EnableTimePitch, NUMBER},
    {kAudioQueueProperty_TimePitchAlgorithm, NUMBER},
    {kAudioQueueProperty_TimePitchBypass, NUMBER},
    {kAudioQueueProperty_HardwareCodecPolicy, NUMBER},
    {9999, BYTES},
};
static UInt32 draw_queue_property_id(Fuzz *fuzz) { return ONE_OF(fuzz, queue_properties).id; }

static void call_AudioQueueGetProperty(Fuzz *fuzz) {
  const Property *property = &ONE_OF(fuzz, queue_properties);
  char *memory = memset(chunk(fuzz), 0, 64);
  UInt32 size = property->value == STRING ? 8 : draw_size(fuzz);
  OSStatus status = AudioQueueGetProperty(
      draw_queue(fuzz), property->id, one_in(fuzz, 32) ? NULL : memory, one_in(fuzz, 32) ? NULL : &size);
  note(fuzz, status);
  if (status == noErr && property->value == STRING) release_out(fuzz, GIVES_OBJECT, memory);
}

static void call_AudioQueueSetProperty(Fuzz *fuzz) {
  if (one_in(fuzz, 16)) {
    AudioQueueChannelAssignment assignments[4] = {{0}};
    for (int index = 0; index < 4; ++index) {
      assignments[index].mDeviceUID = (CFStringRef)draw_string(fuzz);
      assignments[index].mChannelNumber = draw_number(fuzz);
    }
    UInt32 bytes = (1 + roll(fuzz, 4)) * (UInt32)sizeof assignments[0];
    note(fuzz, AudioQueueSetProperty(draw_queue(fuzz), kAudioQueueProperty_ChannelAssignments, assignments, bytes));
    return;
  }
  const Property *property = &ONE_OF(fuzz, queue_properties);
  char *memory = chunk(fuzz);
  UInt32 size = fill(fuzz, property->value, memory);
  if (property->value != STRING) size = bent(fuzz, size);
  note(fuzz, AudioQueueSetProperty(draw_queue(fuzz), property->id, one_in(fuzz, 32) ? NULL : memory, size));
}

static void call_AudioQueueNewOutputWithDispatchQueue(Fuzz *fuzz) {
  AudioStreamBasicDescription format = a_format(fuzz);
  AudioQueueRef queue = NULL;
  note(fuzz, AudioQueueNewOutputWithDispatchQueue(
      one_in(fuzz, 32) ? NULL : &queue, &format, 0, one_in(fuzz, 32) ? NULL : fuzz->objects->queue,
      ^(AudioQueueRef played, AudioQueueBufferRef buffer) { buffer_played(NULL, played, buffer); }));
  keep(fuzz, QUEUE, (uintptr_t)queue);
}

static void call_AudioQueueNewInputWithDispatchQueue(Fuzz *fuzz) {
  AudioStreamBasicDescription format = a_format(fuzz);
  AudioQueueRef queue = NULL;
  note(fuzz, AudioQueueNewInputWithDispatchQueue(
      one_in(fuzz, 32) ? NULL : &queue, &format, 0, one_in(fuzz, 32) ? NULL : fuzz->objects->queue,
      ^(AudioQueueRef recorded, AudioQueueBufferRef buffer, const AudioTimeStamp *time, UInt32 count,
        const AudioStreamPacketDescription *descriptions) {
        buffer_recorded(NULL, recorded, buffer, time, count, descriptions);
      }));
  keep(fuzz, QUEUE, (uintptr_t)queue);
}

// A queue and a buffer of its own: what build_queue has put at one place of both pools.
typedef struct {
  AudioQueueRef queue;
  AudioQueueBufferRef buffer;
} Pair;
static Pair draw_pair(Fuzz *fuzz) {
  if (one_in(fuzz, 8)) return (Pair){draw_queue(fuzz), draw_queueBuffer(fuzz)};
  uint32_t place = roll(fuzz, PLACES);
  return (Pair){(AudioQueueRef)atomic_load(&pool[QUEUE][place]), (AudioQueueBufferRef)atomic_load(&pool[QUEUE_BUFFER][place])};
}

static void call_AudioQueueEnqueueBuffer(Fuzz *fuzz) {
  Pair pair = draw_pair(fuzz);
  // Descriptions are as many as are said.
  UInt32 packets = one_in(fuzz, 2) ? 0 : roll(fuzz, 8);
  note(fuzz, AudioQueueEnqueueBuffer(pair.queue, pair.buffer, packets, draw_memory(fuzz)));
}

static void call_AudioQueueEnqueueBufferWithParameters(Fuzz *fuzz) {
  Pair pair = draw_pair(fuzz);
  UInt32 count = one_in(fuzz, 2) ? 0 : roll(fuzz, 4);
  AudioQueueParameterEvent events[4];
  for (int index = 0; index < 4; ++index) {
    events[index].mID = one_in(fuzz, 16) ? draw_number(fuzz) : 1 + roll(fuzz, 4);
    events[index].mValue = (Float32)draw_value(fuzz);
  }
  note(fuzz, AudioQueueEnqueueBufferWithParameters(
      pair.queue, pair.buffer, 0, NULL, draw_number(fuzz), draw_number(fuzz), count, one_in(fuzz, 32) ? NULL : events,
      one_in(fuzz, 2) ? NULL : draw_time(fuzz), one_in(fuzz, 2) ? NULL : draw_time(fuzz)));
}

static void call_AudioQueueFreeBuffer(Fuzz *fuzz) {
  Pair pair = draw_pair(fuzz);
  note(fuzz, AudioQueueFreeBuffer(pair.queue, pair.buffer));
  fuzz->disposals++;
}

static void call_AudioQueueOfflineRender(Fuzz *fuzz) {
  Pair pair = draw_pair(fuzz);
  note(fuzz, AudioQueueOfflineRender(pair.queue, draw_time(fuzz), pair.buffer, draw_frames(fuzz)));
}

// A queue with three buffers, which plays, records or is rendered offline.
static void build_queue(Fuzz *fuzz) {
  AudioStreamBasicDescription format = {
      one_in(fuzz, 2) ? 48000 : 44100, kAudioFormatLinearPCM, kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked,
      4, 1, 4, 2, 16, 0};
  AudioQueueRef queue = NULL;
  int records = one_in(fuzz, 3);
  if (records) {
    AudioQueueNewInput(&format, buffer_recorded, NULL, NULL, NULL, 0, &queue);
  } else {
    AudioQueueNewOutput(&format, buffer_played, NULL, one_in(fuzz, 8) ? fuzz->objects->runLoop : NULL, NULL, 0, &queue);
  }
  if (queue == NULL) return;
  if (one_in(fuzz, 4)) {
    UInt32 most;
    AudioStreamBasicDescription processing;
    AudioQueueProcessingTapRef tap = NULL;
    AudioQueueProcessingTapNew(
        queue, tapped, NULL, (1 + roll(fuzz, 2)) | (one_in(fuzz, 3) ? kAudioQueueProcessingTap_Siphon : 0), &most, &processing,
        &tap);
    keep(fuzz, TAP, (uintptr_t)tap);
  }
  if (!records && one_in(fuzz, 4)) {
    UInt32 on = 1;
    AudioQueueSetProperty(queue, kAudioQueueProperty_EnableTimePitch, &on, sizeof on);
    AudioQueueSetParameter(queue, kAudioQueueParam_PlayRate, 1.5f);
  }
  int is_offline = !records && one_in(fuzz, 3);
  if (is_offline) AudioQueueSetOfflineRenderFormat(queue, &format, NULL);
  AudioQueueBufferRef first = NULL;
  for (int index = 0; index < 3; ++index) {
    AudioQueueBufferRef buffer = NULL;
    AudioQueueAllocateBuffer(queue, 2000, &buffer);
    if (buffer == NULL) break;
    buffer->mAudioDataByteSize = 2000;
    if (index > 0) AudioQueueEnqueueBuffer(queue, buffer, 0, NULL);
    if (index == 0) first = buffer;
  }
  if (is_offline || one_in(fuzz, 2)) AudioQueueStart(queue, NULL);
  uint32_t place = roll(fuzz, PLACES);
  atomic_store(&pool[QUEUE_BUFFER][place], (uintptr_t)first);
  end(QUEUE, atomic_exchange(&pool[QUEUE][place], (uintptr_t)queue), fuzz->objects);
}
