// A Remote I/O unit used by itself: recording and playback in mono, 16 bit.
#include "client.h"

#define kOutputBus 0
#define kInputBus 1

static AudioComponentInstance audioUnit;
static AudioStreamBasicDescription audioFormat;

// The device runs for one second.
static const UInt64 secondFrames = 44100;
static UInt64 recordedFrames, playedFrames;
static UInt32 recordCalls, recordedBus, recordedSum, playedBuffers;
static OSStatus recordStatus;
static Float64 nextRecordTime, nextPlayTime;
static UInt32 timeJumps, buffersGiven;
static SInt16 recorded[8192];
static sem_t done;

static OSStatus recordingCallback(void *inRefCon, AudioUnitRenderActionFlags *ioActionFlags,
                                  const AudioTimeStamp *inTimeStamp, UInt32 inBusNumber, UInt32 inNumberFrames,
                                  AudioBufferList *ioData) {
  if (ioData != NULL) ++buffersGiven;
  // Buffers of our own, as large as what has arrived.
  AudioBufferList bufferList;
  bufferList.mNumberBuffers = 1;
  bufferList.mBuffers[0].mNumberChannels = 1;
  bufferList.mBuffers[0].mDataByteSize = inNumberFrames * 2;
  bufferList.mBuffers[0].mData = recorded;
  memset(recorded, 0x55, inNumberFrames * 2);
  OSStatus status = AudioUnitRender(*(AudioComponentInstance *)inRefCon, ioActionFlags, inTimeStamp, inBusNumber,
                                    inNumberFrames, &bufferList);
  if (status != noErr) recordStatus = status;
  if (inTimeStamp->mSampleTime != nextRecordTime) ++timeJumps;
  nextRecordTime = inTimeStamp->mSampleTime + inNumberFrames;
  for (UInt32 frame = 0; frame < inNumberFrames; ++frame) recordedSum += (UInt32)abs(recorded[frame]);
  ++recordCalls;
  recordedBus = inBusNumber;
  recordedFrames += inNumberFrames;
  return noErr;
}

// A saw of 441 frames: exact in 16 bits and in float.
static OSStatus playbackCallback(void *inRefCon, AudioUnitRenderActionFlags *ioActionFlags,
                                 const AudioTimeStamp *inTimeStamp, UInt32 inBusNumber, UInt32 inNumberFrames,
                                 AudioBufferList *ioData) {
  (void)inRefCon, (void)ioActionFlags, (void)inBusNumber;
  if (inTimeStamp->mSampleTime != nextPlayTime) ++timeJumps;
  nextPlayTime = inTimeStamp->mSampleTime + inNumberFrames;
  playedBuffers = ioData->mNumberBuffers;
  SInt16 *samples = (SInt16 *)ioData->mBuffers[0].mData;
  for (UInt32 frame = 0; frame < inNumberFrames; ++frame) {
    samples[frame] = (SInt16)(((playedFrames + frame) % 441) * 64 - 14080);
  }
  ioData->mBuffers[0].mDataByteSize = inNumberFrames * 2;
  playedFrames += inNumberFrames;
  if (playedFrames == secondFrames) sem_post(&done);
  return noErr;
}

int main(void) {
  sem_init(&done, 0, 0);
  OSStatus status;

  // Describe audio component
  AudioComponentDescription desc;
  desc.componentType = kAudioUnitType_Output;
  desc.componentSubType = kAudioUnitSubType_RemoteIO;
  desc.componentFlags = 0;
  desc.componentFlagsMask = 0;
  desc.componentManufacturer = kAudioUnitManufacturer_Apple;

  // Get component, get audio unit
  AudioComponent inputComponent = AudioComponentFindNext(NULL, &desc);
  status = AudioComponentInstanceNew(inputComponent, &audioUnit);
  checkStatus(status);

  // Enable IO for recording, and for playback
  UInt32 flag = 1;
  status = AudioUnitSetProperty(audioUnit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, kInputBus, &flag,
                                sizeof(flag));
  checkStatus(status);
  status = AudioUnitSetProperty(audioUnit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Output, kOutputBus, &flag,
                                sizeof(flag));
  checkStatus(status);

  // Describe format
  audioFormat.mSampleRate = 44100.00;
  audioFormat.mFormatID = kAudioFormatLinearPCM;
  audioFormat.mFormatFlags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked;
  audioFormat.mFramesPerPacket = 1;
  audioFormat.mChannelsPerFrame = 1;
  audioFormat.mBitsPerChannel = 16;
  audioFormat.mBytesPerPacket = 2;
  audioFormat.mBytesPerFrame = 2;

  // Apply format
  status = AudioUnitSetProperty(audioUnit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, kInputBus,
                                &audioFormat, sizeof(audioFormat));
  checkStatus(status);
  status = AudioUnitSetProperty(audioUnit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, kOutputBus,
                                &audioFormat, sizeof(audioFormat));
  checkStatus(status);

  // Set input callback
  AURenderCallbackStruct callbackStruct;
  callbackStruct.inputProc = recordingCallback;
  callbackStruct.inputProcRefCon = &audioUnit;
  status = AudioUnitSetProperty(audioUnit, kAudioOutputUnitProperty_SetInputCallback, kAudioUnitScope_Global, kInputBus,
                                &callbackStruct, sizeof(callbackStruct));
  checkStatus(status);

  // Set output callback
  callbackStruct.inputProc = playbackCallback;
  callbackStruct.inputProcRefCon = &audioUnit;
  status = AudioUnitSetProperty(audioUnit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Global, kOutputBus,
                                &callbackStruct, sizeof(callbackStruct));
  checkStatus(status);

  // Disable buffer allocation for the recorder
  flag = 0;
  status = AudioUnitSetProperty(audioUnit, kAudioUnitProperty_ShouldAllocateBuffer, kAudioUnitScope_Output, kInputBus,
                                &flag, sizeof(flag));
  checkStatus(status);

  // The hardware's format is not ours to set
  AudioStreamBasicDescription hardware = {0};
  UInt32 size = sizeof(hardware);
  checkStatus(AudioUnitGetProperty(audioUnit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, kOutputBus,
                                   &hardware, &size));
  printFormat("hardware", &hardware);

  // Initialise, start, and stop when a second has been played
  status = AudioUnitInitialize(audioUnit);
  checkStatus(status);
  status = AudioOutputUnitStart(audioUnit);
  checkStatus(status);
  REPORT("waited", waitFor(&done));
  status = AudioOutputUnitStop(audioUnit);
  checkStatus(status);

  printf("recorded %llu frames from bus %u, status %d, sum %u\n", (unsigned long long)recordedFrames, recordedBus,
         (int)recordStatus, recordedSum);
  printf("played %llu frames into %u buffer\n", (unsigned long long)playedFrames, playedBuffers);
  printf("as many calls as device cycles %d\n", recordCalls == 87);
  printf("time jumps %u, lists given to the input callback %u\n", timeJumps, buffersGiven);

  REPORT("dispose", AudioComponentInstanceDispose(audioUnit));
  REPORT("dispose again", AudioComponentInstanceDispose(audioUnit));
  return 0;
}
