// Calls that a host should not make: none of them may crash. Each status is printed; the path of a sound file is the
// first argument, that of a file which may be written the second.
#include "client.h"

#pragma clang diagnostic ignored "-Wnonnull"
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
#pragma clang diagnostic ignored "-Wunused-parameter"

typedef struct {
  AudioUnit unit;
  AudioComponent component;
  AUGraph graph;
  AudioConverterRef converter;
  AudioFileID file;
  ExtAudioFileRef extendedFile;
  AUParameterListenerRef parameterListener;
  AUEventListenerRef eventListener;
  AudioQueueRef queue;
  AudioQueueBufferRef queueBuffer;
  AudioQueueTimelineRef timeline;
  AudioQueueProcessingTapRef tap;
  AudioFileStreamID stream;
} Handles;

// Zeroed memory, enough for any value; a few pieces in turn, so that two arguments are not the same.
static void *memory(void) {
  static char pieces[8][4096];
  static unsigned next;
  char *piece = pieces[next++ % 8];
  memset(piece, 0, sizeof(pieces[0]));
  return piece;
}

static long answerNothing(void) { return 0; }

#include "every_argument.h"

static AudioUnit makeUnit(UInt32 type, UInt32 subType) {
  AudioComponentDescription description = {type, subType, kAudioUnitManufacturer_Apple, 0, 0};
  AudioUnit unit = NULL;
  checkStatus(AudioComponentInstanceNew(AudioComponentFindNext(NULL, &description), &unit));
  return unit;
}

static OSStatus interleavedSource(void *inRefCon, AudioUnitRenderActionFlags *ioActionFlags,
                                  const AudioTimeStamp *inTimeStamp, UInt32 inBusNumber, UInt32 inNumberFrames,
                                  AudioBufferList *ioData) {
  (void)inRefCon, (void)ioActionFlags, (void)inTimeStamp, (void)inBusNumber;
  SInt16 *samples = (SInt16 *)ioData->mBuffers[0].mData;
  for (UInt32 sample = 0; sample < 2 * inNumberFrames; ++sample) samples[sample] = sample % 2 ? -16384 : 16384;
  return noErr;
}

static struct {
  AudioBufferList list;
  AudioBuffer second;
} buffers;
static Float32 planes[2][512];

static AudioBufferList *freshBuffers(void) {
  buffers.list.mNumberBuffers = 2;
  for (int index = 0; index < 2; ++index) {
    AudioBuffer *buffer = &buffers.list.mBuffers[0] + index;
    buffer->mNumberChannels = 1;
    buffer->mDataByteSize = sizeof(planes[0]);
    buffer->mData = planes[index];
    memset(planes[index], 0, sizeof(planes[0]));
  }
  return &buffers.list;
}

