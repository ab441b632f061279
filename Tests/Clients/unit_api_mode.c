// Remote I/O by the unit interface, in stereo, with the device at another rate ("Unit API mode").
#include "client.h"

#define kOutputBus 0
#define kInputBus 1

static AudioUnit mVoipUnit;
static UInt64 recordedFrames, playedFrames;
static UInt32 largestRequest, silentCalls;
static OSStatus recordError;
static UInt32 recordedBytes;
static sem_t done;

static OSStatus recordCallbackFunc(void *inRefCon, AudioUnitRenderActionFlags *ioActionFlags,
                                   const AudioTimeStamp *inTimeStamp, UInt32 inBusNumber, UInt32 inNumberFrames,
                                   AudioBufferList *ioData) {
  (void)inRefCon, (void)ioData;
  // No buffers: the unit lends its own.
  AudioBufferList bufList = {0};
  bufList.mNumberBuffers = 1;
  bufList.mBuffers[0].mNumberChannels = 2;
  OSStatus err = AudioUnitRender(mVoipUnit, ioActionFlags, inTimeStamp, inBusNumber, inNumberFrames, &bufList);
  if (err) recordError = err;
  else if (bufList.mBuffers[0].mData != NULL) recordedBytes += bufList.mBuffers[0].mDataByteSize;
  recordedFrames += inNumberFrames;
  return err;
}

static OSStatus playbackCallbackFunc(void *inRefCon, AudioUnitRenderActionFlags *ioActionFlags,
                                     const AudioTimeStamp *inTimeStamp, UInt32 inBusNumber, UInt32 inNumberFrames,
                                     AudioBufferList *ioData) {
  (void)inTimeStamp, (void)inBusNumber;
  if (inNumberFrames > largestRequest) largestRequest = inNumberFrames;
  for (UInt32 i = 0; i < ioData->mNumberBuffers; i++) {
    AudioBuffer *buffer = &ioData->mBuffers[i];
    // A quarter of a second of a square wave, then nothing more to play.
    if (playedFrames < 11025) {
      SInt16 *samples = (SInt16 *)buffer->mData;
      for (UInt32 frame = 0; frame < inNumberFrames; ++frame) {
        SInt16 value = ((playedFrames + frame) / 50) % 2 ? -8192 : 8192;
        samples[2 * frame] = value;
        samples[2 * frame + 1] = (SInt16)-value;
      }
    } else {
      memset(buffer->mData, 0, buffer->mDataByteSize);
      *ioActionFlags |= kAudioUnitRenderAction_OutputIsSilence;
      ++silentCalls;
    }
  }
  UInt64 before = playedFrames;
  playedFrames += inNumberFrames;
  if (before < 40000 && playedFrames >= 40000) sem_post((sem_t *)inRefCon);
  return noErr;
}

static int CheckOSStatus(OSStatus status, const char *message) {
  if (status == noErr) return 1;
  printf("%s: %d\n", message, (int)status);
  return 0;
}

