// A host from the years of the Component Manager: its includes, its types, its calls, its names for errors.
#include <AudioUnit/AudioUnit.h>
#include <AudioToolbox/AudioToolbox.h>
#include <AssertMacros.h>
#include <CoreServices/CoreServices.h>

#include <semaphore.h>
#include <stdio.h>
#include <time.h>

static sem_t done;
static UInt64 frames;

static OSStatus MyRenderer(void *inRefCon, AudioUnitRenderActionFlags *ioActionFlags, const AudioTimeStamp *inTimeStamp,
                           UInt32 inBusNumber, UInt32 inNumberFrames, AudioBufferList *ioData) {
  UInt32 channel, frame;
  (void)inRefCon, (void)ioActionFlags, (void)inTimeStamp, (void)inBusNumber;
  for (channel = 0; channel < ioData->mNumberBuffers; channel++) {
    Float32 *out = ioData->mBuffers[channel].mData;
    for (frame = 0; frame < inNumberFrames; frame++) *out++ = 0.25f;
  }
  frames += inNumberFrames;
  if (frames == 44100) sem_post(&done);
  return noErr;
}

int main(void) {
  ComponentDescription desc, found;
  Component comp;
  AudioDeviceID device;
  ComponentInstance gOutputUnit = nil;
  AURenderCallbackStruct input;
  AudioStreamBasicDescription streamFormat;
  Boolean outWritable;
  UInt32 size;
  OSErr err;
  struct timespec deadline;

  sem_init(&done, 0, 0);
  desc.componentType = kAudioUnitType_Output;
  desc.componentSubType = kAudioUnitSubType_DefaultOutput;
  desc.componentManufacturer = kAudioUnitManufacturer_Apple;
  desc.componentFlags = 0;
  desc.componentFlagsMask = 0;
  printf("components %ld\n", CountComponents(&desc));
  comp = FindNextComponent(NULL, &desc);
  if (comp == NULL) return 1;
  err = OpenAComponent(comp, &gOutputUnit);
  printf("open %d\n", err);
  err = GetComponentInfo((Component)gOutputUnit, &found, NULL, NULL, NULL);
  printf("component %d, same %d\n", err, found.componentSubType == desc.componentSubType);
  size = sizeof(device);
  printf("device %d, ", (int)AudioHardwareGetProperty(kAudioHardwarePropertyDefaultOutputDevice, &size, &device));
  printf("info %d, ", (int)AudioDeviceGetPropertyInfo(device, 0, false, kAudioDevicePropertyLatency, &size, NULL));
  printf("%u bytes\n", size);

  input.inputProc = MyRenderer;
  input.inputProcRefCon = NULL;
  printf("callback %d\n", (int)AudioUnitSetProperty(gOutputUnit, kAudioUnitProperty_SetRenderCallback,
                                                    kAudioUnitScope_Input, 0, &input, sizeof(input)));
  streamFormat.mSampleRate = 44100;
  streamFormat.mFormatID = kAudioFormatLinearPCM;
  streamFormat.mFormatFlags = kLinearPCMFormatFlagIsFloat | kAudioFormatFlagsNativeEndian |
                              kLinearPCMFormatFlagIsPacked | kAudioFormatFlagIsNonInterleaved;
  streamFormat.mBytesPerPacket = 4;
  streamFormat.mFramesPerPacket = 1;
  streamFormat.mBytesPerFrame = 4;
  streamFormat.mChannelsPerFrame = 1;
  streamFormat.mBitsPerChannel = 32;
  printf("format %d\n", (int)AudioUnitSetProperty(gOutputUnit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0,
                                                  &streamFormat, sizeof(AudioStreamBasicDescription)));
  printf("initialize %d\n", (int)AudioUnitInitialize(gOutputUnit));
  printf("info %d, ", (int)AudioUnitGetPropertyInfo(gOutputUnit, kAudioUnitProperty_StreamFormat,
                                                    kAudioUnitScope_Output, 0, &size, &outWritable));
  printf("%u bytes\n", size);
  printf("start %d\n", (int)AudioOutputUnitStart(gOutputUnit));
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_sec += 30;
  printf("waited %d\n", sem_timedwait(&done, &deadline));
  verify_noerr(AudioOutputUnitStop(gOutputUnit));
  err = AudioUnitUninitialize(gOutputUnit);
  if (err) printf("AudioUnitUninitialize=%d\n", err);
  printf("close %d, played %llu frames\n", CloseComponent(gOutputUnit), (unsigned long long)frames);
  return 0;
}
