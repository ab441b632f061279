// Audio queues on the simulated hardware, story by story: the first argument says which. The scenario's clock is told. Frame
// n of a sound is n / 32768, so that what is heard says where it comes from.
#include "client.h"

#include <aubench/DeviceScenario.h>
#include <pthread.h>

static AudioStreamBasicDescription pcm(Float64 rate, UInt32 channels) {
  AudioStreamBasicDescription format = {0};
  FillOutASBDForLPCM(&format, rate, channels, 16, 16, false, false, false);
  return format;
}

// The sound that a queue plays, and what it was told.
typedef struct {
  const char *name;
  int next, end, stride;
  int callbacks, full;
  int stops;
} Player;

static UInt32 number(AudioQueueRef queue, AudioQueuePropertyID id) {
  UInt32 value = 99, size = sizeof value;
  OSStatus status = AudioQueueGetProperty(queue, id, &value, &size);
  return status == noErr ? value : (UInt32)status;
}

static void fillBuffer(AudioQueueBufferRef buffer, int first, int frames, int channels) {
  SInt16 *samples = buffer->mAudioData;
  for (int frame = 0; frame < frames; ++frame)
    for (int channel = 0; channel < channels; ++channel)
      samples[frame * channels + channel] = (SInt16)(channel == 0 ? first + frame : -(first + frame));
  buffer->mAudioDataByteSize = (UInt32)(frames * channels * 2);
}

// As the guides do it: the callback fills the buffer again, and stops the queue at the end.
static void refill(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer) {
  Player *player = data;
  ++player->callbacks;
  if (player->next >= player->end) {
    if (player->stops++ == 0) REPORT("stop", AudioQueueStop(queue, false));
    return;
  }
  int frames = player->end - player->next < player->stride ? player->end - player->next : player->stride;
  fillBuffer(buffer, player->next, frames, 2);
  player->next += frames;
  OSStatus status = AudioQueueEnqueueBuffer(queue, buffer, 0, NULL);
  if (status != noErr) printf("enqueue %d\n", (int)status);
}

static void returned(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer) {
  (void)queue;
  printf("%s returns %d\n", (const char *)data, ((SInt16 *)buffer->mAudioData)[0]);
}

static void changed(void *data, AudioQueueRef queue, AudioQueuePropertyID id) {
  printf("%s %s %u\n", (const char *)data, code(id), (unsigned)number(queue, id));
}

static AudioQueueRef newQueue(AudioQueueOutputCallback function, void *data, Float64 rate, UInt32 channels) {
  AudioStreamBasicDescription format = pcm(rate, channels);
  AudioQueueRef queue = NULL;
  checkStatus(AudioQueueNewOutput(&format, function, data, NULL, NULL, 0, &queue));
  checkStatus(AudioQueueAddPropertyListener(queue, kAudioQueueProperty_IsRunning, changed, "running"));
  return queue;
}

static AudioQueueBufferRef newBuffer(AudioQueueRef queue, int first, int frames, int channels) {
  AudioQueueBufferRef buffer = NULL;
  checkStatus(AudioQueueAllocateBuffer(queue, (UInt32)(frames * channels * 2), &buffer));
  fillBuffer(buffer, first, frames, channels);
  return buffer;
}

static AudioTimeStamp at(Float64 sampleTime) {
  AudioTimeStamp time = {0};
  time.mSampleTime = sampleTime;
  time.mFlags = kAudioTimeStampSampleTimeValid;
  return time;
}

static Float64 now(AudioQueueRef queue) {
  AudioTimeStamp time = {0};
  OSStatus status = AudioQueueGetCurrentTime(queue, NULL, &time, NULL);
  return status == noErr ? time.mSampleTime : status;
}

