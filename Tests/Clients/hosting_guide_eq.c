// An equalizer inserted into one of two streams while they are rendered ("Audio Processing Graphs Provide
// Thread Safety"): disconnect, add, read the format, set it twice, initialize, attach the callback. Bus 1 is the "beats
// sound". A Generic Output unit takes the place of the device, so that every slice is asked for here.
#include "client.h"
#include <math.h>

enum { sliceFrames = 441 };

static AUGraph graph;
static AUNode mixerNode, outputNode, equalizerNode;
static AudioUnit mixer, output, equalizer;
static Float64 now;
static Float32 left[sliceFrames], right[sliceFrames];
static UInt32 beatsCalls, guitarCalls;
static UInt32 guitarIsOn = 1;

// 112.25 Hz at a quarter: with the Bass Booster preset it gains 4.975057 dB (fixtures/reference/ipod-eq-curves.tsv).
static const double beatsHertz = 112.25;

static OSStatus guitarSound(void *inRefCon, AudioUnitRenderActionFlags *ioActionFlags, const AudioTimeStamp *inTimeStamp,
                            UInt32 inBusNumber, UInt32 inNumberFrames, AudioBufferList *ioData) {
  (void)inRefCon, (void)ioActionFlags, (void)inTimeStamp, (void)inBusNumber;
  ++guitarCalls;
  for (UInt32 index = 0; index < ioData->mNumberBuffers; ++index) {
    Float32 *samples = (Float32 *)ioData->mBuffers[index].mData;
    for (UInt32 frame = 0; frame < inNumberFrames; ++frame) samples[frame] = guitarIsOn ? 0.125f : 0;
  }
  return noErr;
}

static OSStatus beatsSound(void *inRefCon, AudioUnitRenderActionFlags *ioActionFlags, const AudioTimeStamp *inTimeStamp,
                           UInt32 inBusNumber, UInt32 inNumberFrames, AudioBufferList *ioData) {
  (void)inRefCon, (void)ioActionFlags, (void)inBusNumber;
  ++beatsCalls;
  for (UInt32 index = 0; index < ioData->mNumberBuffers; ++index) {
    Float32 *samples = (Float32 *)ioData->mBuffers[index].mData;
    for (UInt32 frame = 0; frame < inNumberFrames; ++frame) {
      samples[frame] = (Float32)(0.25 * sin(2 * M_PI * beatsHertz / 44100 * (inTimeStamp->mSampleTime + frame)));
    }
  }
  return noErr;
}

static void renderSlice(void) {
  struct {
    AudioBufferList list;
    AudioBuffer second;
  } buffers = {{2, {{1, sizeof(left), left}}}, {1, sizeof(right), right}};
  AudioUnitRenderActionFlags flags = 0;
  AudioTimeStamp time = {0};
  time.mSampleTime = now;
  time.mFlags = kAudioTimeStampSampleTimeValid;
  checkStatus(AudioUnitRender(output, &flags, &time, 0, sliceFrames, &buffers.list));
  now += sliceFrames;
}

// The distance of a slice from the sum of both unchanged sounds.
static double distance(void) {
  double largest = 0;
  for (UInt32 frame = 0; frame < sliceFrames; ++frame) {
    double beats = 0.25 * sin(2 * M_PI * beatsHertz / 44100 * (now - sliceFrames + frame));
    double expected = (guitarIsOn ? 0.125 : 0) + beats;
    largest = fmax(largest, fmax(fabs(left[frame] - expected), fabs(right[frame] - expected)));
  }
  return largest;
}

static AUNode addNode(UInt32 type, UInt32 subType) {
  AudioComponentDescription description = {type, subType, kAudioUnitManufacturer_Apple, 0, 0};
  AUNode node;
  checkStatus(AUGraphAddNode(graph, &description, &node));
  return node;
}

