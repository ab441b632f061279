// Effects on what is recorded, in place, while it plays: the audio session, the streams, the callback.
#include "client.h"

// As the listing has it: the handle itself in memory of its own.
static AudioUnit *audioUnit = NULL;
static float *convertedSampleBuffer = NULL;
static UInt64 frames;
static UInt32 renderCalls, changedSamples;
static sem_t done;

static OSStatus renderCallback(void *userData, AudioUnitRenderActionFlags *actionFlags,
                               const AudioTimeStamp *audioTimeStamp, UInt32 busNumber, UInt32 numFrames,
                               AudioBufferList *buffers) {
  (void)userData, (void)busNumber;
  OSStatus status = AudioUnitRender(*audioUnit, actionFlags, audioTimeStamp, 1, numFrames, buffers);
  if (status != noErr) {
    printf("render %d\n", (int)status);
    sem_post(&done);
    return status;
  }
  if (convertedSampleBuffer == NULL) {
    // Lazy initialization of this buffer is necessary because we don't know the frame count until the first callback
    convertedSampleBuffer = (float *)malloc(sizeof(float) * 4096);
  }
  SInt16 *inputFrames = (SInt16 *)(buffers->mBuffers->mData);

  // The microphone hears silence, so that there is something to hear a ramp takes its place.
  for (UInt32 i = 0; i < numFrames; i++) {
    if (inputFrames[i] != 0) ++changedSamples;
    inputFrames[i] = (SInt16)((frames + i) % 1000 * 32);
  }
  for (UInt32 i = 0; i < numFrames; i++) convertedSampleBuffer[i] = (float)inputFrames[i] / 32768.0f;

  // The place of a plug-in's processing: half as loud, which floats hold exactly.
  for (UInt32 i = 0; i < numFrames; i++) convertedSampleBuffer[i] *= 0.5f;

  // 32767 and not 32768, to avoid overflow: what comes out is cut down towards zero.
  for (UInt32 i = 0; i < numFrames; i++) inputFrames[i] = (SInt16)(convertedSampleBuffer[i] * 32767.0f);

  frames += numFrames;
  ++renderCalls;
  if (frames == 44100) sem_post(&done);
  return noErr;
}

static int initAudioSession(void) {
  audioUnit = (AudioUnit *)malloc(sizeof(AudioUnit));
  if (AudioSessionInitialize(NULL, NULL, NULL, NULL) != noErr) return 1;
  if (AudioSessionSetActive(true) != noErr) return 1;
  UInt32 sessionCategory = kAudioSessionCategory_PlayAndRecord;
  if (AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, sizeof(UInt32), &sessionCategory) != noErr) return 1;
  Float32 bufferSizeInSec = 0.02f;
  if (AudioSessionSetProperty(kAudioSessionProperty_PreferredHardwareIOBufferDuration, sizeof(Float32),
                              &bufferSizeInSec) != noErr) {
    return 1;
  }
  UInt32 overrideCategory = 1;
  if (AudioSessionSetProperty(kAudioSessionProperty_OverrideCategoryDefaultToSpeaker, sizeof(UInt32),
                              &overrideCategory) != noErr) {
    return 1;
  }
  return 0;
}

static int initAudioStreams(AudioUnit *unit) {
  UInt32 audioCategory = kAudioSessionCategory_PlayAndRecord;
  if (AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, sizeof(UInt32), &audioCategory) != noErr) return 1;
  UInt32 overrideCategory = 1;
  if (AudioSessionSetProperty(kAudioSessionProperty_OverrideCategoryDefaultToSpeaker, sizeof(UInt32),
                              &overrideCategory) != noErr) {
    // Less serious
    printf("no speaker\n");
  }
  AudioComponentDescription componentDescription;
  componentDescription.componentType = kAudioUnitType_Output;
  componentDescription.componentSubType = kAudioUnitSubType_RemoteIO;
  componentDescription.componentManufacturer = kAudioUnitManufacturer_Apple;
  componentDescription.componentFlags = 0;
  componentDescription.componentFlagsMask = 0;
  AudioComponent component = AudioComponentFindNext(NULL, &componentDescription);
  if (AudioComponentInstanceNew(component, unit) != noErr) return 1;

  UInt32 enable = 1;
  if (AudioUnitSetProperty(*unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, &enable,
                           sizeof(UInt32)) != noErr) {
    return 1;
  }
  AURenderCallbackStruct callbackStruct;
  callbackStruct.inputProc = renderCallback;
  callbackStruct.inputProcRefCon = NULL;
  if (AudioUnitSetProperty(*unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callbackStruct,
                           sizeof(AURenderCallbackStruct)) != noErr) {
    return 1;
  }

  AudioStreamBasicDescription streamDescription;
  streamDescription.mSampleRate = 44100;
  streamDescription.mFormatID = kAudioFormatLinearPCM;
  streamDescription.mFormatFlags =
      kAudioFormatFlagIsSignedInteger | kAudioFormatFlagsNativeEndian | kAudioFormatFlagIsPacked;
  streamDescription.mBitsPerChannel = 16;
  streamDescription.mBytesPerFrame = 2;
  streamDescription.mChannelsPerFrame = 1;
  streamDescription.mBytesPerPacket = streamDescription.mBytesPerFrame * streamDescription.mChannelsPerFrame;
  streamDescription.mFramesPerPacket = 1;
  streamDescription.mReserved = 0;
  printFormat("stream", &streamDescription);
  if (AudioUnitSetProperty(*unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &streamDescription,
                           sizeof(streamDescription)) != noErr) {
    return 1;
  }
  if (AudioUnitSetProperty(*unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 1, &streamDescription,
                           sizeof(streamDescription)) != noErr) {
    return 1;
  }
  return 0;
}

static int startAudioUnit(AudioUnit *unit) {
  if (AudioUnitInitialize(*unit) != noErr) return 1;
  if (AudioOutputUnitStart(*unit) != noErr) return 1;
  return 0;
}

static int stopProcessingAudio(AudioUnit *unit) {
  if (AudioOutputUnitStop(*unit) != noErr) return 1;
  if (AudioUnitUninitialize(*unit) != noErr) return 1;
  *unit = NULL;
  return 0;
}

int main(void) {
  sem_init(&done, 0, 0);
  REPORT("session", initAudioSession());
  UInt32 category = 0;
  UInt32 size = sizeof(category);
  checkStatus(AudioSessionGetProperty(kAudioSessionProperty_AudioCategory, &size, &category));
  printf("category %s\n", code(category));
  Float32 duration = 0;
  size = sizeof(duration);
  checkStatus(AudioSessionGetProperty(kAudioSessionProperty_CurrentHardwareIOBufferDuration, &size, &duration));
  printf("buffer %.0f ms\n", duration * 1000);
  REPORT("streams", initAudioStreams(audioUnit));
  REPORT("start", startAudioUnit(audioUnit));
  REPORT("waited", waitFor(&done));
  REPORT("stop", stopProcessingAudio(audioUnit));
  printf("processed %llu frames in more than one call %d, heard %u\n", (unsigned long long)frames, renderCalls > 1,
         changedSamples);
  REPORT("inactive", AudioSessionSetActive(false));
  free(convertedSampleBuffer);
  free(audioUnit);
  return 0;
}