static OSStatus enqueueAt(AudioQueueRef queue, AudioQueueBufferRef buffer, Float64 start, UInt32 first, UInt32 last) {
  AudioTimeStamp time = at(start), actual = {0};
  OSStatus status = AudioQueueEnqueueBufferWithParameters(
      queue, buffer, 0, NULL, first, last, 0, NULL, start < 0 ? NULL : &time, &actual);
  printf("begins %g\n", actual.mSampleTime);
  return status;
}

static void loop(void) {
  Player player = {"loop", 0, 10000, 700, 0, 0, 0};
  AudioQueueRef queue = newQueue(refill, &player, 44100, 2);
  for (int index = 0; index < 3; ++index) {
    AudioQueueBufferRef buffer;
    checkStatus(AudioQueueAllocateBuffer(queue, 2800, &buffer));
    refill(&player, queue, buffer);
  }
  UInt32 prepared = 0;
  REPORT("prime", AudioQueuePrime(queue, 0, &prepared));
  printf("prepared %u, running %u\n", (unsigned)prepared, (unsigned)number(queue, kAudioQueueProperty_IsRunning));
  REPORT("start", AudioQueueStart(queue, NULL));
  checkStatus(AUBenchDeviceAdvance(0.1));
  printf("time %g\n", now(queue));
  checkStatus(AUBenchDeviceAdvance(0.9));
  printf("callbacks %d, next %d, time %g\n", player.callbacks, player.next, now(queue));
  REPORT("dispose", AudioQueueDispose(queue, true));
  REPORT("stale", AudioQueueStart(queue, NULL));
}

static pthread_t mainThread;
static int elsewhere;

static void refillHere(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer) {
  if (!pthread_equal(pthread_self(), mainThread)) ++elsewhere;
  refill(data, queue, buffer);
}

static void leaveLoop(void *data, AudioQueueRef queue, AudioQueuePropertyID id) {
  (void)data, (void)id;
  if (!pthread_equal(pthread_self(), mainThread)) ++elsewhere;
  if (number(queue, kAudioQueueProperty_IsRunning) == 0) CFRunLoopStop(CFRunLoopGetCurrent());
}

// The same on the run loop of this thread, by a free clock.
static void runLoop(void) {
  Player player = {"run loop", 0, 10000, 700, 0, 0, 0};
  mainThread = pthread_self();
  AudioStreamBasicDescription format = pcm(44100, 2);
  AudioQueueRef queue = NULL;
  checkStatus(AudioQueueNewOutput(
      &format, refillHere, &player, CFRunLoopGetCurrent(), kCFRunLoopCommonModes, 0, &queue));
  checkStatus(AudioQueueAddPropertyListener(queue, kAudioQueueProperty_IsRunning, leaveLoop, NULL));
  for (int index = 0; index < 3; ++index) {
    AudioQueueBufferRef buffer;
    checkStatus(AudioQueueAllocateBuffer(queue, 2800, &buffer));
    refill(&player, queue, buffer);
  }
  checkStatus(AudioQueueStart(queue, NULL));
  CFRunLoopRunInMode(kCFRunLoopDefaultMode, 30, false);
  printf("callbacks %d, elsewhere %d, running %u\n", player.callbacks, elsewhere,
         (unsigned)number(queue, kAudioQueueProperty_IsRunning));
  checkStatus(AudioQueueDispose(queue, true));
}