int main(void) {
  checkStatus(NewAUGraph(&graph));
  outputNode = addNode(kAudioUnitType_Output, kAudioUnitSubType_GenericOutput);
  mixerNode = addNode(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer);
  checkStatus(AUGraphOpen(graph));
  checkStatus(AUGraphNodeInfo(graph, mixerNode, NULL, &mixer));
  checkStatus(AUGraphNodeInfo(graph, outputNode, NULL, &output));
  UInt32 busCount = 2;
  checkStatus(AudioUnitSetProperty(mixer, kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, &busCount,
                                   sizeof(busCount)));
  AURenderCallbackStruct guitar = {guitarSound, NULL};
  AURenderCallbackStruct beats = {beatsSound, NULL};
  checkStatus(AUGraphSetNodeInputCallback(graph, mixerNode, 0, &guitar));
  checkStatus(AUGraphSetNodeInputCallback(graph, mixerNode, 1, &beats));
  checkStatus(AUGraphConnectNodeInput(graph, mixerNode, 0, outputNode, 0));
  checkStatus(AUGraphInitialize(graph));
  checkStatus(AUGraphStart(graph));
  for (int slice = 0; slice < 20; ++slice) renderSlice();
  printf("both sounds %d\n", distance() < 1e-6);

  // 1: disconnect the "beats sound" from input 1 of the mixer
  REPORT("AUGraphDisconnectNodeInput", AUGraphDisconnectNodeInput(graph, mixerNode, 1));

  // 2: add a node with the iPod EQ; it is instantiated and not initialized
  AudioComponentDescription description = {kAudioUnitType_Effect, kAudioUnitSubType_AUiPodEQ,
                                           kAudioUnitManufacturer_Apple, 0, 0};
  REPORT("AUGraphAddNode", AUGraphAddNode(graph, &description, &equalizerNode));
  checkStatus(AUGraphNodeInfo(graph, equalizerNode, NULL, &equalizer));

  // 3: the mixer input's format on both sides of the equalizer, then initialize it
  AudioStreamBasicDescription format;
  UInt32 size = sizeof(format);
  REPORT("AudioUnitGetProperty", AudioUnitGetProperty(mixer, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 1,
                                                      &format, &size));
  printFormat("format", &format);
  REPORT("AudioUnitSetProperty", AudioUnitSetProperty(equalizer, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input,
                                                      0, &format, sizeof(format)));
  REPORT("AudioUnitSetProperty", AudioUnitSetProperty(equalizer, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output,
                                                      0, &format, sizeof(format)));
  AUPreset preset = {2, NULL};  // Bass Booster
  REPORT("preset", AudioUnitSetProperty(equalizer, kAudioUnitProperty_PresentPreset, kAudioUnitScope_Global, 0, &preset,
                                        sizeof(preset)));
  REPORT("AudioUnitInitialize", AudioUnitInitialize(equalizer));

  // 4: attach the "beats sound" to the equalizer; the guide leaves out that this goes to the mixer
  REPORT("AUGraphSetNodeInputCallback", AUGraphSetNodeInputCallback(graph, equalizerNode, 0, &beats));
  REPORT("AUGraphConnectNodeInput", AUGraphConnectNodeInput(graph, equalizerNode, 0, mixerNode, 1));

  // All of that is a list of edits: nothing is rendered with it yet.
  UInt32 callsBefore = beatsCalls;
  renderSlice();
  printf("before the update: both sounds %d, beats pulled %d\n", distance() < 1e-6, beatsCalls > callsBefore);
  Boolean isUpdated = 0;
  OSStatus status = AUGraphUpdate(graph, &isUpdated);
  REPORT("AUGraphUpdate", status);

  // Half a second for the filters to settle, then the gain of the beats alone.
  guitarIsOn = 0;
  for (int slice = 0; slice < 50; ++slice) renderSlice();
  double sine = 0, cosine = 0;
  const int slices = 400;  // 176400 frames: 449 periods, whole
  for (int slice = 0; slice < slices; ++slice) {
    renderSlice();
    for (UInt32 frame = 0; frame < sliceFrames; ++frame) {
      double phase = 2 * M_PI * beatsHertz / 44100 * (now - sliceFrames + frame);
      sine += left[frame] * sin(phase);
      cosine += left[frame] * cos(phase);
    }
  }
  double amplitude = 2 * hypot(sine, cosine) / (slices * sliceFrames);
  printf("after the update: beats gain %.3f dB\n", 20 * log10(amplitude / 0.25));
  UInt32 interactions = 0;
  checkStatus(AUGraphGetNumberOfInteractions(graph, &interactions));
  printf("interactions %u\n", interactions);

  // A preset may change while it plays; with preset 0 the equalizer passes everything.
  preset.presetNumber = 0;
  REPORT("preset while rendering", AudioUnitSetProperty(equalizer, kAudioUnitProperty_PresentPreset,
                                                        kAudioUnitScope_Global, 0, &preset, sizeof(preset)));
  guitarIsOn = 1;
  for (int slice = 0; slice < 5; ++slice) renderSlice();
  printf("disabled: both sounds %d\n", distance() < 1e-6);
  checkStatus(AUGraphStop(graph));
  REPORT("dispose", DisposeAUGraph(graph));
  return 0;
}
