// A program that feeds a scheduled sound player from two buffers in turn, as sample players do: a slice whose flag says
// that it is complete is filled and scheduled again from its completion. Prints the output.
#include "client.h"

#define FRAMES 100

static AudioUnit player;
static Float32 samples[2][FRAMES];
static struct {
  AudioBufferList list;
} buffers[2];
static ScheduledAudioSlice slices[2];
static int filled, completed;
static const int rounds = 7;

static OSStatus schedule(ScheduledAudioSlice *slice) {
  return AudioUnitSetProperty(player, kAudioUnitProperty_ScheduleAudioSlice, kAudioUnitScope_Global, 0, slice,
                              sizeof(*slice));
}

static void fill(int index) {
  for (int frame = 0; frame < FRAMES; ++frame) samples[index][frame] = (Float32)(filled * FRAMES + frame + 1);
  ++filled;
}

static void ended(void *userData, ScheduledAudioSlice *slice) {
  ++completed;
  if (userData != &completed || (slice->mFlags & kScheduledAudioSliceFlag_Complete) == 0) printf("wrong slice\n");
  if (filled == rounds) return;
  fill((int)(slice - slices));
  checkStatus(schedule(slice));
}

static void prepare(int index, UInt32 flags, ScheduledAudioSliceCompletionProc completion) {
  memset(&slices[index], 0, sizeof(slices[index]));
  buffers[index].list.mNumberBuffers = 1;
  buffers[index].list.mBuffers[0] = (AudioBuffer){1, sizeof(samples[index]), samples[index]};
  slices[index].mCompletionProc = completion;
  slices[index].mCompletionProcUserData = &completed;
  slices[index].mFlags = flags;
  slices[index].mNumberFrames = FRAMES;
  slices[index].mBufferList = &buffers[index].list;
}

static OSStatus render(double time, UInt32 frames, Float32 *output) {
  AudioBufferList list = {1, {{1, frames * sizeof(Float32), output}}};
  AudioTimeStamp stamp = {.mSampleTime = time, .mFlags = kAudioTimeStampSampleTimeValid};
  AudioUnitRenderActionFlags flags = 0;
  return AudioUnitRender(player, &flags, &stamp, 0, frames, &list);
}

int main(void) {
  AudioComponentDescription description = {kAudioUnitType_Generator, kAudioUnitSubType_ScheduledSoundPlayer,
                                           kAudioUnitManufacturer_Apple, 0, 0};
  checkStatus(AudioComponentInstanceNew(AudioComponentFindNext(NULL, &description), &player));
  AudioStreamBasicDescription format = {.mSampleRate = 48000,
                                        .mFormatID = kAudioFormatLinearPCM,
                                        .mFormatFlags = kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked | kAudioFormatFlagIsNonInterleaved,
                                        .mBytesPerPacket = 4,
                                        .mFramesPerPacket = 1,
                                        .mBytesPerFrame = 4,
                                        .mChannelsPerFrame = 1,
                                        .mBitsPerChannel = 32};
  checkStatus(AudioUnitSetProperty(player, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, &format,
                                   sizeof(format)));
  checkStatus(AudioUnitInitialize(player));
  for (int index = 0; index < 2; ++index) {
    prepare(index, 0, ended);
    fill(index);
    checkStatus(schedule(&slices[index]));
  }
  AudioTimeStamp start = {.mSampleTime = -1, .mFlags = kAudioTimeStampSampleTimeValid};
  AudioTimeStamp present;
  UInt32 size = sizeof(present);
  checkStatus(AudioUnitGetProperty(player, kAudioUnitProperty_CurrentPlayTime, kAudioUnitScope_Global, 0, &present, &size));
  printf("time before the start %g\n", present.mSampleTime);
  checkStatus(AudioUnitSetProperty(player, kAudioUnitProperty_ScheduleStartTimeStamp, kAudioUnitScope_Global, 0, &start,
                                   sizeof(start)));
  Float32 output[64];
  int wrong = 0;
  for (int slice = 0; slice < 12; ++slice) {
    checkStatus(render(slice * 64, 64, output));
    for (int frame = 0; frame < 64; ++frame) {
      int number = slice * 64 + frame;
      if (output[frame] != (number < rounds * FRAMES ? number + 1 : 0)) ++wrong;
    }
  }
  checkStatus(AudioUnitGetProperty(player, kAudioUnitProperty_CurrentPlayTime, kAudioUnitScope_Global, 0, &present, &size));
  printf("wrong frames %d, completed %d, time %g, flags 0x%x\n", wrong, completed, present.mSampleTime,
         (unsigned)slices[0].mFlags);

  // A loop that another slice interrupts at its time, and what a reset leaves.
  prepare(0, kScheduledAudioSliceFlag_Loop, NULL);
  prepare(1, kScheduledAudioSliceFlag_Interrupt, NULL);
  slices[1].mTimeStamp.mSampleTime = 12 * 64 + 150;
  slices[1].mTimeStamp.mFlags = kAudioTimeStampSampleTimeValid;
  samples[0][0] = -1;
  samples[1][0] = -2;
  checkStatus(schedule(&slices[0]));
  checkStatus(schedule(&slices[1]));
  for (int slice = 12; slice < 16; ++slice) {
    checkStatus(render(slice * 64, 64, output));
    for (int frame = 0; frame < 64; ++frame) {
      if (output[frame] < 0) printf("%g at %d\n", output[frame], (slice - 12) * 64 + frame);
    }
  }
  printf("loop 0x%x, interrupting 0x%x\n", (unsigned)slices[0].mFlags, (unsigned)slices[1].mFlags);
  prepare(0, 0, NULL);
  slices[0].mTimeStamp.mSampleTime = 12 * 64 + 40;
  slices[0].mTimeStamp.mFlags = kAudioTimeStampSampleTimeValid;
  checkStatus(schedule(&slices[0]));
  checkStatus(render(16 * 64, 64, output));
  printf("late and gone 0x%x\n", (unsigned)slices[0].mFlags);
  prepare(0, 0, NULL);
  checkStatus(schedule(&slices[0]));
  checkStatus(AudioUnitReset(player, kAudioUnitScope_Global, 0));
  printf("reset 0x%x, %d\n", (unsigned)slices[0].mFlags,
         (int)AudioUnitGetProperty(player, kAudioUnitProperty_ScheduleStartTimeStamp, kAudioUnitScope_Global, 0, &present,
                                   &size));

  // Slices that are not valid.
  slices[0].mBufferList->mBuffers[0].mDataByteSize = 4 * FRAMES - 1;
  REPORT("too small", schedule(&slices[0]));
  slices[0].mBufferList->mBuffers[0].mDataByteSize = 4 * FRAMES;
  slices[0].mBufferList->mBuffers[0].mNumberChannels = 2;
  REPORT("interleaved", schedule(&slices[0]));
  slices[0].mBufferList = NULL;
  REPORT("no list", schedule(&slices[0]));
  checkStatus(AudioComponentInstanceDispose(player));
  return 0;
}