// Start times, trims and gaps; a second queue is added to the first.
static void times(void) {
  AudioQueueRef queue = newQueue(returned, "first", 44100, 2);
  REPORT("first", enqueueAt(queue, newBuffer(queue, 1000, 100, 2), -1, 0, 0));
  REPORT("second", enqueueAt(queue, newBuffer(queue, 2000, 100, 2), 250, 10, 20));
  REPORT("third", enqueueAt(queue, newBuffer(queue, 3000, 50, 2), 300, 0, 0));
  REPORT("trimmed away", enqueueAt(queue, newBuffer(queue, 4000, 50, 2), -1, 30, 30));
  AudioTimeStamp start = at(700);
  REPORT("start", AudioQueueStart(queue, &start));
  checkStatus(AUBenchDeviceAdvance(0.001));
  printf("time %g\n", now(queue));
  AudioQueueRef other = newQueue(returned, "other", 44100, 2);
  REPORT("other", enqueueAt(other, newBuffer(other, 500, 600, 2), -1, 0, 0));
  start = at(750);
  REPORT("start", AudioQueueStart(other, &start));
  checkStatus(AUBenchDeviceAdvance(0.05));
  printf("time %g %g\n", now(queue), now(other));
  // Too late for its time: it begins with the next cycle.
  REPORT("late", enqueueAt(queue, newBuffer(queue, 5000, 40, 2), 400, 0, 0));
  checkStatus(AUBenchDeviceAdvance(0.02));
  REPORT("stop", AudioQueueStop(queue, true));
  REPORT("stop", AudioQueueStop(other, true));
  checkStatus(AudioQueueDispose(queue, true));
  checkStatus(AudioQueueDispose(other, true));
}

static void pauses(void) {
  AudioQueueRef queue = newQueue(returned, "paused", 44100, 2);
  for (int index = 0; index < 2; ++index)
    checkStatus(AudioQueueEnqueueBuffer(queue, newBuffer(queue, index * 1500, 1500, 2), 0, NULL));
  checkStatus(AudioQueueStart(queue, NULL));
  checkStatus(AUBenchDeviceAdvance(1024 / 44100.0));
  REPORT("pause", AudioQueuePause(queue));
  printf("time %g, running %u\n", now(queue), (unsigned)number(queue, kAudioQueueProperty_IsRunning));
  checkStatus(AUBenchDeviceAdvance(1024 / 44100.0));
  printf("time %g\n", now(queue));
  REPORT("start", AudioQueueStart(queue, NULL));
  checkStatus(AUBenchDeviceAdvance(0.02));
  printf("time %g\n", now(queue));
  REPORT("reset", AudioQueueReset(queue));
  REPORT("stop", AudioQueueStop(queue, true));
  checkStatus(AudioQueueDispose(queue, true));
}

// Volume with a ramp, pan, and parameters of a buffer.
static void parameters(void) {
  AudioQueueRef queue = newQueue(returned, "loud", 44100, 2);
  AudioQueueBufferRef buffer = newBuffer(queue, 0, 3000, 2);
  SInt16 *samples = buffer->mAudioData;
  for (int index = 0; index < 6000; ++index) samples[index] = 16384;
  checkStatus(AudioQueueEnqueueBuffer(queue, buffer, 0, NULL));
  AudioQueueBufferRef second = newBuffer(queue, 0, 1000, 2);
  samples = second->mAudioData;
  for (int index = 0; index < 2000; ++index) samples[index] = 16384;
  AudioQueueParameterEvent events[] = {
      {kAudioQueueParam_VolumeRampTime, 0}, {kAudioQueueParam_Volume, 1}, {kAudioQueueParam_Pan, -0.25f}};
  checkStatus(AudioQueueEnqueueBufferWithParameters(queue, second, 0, NULL, 0, 0, 3, events, NULL, NULL));
  checkStatus(AudioQueueSetParameter(queue, kAudioQueueParam_Volume, 0.5f));
  UInt32 on = 1;
  REPORT("metering", AudioQueueSetProperty(queue, kAudioQueueProperty_EnableLevelMetering, &on, sizeof on));
  checkStatus(AudioQueueStart(queue, NULL));
  checkStatus(AUBenchDeviceAdvance(512 / 44100.0));
  AudioQueueLevelMeterState levels[2];
  UInt32 size = sizeof levels;
  REPORT("meter", AudioQueueGetProperty(queue, kAudioQueueProperty_CurrentLevelMeter, levels, &size));
  printf("levels %g %g %g %g\n", levels[0].mAveragePower, levels[0].mPeakPower, levels[1].mAveragePower,
         levels[1].mPeakPower);
  REPORT("meter", AudioQueueGetProperty(queue, kAudioQueueProperty_CurrentLevelMeterDB, levels, &size));
  printf("decibels %.4f %.4f\n", levels[0].mAveragePower, levels[1].mPeakPower);
  checkStatus(AudioQueueSetParameter(queue, kAudioQueueParam_VolumeRampTime, 1000 / 44100.0f));
  checkStatus(AudioQueueSetParameter(queue, kAudioQueueParam_Volume, 0));
  checkStatus(AUBenchDeviceAdvance(0.2));
  Float32 volume = -1, pan = -1;
  REPORT("volume", AudioQueueGetParameter(queue, kAudioQueueParam_Volume, &volume));
  REPORT("pan", AudioQueueGetParameter(queue, kAudioQueueParam_Pan, &pan));
  printf("volume %g, pan %g\n", volume, pan);
  REPORT("no parameter", AudioQueueSetParameter(queue, 77, 1));
  checkStatus(AudioQueueDispose(queue, true));
}

