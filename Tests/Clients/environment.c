// The effect of the environment on a program: the longest slice of new units, its memory, and why a call was refused.
// The statistics of a run that had nothing to play. And the rest of a file whose writer is killed.

#include <AudioToolbox/AudioToolbox.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static AudioUnit unit(OSType type, OSType subType) {
  AudioComponentDescription wanted = {type, subType, kAudioUnitManufacturer_Apple, 0, 0};
  AudioUnit made = NULL;
  AudioComponentInstanceNew(AudioComponentFindNext(NULL, &wanted), &made);
  return made;
}

static void print_maximum(const char *name, AudioUnit of) {
  UInt32 frames = 0, size = sizeof frames;
  AudioUnitGetProperty(of, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, &frames, &size);
  printf("%s %u\n", name, (unsigned)frames);
}

static AudioStreamBasicDescription planar(UInt32 channels, Float64 rate) {
  AudioStreamBasicDescription format = {rate,
                                        kAudioFormatLinearPCM,
                                        kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
                                        4,
                                        1,
                                        4,
                                        channels,
                                        32,
                                        0};
  return format;
}

static OSStatus set_format(AudioUnit of, AudioUnitScope scope, AudioStreamBasicDescription format) {
  return AudioUnitSetProperty(of, kAudioUnitProperty_StreamFormat, scope, 0, &format, sizeof format);
}

static void refusals(void) {
  AudioUnit equalizer = unit(kAudioUnitType_Effect, kAudioUnitSubType_AUiPodEQ);
  printf("six channels %d\n", (int)set_format(equalizer, kAudioUnitScope_Input, planar(6, 44100)));
  printf("mono in, stereo out %d\n", (int)set_format(equalizer, kAudioUnitScope_Input, planar(1, 44100)));
  printf("initialize %d\n", (int)AudioUnitInitialize(equalizer));

  AUGraph graph = NULL;
  AUNode mixer = 0, effect = 0;
  AudioComponentDescription of_mixer = {kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer,
                                        kAudioUnitManufacturer_Apple, 0, 0};
  AudioComponentDescription of_effect = {kAudioUnitType_Effect, kAudioUnitSubType_AUiPodEQ,
                                         kAudioUnitManufacturer_Apple, 0, 0};
  NewAUGraph(&graph);
  AUGraphAddNode(graph, &of_mixer, &mixer);
  AUGraphAddNode(graph, &of_effect, &effect);
  AUGraphOpen(graph);
  AudioUnit source = NULL;
  AUGraphNodeInfo(graph, mixer, NULL, &source);
  set_format(source, kAudioUnitScope_Output, planar(5, 48000));
  AUGraphConnectNodeInput(graph, mixer, 0, effect, 0);
  printf("graph %d\n", (int)AUGraphInitialize(graph));
  DisposeAUGraph(graph);
  AudioComponentInstanceDispose(equalizer);
}

// Writes 1000 frames in small pieces and dies.
static void killed(const char *path, AudioFileTypeID type, int extended) {
  CFURLRef url = CFURLCreateFromFileSystemRepresentation(NULL, (const UInt8 *)path, (CFIndex)strlen(path), false);
  const int is_big = type == kAudioFileAIFFType || type == kAudioFileNextType;
  AudioStreamBasicDescription format = {48000,
                                        kAudioFormatLinearPCM,
                                        kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked
                                            | (is_big ? kAudioFormatFlagIsBigEndian : 0u),
                                        4,
                                        1,
                                        4,
                                        2,
                                        16,
                                        0};
  SInt16 samples[200];
  for (int index = 0; index < 200; index++) samples[index] = (SInt16)(index * 100);
  if (extended) {
    ExtAudioFileRef file = NULL;
    if (ExtAudioFileCreateWithURL(url, type, &format, NULL, kAudioFileFlags_EraseFile, &file)) return;
    format.mFormatFlags &= ~(AudioFormatFlags)kAudioFormatFlagIsBigEndian;
    if (ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, sizeof format, &format)) return;
    for (int piece = 0; piece < 10; piece++) {
      AudioBufferList list = {1, {{2, sizeof samples, samples}}};
      if (ExtAudioFileWrite(file, 100, &list)) return;
    }
  } else {
    AudioFileID file = NULL;
    if (AudioFileCreateWithURL(url, type, &format, kAudioFileFlags_EraseFile, &file)) return;
    for (int piece = 0; piece < 10; piece++) {
      UInt32 packets = 100;
      // As published programs do: the number of packets in place of that of bytes.
      if (AudioFileWritePackets(file, false, packets, NULL, piece * 100, &packets, samples)) return;
    }
  }
  raise(SIGKILL);
}

