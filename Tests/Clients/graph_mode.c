// A multichannel mixer in front of Remote I/O, as a graph ("AU Graph mode").
#include "client.h"

#define kOutputBus 0
#define kInputBus 1

static AUGraph processingGraph;
static AudioUnit mMixerUnit, mVoipUnit;
static UInt64 playedFrames[2], recordedFrames;
static OSStatus recordError;
static UInt32 buffersPerRequest;
static sem_t done;

static OSStatus recordCallbackFunc(void *inRefCon, AudioUnitRenderActionFlags *ioActionFlags,
                                   const AudioTimeStamp *inTimeStamp, UInt32 inBusNumber, UInt32 inNumberFrames,
                                   AudioBufferList *ioData) {
  (void)inRefCon, (void)ioData;
  static SInt16 samples[2 * 4096];
  AudioBufferList bufList;
  bufList.mNumberBuffers = 1;
  bufList.mBuffers[0].mNumberChannels = 2;
  bufList.mBuffers[0].mDataByteSize = inNumberFrames * 4;
  bufList.mBuffers[0].mData = samples;
  OSStatus err = AudioUnitRender(mVoipUnit, ioActionFlags, inTimeStamp, inBusNumber, inNumberFrames, &bufList);
  if (err) recordError = err;
  recordedFrames += inNumberFrames;
  return err;
}

// Bus 0 plays 8192 and 4096, bus 1 plays 1024 and −2048: multiples of a power of two, so that sums are exact.
static OSStatus playbackCallbackFunc(void *inRefCon, AudioUnitRenderActionFlags *ioActionFlags,
                                     const AudioTimeStamp *inTimeStamp, UInt32 inBusNumber, UInt32 inNumberFrames,
                                     AudioBufferList *ioData) {
  (void)inRefCon, (void)ioActionFlags, (void)inTimeStamp;
  static const SInt16 levels[2][2] = {{8192, 4096}, {1024, -2048}};
  buffersPerRequest = ioData->mNumberBuffers;
  for (UInt32 i = 0; i < ioData->mNumberBuffers; i++) {
    SInt16 *samples = (SInt16 *)ioData->mBuffers[i].mData;
    for (UInt32 frame = 0; frame < inNumberFrames; ++frame) {
      samples[2 * frame] = levels[inBusNumber][0];
      samples[2 * frame + 1] = levels[inBusNumber][1];
    }
  }
  playedFrames[inBusNumber] += inNumberFrames;
  if (playedFrames[0] == 44100 && playedFrames[1] == 44100) sem_post(&done);
  return noErr;
}

static int CheckOSStatus(OSStatus status, const char *message) {
  if (status == noErr) return 1;
  printf("%s: %d\n", message, (int)status);
  exit(1);
}

static AUNode iONode, mixerNode;

static void makeGraph(void) {
  // Create AUGraph
  CheckOSStatus(NewAUGraph(&processingGraph), "couldn't create a new instance of AUGraph");

  // I/O unit
  AudioComponentDescription iOUnitDescription;
  iOUnitDescription.componentType = kAudioUnitType_Output;
  iOUnitDescription.componentSubType = kAudioUnitSubType_RemoteIO;
  iOUnitDescription.componentManufacturer = kAudioUnitManufacturer_Apple;
  iOUnitDescription.componentFlags = 0;
  iOUnitDescription.componentFlagsMask = 0;

  // Multichannel mixer unit
  AudioComponentDescription MixerUnitDescription;
  MixerUnitDescription.componentType = kAudioUnitType_Mixer;
  MixerUnitDescription.componentSubType = kAudioUnitSubType_MultiChannelMixer;
  MixerUnitDescription.componentManufacturer = kAudioUnitManufacturer_Apple;
  MixerUnitDescription.componentFlags = 0;
  MixerUnitDescription.componentFlagsMask = 0;

  CheckOSStatus(AUGraphAddNode(processingGraph, &iOUnitDescription, &iONode), "couldn't add RemoteIO");
  CheckOSStatus(AUGraphAddNode(processingGraph, &MixerUnitDescription, &mixerNode), "couldn't add the mixer");
  CheckOSStatus(AUGraphOpen(processingGraph), "couldn't open the graph");
  CheckOSStatus(AUGraphNodeInfo(processingGraph, mixerNode, NULL, &mMixerUnit), "couldn't get the mixer unit");
  CheckOSStatus(AUGraphNodeInfo(processingGraph, iONode, NULL, &mVoipUnit), "couldn't get the remoteio unit");
}

static AudioStreamBasicDescription clientFormat(void) {
  // Config mixer unit input default format
  AudioStreamBasicDescription audioDescription = {0};
  audioDescription.mSampleRate = 44100;
  audioDescription.mChannelsPerFrame = 2;
  audioDescription.mBitsPerChannel = 16;
  audioDescription.mFramesPerPacket = 1;
  audioDescription.mFormatID = kAudioFormatLinearPCM;
  audioDescription.mFormatFlags = kLinearPCMFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked;
  audioDescription.mBytesPerFrame = (audioDescription.mBitsPerChannel / 8) * audioDescription.mChannelsPerFrame;
  audioDescription.mBytesPerPacket = audioDescription.mBytesPerFrame;
  return audioDescription;
}