// Another rate by a change of route, and an interruption, as the scenario has them.
static void hardware(void) {
  Player player = {"hardware", 0, 30000, 1000, 0, 0, 0};
  AudioQueueRef queue = newQueue(refill, &player, 44100, 2);
  checkStatus(AudioQueueAddPropertyListener(queue, kAudioQueueDeviceProperty_SampleRate, changed, "device"));
  for (int index = 0; index < 3; ++index) {
    AudioQueueBufferRef buffer;
    checkStatus(AudioQueueAllocateBuffer(queue, 4000, &buffer));
    refill(&player, queue, buffer);
  }
  AudioQueueTimelineRef timeline;
  checkStatus(AudioQueueCreateTimeline(queue, &timeline));
  checkStatus(AudioQueueStart(queue, NULL));
  for (int step = 0; step < 10; ++step) {
    checkStatus(AUBenchDeviceAdvance(0.1));
    AudioTimeStamp time = {0};
    Boolean hasBreak = false;
    OSStatus status = AudioQueueGetCurrentTime(queue, timeline, &time, &hasBreak);
    Float64 rate = 0;
    UInt32 size = sizeof rate;
    checkStatus(AudioQueueGetProperty(queue, kAudioQueueDeviceProperty_SampleRate, &rate, &size));
    printf("step %d: %d %g %d, %g Hz, running %u\n", step, (int)status, time.mSampleTime, hasBreak, rate,
           (unsigned)number(queue, kAudioQueueProperty_IsRunning));
    if (step == 5) REPORT("start while interrupted", AudioQueueStart(queue, NULL));
    if (step == 7) REPORT("start", AudioQueueStart(queue, NULL));
  }
  checkStatus(AudioQueueDisposeTimeline(queue, timeline));
  REPORT("stale timeline", AudioQueueDisposeTimeline(queue, timeline));
  checkStatus(AudioQueueDispose(queue, true));
}

typedef struct {
  int frames, callbacks;
  SInt16 first, last;
  int isStopping;
} Recorder;

static void recorded(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer, const AudioTimeStamp *time,
                     UInt32 packets, const AudioStreamPacketDescription *descriptions) {
  (void)descriptions;
  Recorder *recorder = data;
  ++recorder->callbacks;
  SInt16 *samples = buffer->mAudioData;
  printf("recorded %u packets, %u bytes, at %g %d", (unsigned)packets, (unsigned)buffer->mAudioDataByteSize,
         time->mSampleTime, time->mFlags == 3);
  for (UInt32 index = 0; index < packets; index += 100) printf(" %d", samples[index]);
  printf("\n");
  recorder->frames += (int)packets;
  if (!recorder->isStopping) REPORT("enqueue", AudioQueueEnqueueBuffer(queue, buffer, 0, NULL));
}