static void renderWrongly(void) {
  AudioUnit mixer = makeUnit(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer);
  AudioTimeStamp time = {0};
  time.mFlags = kAudioTimeStampSampleTimeValid;
  REPORT("render before Initialize", AudioUnitRender(mixer, NULL, &time, 0, 512, freshBuffers()));

  // 16 bit, interleaved, into the float mixer.
  AudioStreamBasicDescription format = {0};
  FillOutASBDForLPCM(&format, 44100, 2, 16, 16, false, false, false);
  REPORT("format", AudioUnitSetProperty(mixer, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format,
                                        sizeof(format)));
  AURenderCallbackStruct source = {interleavedSource, NULL};
  REPORT("callback", AudioUnitSetProperty(mixer, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0,
                                          &source, sizeof(source)));
  REPORT("initialize", AudioUnitInitialize(mixer));
  REPORT("initialize again", AudioUnitInitialize(mixer));
  REPORT("render without flags", AudioUnitRender(mixer, NULL, &time, 0, 512, freshBuffers()));
  printf("sample %g %g\n", planes[0][100], planes[1][100]);

  AudioUnitRenderActionFlags flags = 0;
  AudioTimeStamp untimed = {0};
  REPORT("render without a sample time", AudioUnitRender(mixer, &flags, &untimed, 0, 512, freshBuffers()));
  REPORT("render without a time stamp", AudioUnitRender(mixer, &flags, NULL, 0, 512, freshBuffers()));
  REPORT("render without buffers", AudioUnitRender(mixer, &flags, &time, 0, 512, NULL));
  time.mSampleTime = 512;
  REPORT("render bus 7", AudioUnitRender(mixer, &flags, &time, 7, 512, freshBuffers()));
  REPORT("render too much", AudioUnitRender(mixer, &flags, &time, 0, 1 << 20, freshBuffers()));
  freshBuffers();
  buffers.list.mNumberBuffers = 1;
  REPORT("render into one buffer", AudioUnitRender(mixer, &flags, &time, 0, 512, &buffers.list));
  freshBuffers();
  buffers.list.mBuffers[0].mDataByteSize = 4;
  REPORT("render into too small a buffer", AudioUnitRender(mixer, &flags, &time, 0, 512, &buffers.list));
  freshBuffers();
  buffers.list.mBuffers[0].mData = NULL;
  (&buffers.list.mBuffers[0])[1].mData = NULL;
  REPORT("render into the unit's buffers", AudioUnitRender(mixer, &flags, &time, 0, 512, &buffers.list));
  printf("lent %d\n", buffers.list.mBuffers[0].mData != NULL);

  // Properties after Initialize.
  UInt32 number = 3;
  REPORT("elements after Initialize", AudioUnitSetProperty(mixer, kAudioUnitProperty_ElementCount,
                                                           kAudioUnitScope_Input, 0, &number, sizeof(number)));
  REPORT("maximum after Initialize", AudioUnitSetProperty(mixer, kAudioUnitProperty_MaximumFramesPerSlice,
                                                          kAudioUnitScope_Global, 0, &number, sizeof(number)));
  REPORT("same format after Initialize", AudioUnitSetProperty(mixer, kAudioUnitProperty_StreamFormat,
                                                              kAudioUnitScope_Input, 0, &format, sizeof(format)));
  format.mSampleRate = 48000;
  REPORT("other format after Initialize", AudioUnitSetProperty(mixer, kAudioUnitProperty_StreamFormat,
                                                               kAudioUnitScope_Input, 0, &format, sizeof(format)));
  Float32 notANumber = __builtin_nanf("");
  REPORT("volume not a number", AudioUnitSetParameter(mixer, kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, 0,
                                                      notANumber, 0));
  REPORT("volume of bus 99", AudioUnitSetParameter(mixer, kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, 99, 1,
                                                   0));
  REPORT("property 54321", AudioUnitSetProperty(mixer, 54321, kAudioUnitScope_Global, 0, &number, sizeof(number)));
  REPORT("format in three bytes", AudioUnitSetProperty(mixer, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 1,
                                                       &format, 3));
  REPORT("dispose while initialized", AudioComponentInstanceDispose(mixer));
  REPORT("render when gone", AudioUnitRender(mixer, &flags, &time, 0, 512, freshBuffers()));
}

static AUNode addNode(AUGraph graph, UInt32 type, UInt32 subType) {
  AudioComponentDescription description = {type, subType, kAudioUnitManufacturer_Apple, 0, 0};
  AUNode node = 0;
  checkStatus(AUGraphAddNode(graph, &description, &node));
  return node;
}

// A graph of a mixer and an output, ready to render.
static AUGraph makeGraph(AudioUnit *mixer, AudioUnit *output) {
  AUGraph graph;
  checkStatus(NewAUGraph(&graph));
  AUNode outputNode = addNode(graph, kAudioUnitType_Output, kAudioUnitSubType_GenericOutput);
  AUNode mixerNode = addNode(graph, kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer);
  checkStatus(AUGraphConnectNodeInput(graph, mixerNode, 0, outputNode, 0));
  checkStatus(AUGraphOpen(graph));
  checkStatus(AUGraphNodeInfo(graph, mixerNode, NULL, mixer));
  checkStatus(AUGraphNodeInfo(graph, outputNode, NULL, output));
  checkStatus(AUGraphInitialize(graph));
  return graph;
}