static OSStatus rendered(void *context, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
                         UInt32 frames, AudioBufferList *data) {
  (void)time, (void)bus, (void)frames, (void)data;
  if (*flags & kAudioUnitRenderAction_PostRender) atomic_store((atomic_int *)context, 1 + (int)*flags);
  return noErr;
}

// Plays for a cycle with nothing to play.
static void unfed(void) {
  atomic_int flags = 0;
  AudioUnit output = unit(kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput);
  AudioUnitAddRenderNotify(output, rendered, &flags);
  printf("initialize %d\n", (int)AudioUnitInitialize(output));
  printf("start %d\n", (int)AudioOutputUnitStart(output));
  while (!atomic_load(&flags)) usleep(1000);
  printf("stop %d\n", (int)AudioOutputUnitStop(output));
  printf("after the render 0x%x\n", (unsigned)atomic_load(&flags) - 1);
  AudioComponentInstanceDispose(output);
}

static OSStatus half(void *context, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
                     UInt32 frames, AudioBufferList *data) {
  (void)flags, (void)time, (void)bus;
  for (UInt32 buffer = 0; buffer < data->mNumberBuffers; buffer++) {
    float *samples = data->mBuffers[buffer].mData;
    for (UInt32 frame = 0; frame < frames; frame++) samples[frame] = 0.5f;
  }
  AudioOutputUnitStop(*(AudioUnit *)context);
  return noErr;
}

// Renders while there is nothing to play, then plays one cycle of something.
static void late(void) {
  AudioUnit output = unit(kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput);
  set_format(output, kAudioUnitScope_Input, planar(2, 44100));
  printf("initialize %d\n", (int)AudioUnitInitialize(output));
  float samples[128];
  AudioBufferList list = {1, {{2, sizeof samples, samples}}};
  AudioUnitRenderActionFlags flags = 0;
  AudioTimeStamp time = {.mSampleTime = 1000, .mFlags = kAudioTimeStampSampleTimeValid};
  printf("render %d\n", (int)AudioUnitRender(output, &flags, &time, 0, 64, &list));
  AURenderCallbackStruct source = {half, &output};
  AudioUnitSetProperty(output, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &source, sizeof source);
  printf("start %d\n", (int)AudioOutputUnitStart(output));
  UInt32 running = 1, size = sizeof running;
  while (running) {
    usleep(1000);
    AudioUnitGetProperty(output, kAudioOutputUnitProperty_IsRunning, kAudioUnitScope_Global, 0, &running, &size);
  }
  AudioComponentInstanceDispose(output);
}

// A unit that could be initialized if there were the memory for it.
static void poor(void) {
  AudioUnit equalizer = unit(kAudioUnitType_Effect, kAudioUnitSubType_AUiPodEQ);
  printf("initialize %d\n", (int)AudioUnitInitialize(equalizer));
  AudioComponentInstanceDispose(equalizer);
}

int main(int count, char **arguments) {
  if (count == 4) {
    const char *code = arguments[3];
    const AudioFileTypeID type = (AudioFileTypeID)(code[0] << 24 | code[1] << 16 | code[2] << 8 | code[3]);
    killed(arguments[2], type, !strcmp(arguments[1], "extended"));
    return 1;
  }
  if (count == 2) {
    if (!strcmp(arguments[1], "late")) late();
    else if (!strcmp(arguments[1], "poor")) poor();
    else unfed();
    return 0;
  }
  print_maximum("mixer", unit(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer));
  print_maximum("equalizer", unit(kAudioUnitType_Effect, kAudioUnitSubType_AUiPodEQ));
  print_maximum("converter", unit(kAudioUnitType_FormatConverter, kAudioUnitSubType_AUConverter));
  print_maximum("generic output", unit(kAudioUnitType_Output, kAudioUnitSubType_GenericOutput));
  print_maximum("device output", unit(kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput));
  refusals();
  return 0;
}