static void record(void) {
  Recorder recorder = {0};
  AudioStreamBasicDescription format = pcm(44100, 1);
  AudioQueueRef queue = NULL;
  REPORT("new", AudioQueueNewInput(&format, recorded, &recorder, NULL, NULL, 0, &queue));
  AudioQueueBufferRef buffers[2];
  for (int index = 0; index < 2; ++index) {
    checkStatus(AudioQueueAllocateBuffer(queue, 800, &buffers[index]));
    REPORT("enqueue", AudioQueueEnqueueBuffer(queue, buffers[index], 0, NULL));
  }
  REPORT("enqueue twice", AudioQueueEnqueueBuffer(queue, buffers[0], 0, NULL));
  REPORT("parameters", AudioQueueEnqueueBufferWithParameters(queue, buffers[0], 0, NULL, 0, 0, 0, NULL, NULL, NULL));
  REPORT("start", AudioQueueStart(queue, NULL));
  checkStatus(AUBenchDeviceAdvance(0.02));
  REPORT("flush", AudioQueueFlush(queue));
  checkStatus(AUBenchDeviceAdvance(0.012));
  printf("time %g\n", now(queue));
  recorder.isStopping = 1;
  REPORT("stop", AudioQueueStop(queue, true));
  printf("frames %d, callbacks %d\n", recorder.frames, recorder.callbacks);
  checkStatus(AudioQueueDispose(queue, true));
}

// A tap before effects that turns the sound round, and one that looks at it.
static void halve(void *data, AudioQueueProcessingTapRef tap, UInt32 frames, AudioTimeStamp *time,
                  AudioQueueProcessingTapFlags *flags, UInt32 *outFrames, AudioBufferList *list) {
  int *calls = data;
  AudioQueueProcessingTapFlags sourceFlags = 0;
  UInt32 given = 0;
  OSStatus status = AudioQueueProcessingTapGetSourceAudio(tap, frames, time, &sourceFlags, &given, list);
  Float64 queueTime = -1;
  UInt32 queueFrames = 0;
  OSStatus timeStatus = AudioQueueProcessingTapGetQueueTime(tap, &queueTime, &queueFrames);
  if ((*calls)++ < 2)
    printf("tap %u frames, flags %x, %d %u, queue %d %g %u\n", (unsigned)frames, (unsigned)*flags, (int)status,
           (unsigned)given, (int)timeStatus, queueTime, (unsigned)queueFrames);
  for (UInt32 buffer = 0; buffer < list->mNumberBuffers; ++buffer) {
    Float32 *samples = list->mBuffers[buffer].mData;
    for (UInt32 frame = 0; frame < given; ++frame) samples[frame] *= 0.5f;
  }
  *outFrames = given;
}

static void look(void *data, AudioQueueProcessingTapRef tap, UInt32 frames, AudioTimeStamp *time,
                 AudioQueueProcessingTapFlags *flags, UInt32 *outFrames, AudioBufferList *list) {
  (void)tap, (void)time, (void)flags, (void)outFrames;
  Float32 *peak = data;
  for (UInt32 frame = 0; frame < frames; ++frame) {
    Float32 *sample = (Float32 *)list->mBuffers[0].mData + frame;
    if (*sample > *peak) *peak = *sample;
    *sample = 0.9f;
  }
}