static void disposeInOddOrders(void) {
  AudioUnit mixer, output;
  AudioUnitRenderActionFlags flags = 0;
  AudioTimeStamp time = {0};
  time.mFlags = kAudioTimeStampSampleTimeValid;

  // A unit of the graph before the graph: a host that does not know whose it is.
  AUGraph graph = makeGraph(&mixer, &output);
  printf("unit before graph: %d\n", (int)AudioComponentInstanceDispose(mixer));
  AudioUnitRender(output, &flags, &time, 0, 512, freshBuffers());
  REPORT("then the graph", DisposeAUGraph(graph));

  // The graph before its units.
  graph = makeGraph(&mixer, &output);
  REPORT("graph first", DisposeAUGraph(graph));
  REPORT("then its unit", AudioComponentInstanceDispose(mixer));
  REPORT("render its output", AudioUnitRender(output, &flags, &time, 0, 512, freshBuffers()));
  REPORT("graph twice", DisposeAUGraph(graph));
  REPORT("initialize it", AUGraphInitialize(graph));

  // A unit that another is connected to.
  AudioUnit source = makeUnit(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer);
  AudioUnit reader = makeUnit(kAudioUnitType_Effect, kAudioUnitSubType_AUiPodEQ);
  AudioUnitConnection connection = {source, 0, 0};
  REPORT("connect", AudioUnitSetProperty(reader, kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, 0,
                                         &connection, sizeof(connection)));
  checkStatus(AudioUnitInitialize(source));
  checkStatus(AudioUnitInitialize(reader));
  REPORT("source first", AudioComponentInstanceDispose(source));
  printf("its reader fails %d\n", AudioUnitRender(reader, &flags, &time, 0, 512, freshBuffers()) != noErr);
  REPORT("connect to what is gone", AudioUnitSetProperty(reader, kAudioUnitProperty_MakeConnection,
                                                         kAudioUnitScope_Input, 0, &connection, sizeof(connection)));
  REPORT("reader", AudioComponentInstanceDispose(reader));
  REPORT("reader twice", AudioComponentInstanceDispose(reader));

  // A converter handle where a unit is wanted, and the other way round.
  AudioStreamBasicDescription format;
  FillOutASBDForLPCM(&format, 44100, 2, 16, 16, false, false, false);
  AudioConverterRef converter = NULL;
  checkStatus(AudioConverterNew(&format, &format, &converter));
  AudioUnit unit = makeUnit(kAudioUnitType_Effect, kAudioUnitSubType_AUiPodEQ);
  REPORT("a converter as a unit", AudioUnitInitialize((AudioUnit)converter));
  REPORT("a unit as a converter", AudioConverterReset((AudioConverterRef)unit));
  REPORT("an address as a unit", AudioUnitInitialize((AudioUnit)&format));
  checkStatus(AudioConverterDispose(converter));
  checkStatus(AudioComponentInstanceDispose(unit));
}

static void parameterListener(void *inUserData, void *inObject, const AudioUnitParameter *inParameter,
                              AudioUnitParameterValue inValue) {}
static void eventListener(void *inUserData, void *inObject, const AudioUnitEvent *inEvent, UInt64 inEventHostTime,
                          AudioUnitParameterValue inParameterValue) {}

static void queueCallback(void *inUserData, AudioQueueRef inAQ, AudioQueueBufferRef inBuffer) {}
static void tapCallback(void *inClientData, AudioQueueProcessingTapRef inAQTap, UInt32 inNumberFrames,
                        AudioTimeStamp *ioTimeStamp, AudioQueueProcessingTapFlags *ioFlags, UInt32 *outNumberFrames,
                        AudioBufferList *ioData) {}

static void streamProperty(void *inClientData, AudioFileStreamID inAudioFileStream, AudioFileStreamPropertyID inPropertyID,
                           AudioFileStreamPropertyFlags *ioFlags) {}
static void streamPackets(void *inClientData, UInt32 inNumberBytes, UInt32 inNumberPackets, const void *inInputData,
                          AudioStreamPacketDescription *inPacketDescriptions) {}