static int createUnit(void) {
  // Create IO Unit
  int result = 0;
  AudioComponentDescription outputDescription = {0};
  outputDescription.componentType = kAudioUnitType_Output;
  outputDescription.componentSubType = kAudioUnitSubType_RemoteIO;
  outputDescription.componentManufacturer = kAudioUnitManufacturer_Apple;
  outputDescription.componentFlags = 0;
  outputDescription.componentFlagsMask = 0;
  AudioComponent comp = AudioComponentFindNext(NULL, &outputDescription);
  result = CheckOSStatus(AudioComponentInstanceNew(comp, &mVoipUnit), "couldn't create a new instance of RemoteIO");
  if (!result) return result;

  // Config IO enable status
  UInt32 flag = 1;
  result = CheckOSStatus(AudioUnitSetProperty(mVoipUnit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Output,
                                              kOutputBus, &flag, sizeof(flag)),
                         "could not enable output on RemoteIO");
  if (!result) return result;
  result = CheckOSStatus(AudioUnitSetProperty(mVoipUnit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input,
                                              kInputBus, &flag, sizeof(flag)),
                         "AudioUnitSetProperty EnableIO");
  if (!result) return result;

  // Config default format: 44.1K, stereo, 16 bit
  AudioStreamBasicDescription audioDescription = {0};
  audioDescription.mSampleRate = 44100;
  audioDescription.mChannelsPerFrame = 2;
  audioDescription.mBitsPerChannel = 16;
  audioDescription.mFramesPerPacket = 1;
  audioDescription.mFormatID = kAudioFormatLinearPCM;
  audioDescription.mFormatFlags = kLinearPCMFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked;
  audioDescription.mBytesPerFrame = (audioDescription.mBitsPerChannel / 8) * audioDescription.mChannelsPerFrame;
  audioDescription.mBytesPerPacket = audioDescription.mBytesPerFrame;
  printFormat("app", &audioDescription);
  result = CheckOSStatus(AudioUnitSetProperty(mVoipUnit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output,
                                              kInputBus, &audioDescription, sizeof(audioDescription)),
                         "couldn't set the input client format on RemoteIO");
  if (!result) return result;
  result = CheckOSStatus(AudioUnitSetProperty(mVoipUnit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input,
                                              kOutputBus, &audioDescription, sizeof(audioDescription)),
                         "couldn't set the output client format on RemoteIO");
  if (!result) return result;

  // Set the MaximumFramesPerSlice property
  UInt32 maxFramesPerSlice = 4096;
  result = CheckOSStatus(AudioUnitSetProperty(mVoipUnit, kAudioUnitProperty_MaximumFramesPerSlice,
                                              kAudioUnitScope_Global, 0, &maxFramesPerSlice, sizeof(UInt32)),
                         "couldn't set max frames per slice on RemoteIO");
  if (!result) return result;

  // Set the record callback
  AURenderCallbackStruct recordCallback;
  recordCallback.inputProc = recordCallbackFunc;
  recordCallback.inputProcRefCon = &done;
  result = CheckOSStatus(AudioUnitSetProperty(mVoipUnit, kAudioOutputUnitProperty_SetInputCallback,
                                              kAudioUnitScope_Global, kInputBus, &recordCallback,
                                              sizeof(recordCallback)),
                         "couldn't set record callback on RemoteIO");
  if (!result) return result;

  // Set the playback callback
  AURenderCallbackStruct playbackCallback;
  playbackCallback.inputProc = playbackCallbackFunc;
  playbackCallback.inputProcRefCon = &done;
  result = CheckOSStatus(AudioUnitSetProperty(mVoipUnit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Global,
                                              kOutputBus, &playbackCallback, sizeof(playbackCallback)),
                         "couldn't set playback callback on RemoteIO");
  if (!result) return result;

  // Set buffer allocate: here the unit does it
  flag = 1;
  result = CheckOSStatus(AudioUnitSetProperty(mVoipUnit, kAudioUnitProperty_ShouldAllocateBuffer,
                                              kAudioUnitScope_Output, kInputBus, &flag, sizeof(flag)),
                         "couldn't set property for ShouldAllocateBuffer");
  if (!result) return result;

  // Initialize the output IO instance
  return CheckOSStatus(AudioUnitInitialize(mVoipUnit), "couldn't initialize VoiceProcessingIO instance");
}

int main(void) {
  sem_init(&done, 0, 0);
  if (!createUnit()) return 1;
  AudioStreamBasicDescription hardware = {0};
  UInt32 size = sizeof(hardware);
  checkStatus(AudioUnitGetProperty(mVoipUnit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, kInputBus,
                                   &hardware, &size));
  printFormat("hardware", &hardware);
  checkStatus(AudioOutputUnitStart(mVoipUnit));
  REPORT("waited", waitFor(&done));
  checkStatus(AudioOutputUnitStop(mVoipUnit));
  printf("record error %d, bytes per recorded frame %g\n", (int)recordError,
         recordedFrames == 0 ? 0 : (double)recordedBytes / (double)recordedFrames);
  printf("requests within the maximum %d, silence at the end %d\n", largestRequest <= 4096, silentCalls > 0);
  REPORT("dispose", AudioComponentInstanceDispose(mVoipUnit));
  return 0;
}