static void configureMixer(const AudioStreamBasicDescription audioDescription) {
  UInt32 busCount = 2;
  CheckOSStatus(AudioUnitSetProperty(mMixerUnit, kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, &busCount,
                                     sizeof(busCount)),
                "could not set mixer unit input bus count");
  UInt32 maximumFramesPerSlice = 4096;
  CheckOSStatus(AudioUnitSetProperty(mMixerUnit, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0,
                                     &maximumFramesPerSlice, sizeof(maximumFramesPerSlice)),
                "could not set mixer unit maximum frame per slice");

  // Attach the input render callback and context to each input bus
  for (UInt16 busNumber = 0; busNumber < busCount; ++busNumber) {
    AURenderCallbackStruct playbackCallback;
    playbackCallback.inputProc = playbackCallbackFunc;
    playbackCallback.inputProcRefCon = NULL;
    CheckOSStatus(AUGraphSetNodeInputCallback(processingGraph, mixerNode, busNumber, &playbackCallback),
                  "couldn't set playback callback on mixer unit");
  }

  // Both inputs have the client's format
  UInt32 guitarBus = 0;
  UInt32 beatsBus = 1;
  CheckOSStatus(AudioUnitSetProperty(mMixerUnit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, guitarBus,
                                     &audioDescription, sizeof(audioDescription)),
                "couldn't set the input 0 client format on mixer unit");
  CheckOSStatus(AudioUnitSetProperty(mMixerUnit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, beatsBus,
                                     &audioDescription, sizeof(audioDescription)),
                "couldn't set the input 1 client format on mixer unit");
  Float64 graphSampleRate = 44100;
  CheckOSStatus(AudioUnitSetProperty(mMixerUnit, kAudioUnitProperty_SampleRate, kAudioUnitScope_Output, 0,
                                     &graphSampleRate, sizeof(graphSampleRate)),
                "couldn't set the output client format on mixer unit");
}

static void configureIOUnit(const AudioStreamBasicDescription audioDescription) {
  // Config VoIP unit IO enable status
  UInt32 flag = 1;
  CheckOSStatus(AudioUnitSetProperty(mVoipUnit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Output, kOutputBus,
                                     &flag, sizeof(flag)),
                "could not enable output on kAudioUnitSubType_RemoteIO");
  CheckOSStatus(AudioUnitSetProperty(mVoipUnit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, kInputBus,
                                     &flag, sizeof(flag)),
                "could not enable input on kAudioUnitSubType_RemoteIO");
  CheckOSStatus(AudioUnitSetProperty(mVoipUnit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, kInputBus,
                                     &audioDescription, sizeof(audioDescription)),
                "couldn't set the input client format on kAudioUnitSubType_RemoteIO");
  UInt32 maxFramesPerSlice = 4096;
  CheckOSStatus(AudioUnitSetProperty(mVoipUnit, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0,
                                     &maxFramesPerSlice, sizeof(UInt32)),
                "couldn't set max frames per slice on kAudioUnitSubType_RemoteIO");
  AURenderCallbackStruct recordCallback;
  recordCallback.inputProc = recordCallbackFunc;
  recordCallback.inputProcRefCon = NULL;
  CheckOSStatus(AudioUnitSetProperty(mVoipUnit, kAudioOutputUnitProperty_SetInputCallback, kAudioUnitScope_Global,
                                     kInputBus, &recordCallback, sizeof(recordCallback)),
                "couldn't set record callback");
}

int main(void) {
  sem_init(&done, 0, 0);
  makeGraph();
  configureMixer(clientFormat());
  configureIOUnit(clientFormat());

  // The listing breaks off here. The rest: connect, initialize, start.
  CheckOSStatus(AUGraphConnectNodeInput(processingGraph, mixerNode, 0, iONode, 0), "couldn't connect");
  CheckOSStatus(AUGraphInitialize(processingGraph), "couldn't initialize the graph");
  AudioStreamBasicDescription propagated = {0};
  UInt32 size = sizeof(propagated);
  CheckOSStatus(AudioUnitGetProperty(mVoipUnit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, kOutputBus,
                                     &propagated, &size),
                "couldn't get the propagated format");
  printFormat("propagated", &propagated);
  CheckOSStatus(AUGraphStart(processingGraph), "couldn't start the graph");
  Boolean isRunning = 0;
  CheckOSStatus(AUGraphIsRunning(processingGraph, &isRunning), "couldn't ask");
  printf("running %d\n", isRunning);
  REPORT("waited", waitFor(&done));
  CheckOSStatus(AUGraphStop(processingGraph), "couldn't stop the graph");
  CheckOSStatus(AUGraphIsRunning(processingGraph, &isRunning), "couldn't ask");
  printf("running %d\n", isRunning);
  printf("played %llu and %llu frames into %u buffer\n", (unsigned long long)playedFrames[0],
         (unsigned long long)playedFrames[1], buffersPerRequest);
  printf("recorded %llu frames, status %d\n", (unsigned long long)recordedFrames, (int)recordError);
  REPORT("dispose", DisposeAUGraph(processingGraph));
  return 0;
}