static void taps(void) {
  AudioQueueRef queue = newQueue(returned, "tapped", 44100, 2);
  AudioQueueProcessingTapRef tap = NULL, second = NULL;
  UInt32 most = 0;
  AudioStreamBasicDescription format = {0};
  int calls = 0;
  REPORT("wrong", AudioQueueProcessingTapNew(queue, halve, &calls, 0, &most, &format, &tap));
  REPORT("tap", AudioQueueProcessingTapNew(queue, halve, &calls, kAudioQueueProcessingTap_PreEffects, &most, &format, &tap));
  printFormat("format", &format);
  REPORT("second", AudioQueueProcessingTapNew(
      queue, halve, &calls, kAudioQueueProcessingTap_PreEffects, &most, &format, &second));
  AudioQueueProcessingTapFlags flags;
  UInt32 given;
  AudioBufferList list = {0};
  AudioTimeStamp time = at(0);
  REPORT("outside", AudioQueueProcessingTapGetSourceAudio(tap, 1, &time, &flags, &given, &list));
  checkStatus(AudioQueueEnqueueBuffer(queue, newBuffer(queue, 0, 1000, 2), 0, NULL));
  checkStatus(AudioQueueStart(queue, NULL));
  REPORT("dispose while running", AudioQueueProcessingTapDispose(tap));
  checkStatus(AUBenchDeviceAdvance(0.03));
  REPORT("stop", AudioQueueStop(queue, true));
  REPORT("dispose", AudioQueueProcessingTapDispose(tap));
  Float32 peak = 0;
  REPORT("siphon", AudioQueueProcessingTapNew(
      queue, look, &peak, kAudioQueueProcessingTap_PostEffects | kAudioQueueProcessingTap_Siphon, &most, &format, &tap));
  checkStatus(AudioQueueEnqueueBuffer(queue, newBuffer(queue, 2000, 1000, 2), 0, NULL));
  checkStatus(AudioQueueStart(queue, NULL));
  checkStatus(AUBenchDeviceAdvance(0.03));
  printf("peak %g\n", peak * 32768);
  checkStatus(AudioQueueDispose(queue, true));
}

// Times of the device.
static void device(void) {
  AudioQueueRef queue = newQueue(returned, "device", 48000, 1);
  AudioTimeStamp time = {0}, other = {0};
  REPORT("still", AudioQueueDeviceGetCurrentTime(queue, &time));
  REPORT("no time", (int)now(queue));
  checkStatus(AudioQueueEnqueueBuffer(queue, newBuffer(queue, 0, 100, 1), 0, NULL));
  checkStatus(AudioQueueStart(queue, NULL));
  checkStatus(AUBenchDeviceAdvance(0.1));
  REPORT("now", AudioQueueDeviceGetCurrentTime(queue, &time));
  printf("sample %g, host is mine %d, rate %g, flags %u\n", time.mSampleTime, time.mHostTime == AUBenchHostTime(),
         time.mRateScalar, (unsigned)time.mFlags);
  AudioTimeStamp later = at(time.mSampleTime + 44100);
  REPORT("translate", AudioQueueDeviceTranslateTime(queue, &later, &other));
  printf("a second later %lld\n", (long long)(other.mHostTime - time.mHostTime));
  other.mFlags = kAudioTimeStampHostTimeValid;
  REPORT("back", AudioQueueDeviceTranslateTime(queue, &other, &later));
  printf("sample %g\n", later.mSampleTime - time.mSampleTime);
  AudioTimeStamp wanted = at(1);
  REPORT("nearest", AudioQueueDeviceGetNearestStartTime(queue, &wanted, 0));
  printf("nearest %d\n", wanted.mSampleTime == time.mSampleTime);
  wanted = at(time.mSampleTime + 777);
  REPORT("nearest", AudioQueueDeviceGetNearestStartTime(queue, &wanted, 0));
  printf("nearest %g\n", wanted.mSampleTime - time.mSampleTime);
  checkStatus(AudioQueueDispose(queue, true));
}

int main(int count, char **arguments) {
  static const struct {
    const char *name;
    void (*tell)(void);
  } stories[] = {{"loop", loop}, {"loop on a run loop", runLoop}, {"times", times}, {"pauses", pauses}, {"parameters", parameters},
                 {"hardware", hardware}, {"record", record}, {"taps", taps}, {"device", device}};
  for (size_t index = 0; index < sizeof stories / sizeof stories[0]; ++index) {
    if (count > 1 && strcmp(arguments[1], stories[index].name) == 0) stories[index].tell();
  }
  return 0;
}