static Handles makeHandles(const char *path) {
  Handles handles;
  memset(&handles, 0, sizeof(handles));
  AudioComponentDescription description = {kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer,
                                           kAudioUnitManufacturer_Apple, 0, 0};
  handles.component = AudioComponentFindNext(NULL, &description);
  checkStatus(AudioComponentInstanceNew(handles.component, &handles.unit));
  checkStatus(AudioUnitInitialize(handles.unit));
  AudioUnit mixer, output;
  handles.graph = makeGraph(&mixer, &output);
  AudioStreamBasicDescription from, to;
  FillOutASBDForLPCM(&from, 44100, 2, 16, 16, false, false, false);
  FillOutASBDForLPCM(&to, 48000, 2, 32, 32, true, false, true);
  checkStatus(AudioConverterNew(&from, &to, &handles.converter));
  CFURLRef url = CFURLCreateFromFileSystemRepresentation(NULL, (const UInt8 *)path, (CFIndex)strlen(path), false);
  checkStatus(AudioFileOpenURL(url, kAudioFileReadPermission, 0, &handles.file));
  checkStatus(ExtAudioFileOpenURL(url, &handles.extendedFile));
  CFRelease(url);
  checkStatus(AUListenerCreate(parameterListener, NULL, NULL, NULL, 0, &handles.parameterListener));
  checkStatus(AUEventListenerCreate(eventListener, NULL, NULL, NULL, 0, 0, &handles.eventListener));
  AudioStreamBasicDescription processing;
  UInt32 frames;
  checkStatus(AudioQueueNewOutput(&from, queueCallback, NULL, NULL, NULL, 0, &handles.queue));
  checkStatus(AudioQueueAllocateBuffer(handles.queue, 400, &handles.queueBuffer));
  checkStatus(AudioQueueCreateTimeline(handles.queue, &handles.timeline));
  checkStatus(AudioQueueProcessingTapNew(handles.queue, tapCallback, NULL, kAudioQueueProcessingTap_PreEffects, &frames,
                                         &processing, &handles.tap));
  checkStatus(AudioFileStreamOpen(NULL, streamProperty, streamPackets, 0, &handles.stream));
  return handles;
}

// Each handle ended, and ended again.
static void endHandles(const Handles *handles, const char *time) {
  printf("end %s: %d %d %d %d %d %d %d\n", time, (int)AudioComponentInstanceDispose(handles->unit),
         (int)DisposeAUGraph(handles->graph), (int)AudioConverterDispose(handles->converter),
         (int)AudioFileClose(handles->file), (int)ExtAudioFileDispose(handles->extendedFile),
         (int)AUListenerDispose(handles->parameterListener), (int)AUListenerDispose(handles->eventListener));
  printf("end queue %s: %d %d %d\n", time, (int)AudioQueueFreeBuffer(handles->queue, handles->queueBuffer),
         (int)AudioQueueDisposeTimeline(handles->queue, handles->timeline), (int)AudioQueueDispose(handles->queue, true));
  printf("end stream %s: %d\n", time, (int)AudioFileStreamClose(handles->stream));
}

int main(int argumentCount, char **arguments) {
  if (argumentCount != 2) return 2;
  // So that the last line shows which call it was.
  setvbuf(stdout, NULL, _IOLBF, 0);
  renderWrongly();
  disposeInOddOrders();

  printf("-- nothing for anything\n");
  callWithNothing();
  Handles handles = makeHandles(arguments[1]);
  for (UInt32 number = 0; number < 2; ++number) {
    printf("-- live handles, numbers %u\n", number);
    callWithHandles(&handles, number);
    printf("-- no handles, numbers %u\n", number);
    callWithoutHandles(number);
  }
  printf("-- ends\n");
  endHandles(&handles, "once");
  endHandles(&handles, "twice");
  // The component lives as long as the program.
  Handles stale = handles;
  stale.component = (AudioComponent)handles.unit;
  for (UInt32 number = 0; number < 2; ++number) {
    printf("-- stale handles, numbers %u\n", number);
    callWithHandles(&stale, number);
  }
  printf("-- survived\n");
  return 0;
}
