// Listings 1-1 to 1-7 of the hosting guide's fundamentals, as one program.
#include "client.h"

typedef struct {
  UInt32 calls;
  UInt32 bus;
  UInt32 buffers;
  UInt32 bytesPerBuffer;
  Float64 sampleTime;
  UInt32 hadSilenceFlag;
} Seen;

// Listing 1-5: a render callback function header
static OSStatus MyAURenderCallback(void *inRefCon, AudioUnitRenderActionFlags *ioActionFlags,
                                   const AudioTimeStamp *inTimeStamp, UInt32 inBusNumber, UInt32 inNumberFrames,
                                   AudioBufferList *ioData) {
  Seen *seen = (Seen *)inRefCon;
  ++seen->calls;
  seen->bus = inBusNumber;
  seen->buffers = ioData->mNumberBuffers;
  seen->bytesPerBuffer = ioData->mBuffers[0].mDataByteSize;
  seen->sampleTime = inTimeStamp->mSampleTime;
  seen->hadSilenceFlag = (*ioActionFlags & kAudioUnitRenderAction_OutputIsSilence) != 0;
  // Silence is a hint, and the buffers are to be cleared all the same.
  *ioActionFlags |= kAudioUnitRenderAction_OutputIsSilence;
  for (UInt32 index = 0; index < ioData->mNumberBuffers; ++index) {
    memset(ioData->mBuffers[index].mData, 0, ioData->mBuffers[index].mDataByteSize);
  }
  (void)inNumberFrames;
  return noErr;
}

static AUGraph processingGraph;
static AUNode ioNode, mixerNode;
static AudioUnit mixerUnit;

// Listing 1-1: a component description to identify an audio unit
static AudioComponentDescription describeIOUnit(void) {
  AudioComponentDescription ioUnitDescription;
  ioUnitDescription.componentType = kAudioUnitType_Output;
  ioUnitDescription.componentSubType = kAudioUnitSubType_RemoteIO;
  ioUnitDescription.componentManufacturer = kAudioUnitManufacturer_Apple;
  ioUnitDescription.componentFlags = 0;
  ioUnitDescription.componentFlagsMask = 0;
  return ioUnitDescription;
}

static void findUnits(AudioComponentDescription ioUnitDescription) {
  printf("exactly %u\n", AudioComponentCount(&ioUnitDescription));

  // Listing 1-2: an instance by the audio unit API
  AudioComponent foundIoUnitReference = AudioComponentFindNext(NULL, &ioUnitDescription);
  AudioUnit ioUnitInstance;
  checkStatus(AudioComponentInstanceNew(foundIoUnitReference, &ioUnitInstance));
  printf("instance of what was found %d\n",
         AudioComponentInstanceGetComponent(ioUnitInstance) == foundIoUnitReference);
  checkStatus(AudioComponentInstanceDispose(ioUnitInstance));

  // A wildcard: all the I/O units, one after another
  AudioComponentDescription wildcard = ioUnitDescription;
  wildcard.componentSubType = 0;
  AudioComponent component = NULL;
  while ((component = AudioComponentFindNext(component, &wildcard)) != NULL) {
    AudioComponentDescription found;
    checkStatus(AudioComponentGetDescription(component, &found));
    printf("i/o unit %s %s %s\n", code(found.componentType), code(found.componentSubType),
           code(found.componentManufacturer));
  }
}

static void makeGraph(AudioComponentDescription ioUnitDescription) {
  // Listing 1-3: an instance by the audio processing graph API
  checkStatus(NewAUGraph(&processingGraph));
  checkStatus(AUGraphAddNode(processingGraph, &ioUnitDescription, &ioNode));
  checkStatus(AUGraphOpen(processingGraph));
  AudioUnit ioUnit;
  checkStatus(AUGraphNodeInfo(processingGraph, ioNode, NULL, &ioUnit));
  printf("graph gave a unit %d\n", ioUnit != NULL);

  // Listing 1-4: scope and element when setting a property
  AudioComponentDescription mixerDescription = {kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer,
                                                kAudioUnitManufacturer_Apple, 0, 0};
  checkStatus(AUGraphAddNode(processingGraph, &mixerDescription, &mixerNode));
  checkStatus(AUGraphNodeInfo(processingGraph, mixerNode, NULL, &mixerUnit));
  UInt32 busCount = 2;
  OSStatus result = AudioUnitSetProperty(mixerUnit, kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0,
                                         &busCount, sizeof(busCount));
  REPORT("element count", result);
  UInt32 count = 0;
  UInt32 size = sizeof(count);
  checkStatus(AudioUnitGetProperty(mixerUnit, kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, &count, &size));
  printf("elements %u\n", count);
}

static void setFormat(void) {
  // Listing 1-6: the structure
  printf("description %zu bytes\n", sizeof(struct AudioStreamBasicDescription));

  // Listing 1-7: a description of a stereo stream
  Float64 graphSampleRate = 44100;
  size_t bytesPerSample = sizeof(AudioUnitSampleType);
  AudioStreamBasicDescription stereoStreamFormat = {0};
  stereoStreamFormat.mFormatID = kAudioFormatLinearPCM;
  stereoStreamFormat.mFormatFlags = kAudioFormatFlagsAudioUnitCanonical;
  stereoStreamFormat.mBytesPerPacket = bytesPerSample;
  stereoStreamFormat.mBytesPerFrame = bytesPerSample;
  stereoStreamFormat.mFramesPerPacket = 1;
  stereoStreamFormat.mBitsPerChannel = 8 * bytesPerSample;
  stereoStreamFormat.mChannelsPerFrame = 2;
  stereoStreamFormat.mSampleRate = graphSampleRate;
  printFormat("stereo", &stereoStreamFormat);
  REPORT("set", AudioUnitSetProperty(mixerUnit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 1,
                                     &stereoStreamFormat, sizeof(stereoStreamFormat)));
}

static void renderOnce(void) {
  // The callback of listing 1-5 on bus 1 of the mixer, pulled once.
  Seen seen = {0};
  AURenderCallbackStruct callback = {MyAURenderCallback, &seen};
  checkStatus(AUGraphSetNodeInputCallback(processingGraph, mixerNode, 1, &callback));
  checkStatus(AUGraphConnectNodeInput(processingGraph, mixerNode, 0, ioNode, 0));
  checkStatus(AUGraphInitialize(processingGraph));
  struct {
    AudioBufferList list;
    AudioBuffer second;
  } buffers;
  static Float32 planes[2][512];
  buffers.list.mNumberBuffers = 2;
  for (int index = 0; index < 2; ++index) {
    AudioBuffer *buffer = &buffers.list.mBuffers[0] + index;
    buffer->mNumberChannels = 1;
    buffer->mDataByteSize = sizeof(planes[index]);
    buffer->mData = planes[index];
  }
  planes[0][511] = 1;
  AudioUnitRenderActionFlags flags = 0;
  AudioTimeStamp time = {0};
  time.mSampleTime = 1000;
  time.mFlags = kAudioTimeStampSampleTimeValid;
  REPORT("render", AudioUnitRender(mixerUnit, &flags, &time, 0, 512, &buffers.list));
  printf("called %u times, bus %u, %u buffers of %u bytes, at %g, flagged before %u\n", seen.calls, seen.bus,
         seen.buffers, seen.bytesPerBuffer, seen.sampleTime, seen.hadSilenceFlag);
  printf("rendered %g\n", planes[0][511]);
}

int main(void) {
  AudioComponentDescription ioUnitDescription = describeIOUnit();
  findUnits(ioUnitDescription);
  makeGraph(ioUnitDescription);
  setFormat();
  renderOnce();
  REPORT("dispose", DisposeAUGraph(processingGraph));
  return 0;
}
