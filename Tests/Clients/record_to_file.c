// Records what it plays to a file from within the callback, by a ring that another thread empties: two minutes, as fast
// as they can be had.
#include "client.h"

#include <aubench/DeviceScenario.h>

static ExtAudioFileRef file;
static OSStatus firstFailure;
static UInt64 written;

static OSStatus play(void *context, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
                     UInt32 frames, AudioBufferList *data) {
  (void)context, (void)flags, (void)bus;
  SInt16 *samples = (SInt16 *)data->mBuffers[0].mData;
  for (UInt32 frame = 0; frame < frames; ++frame) {
    samples[2 * frame] = samples[2 * frame + 1] = (SInt16)((SInt64)time->mSampleTime + frame);
  }
  OSStatus status = ExtAudioFileWriteAsync(file, frames, data);
  if (status == noErr) { written += frames; }
  if (status != noErr && firstFailure == noErr) { firstFailure = status; }
  return noErr;
}

int main(int count, char **words) {
  if (count < 2) { return 2; }
  AudioComponentDescription remote = {kAudioUnitType_Output, kAudioUnitSubType_RemoteIO, kAudioUnitManufacturer_Apple,
                                      0, 0};
  AudioUnit unit = NULL;
  checkStatus(AudioComponentInstanceNew(AudioComponentFindNext(NULL, &remote), &unit));
  AudioStreamBasicDescription format = {44100, kAudioFormatLinearPCM,
                                        kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, 4, 1, 4, 2, 16, 0};
  checkStatus(AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format,
                                   sizeof(format)));
  AURenderCallbackStruct callback = {play, NULL};
  checkStatus(AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback,
                                   sizeof(callback)));
  CFURLRef url = CFURLCreateFromFileSystemRepresentation(NULL, (const UInt8 *)words[1], (CFIndex)strlen(words[1]), 0);
  checkStatus(ExtAudioFileCreateWithURL(url, kAudioFileWAVEType, &format, NULL, kAudioFileFlags_EraseFile, &file));
  CFRelease(url);
  checkStatus(ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, sizeof(format), &format));
  checkStatus(ExtAudioFileWriteAsync(file, 0, NULL));
  checkStatus(AudioUnitInitialize(unit));
  checkStatus(AudioOutputUnitStart(unit));
  checkStatus(AUBenchDeviceAdvance(120));
  checkStatus(AudioOutputUnitStop(unit));
  checkStatus(ExtAudioFileDispose(file));
  checkStatus(AudioComponentInstanceDispose(unit));
  printf("written %llu, first failure %d\n", (unsigned long long)written, (int)firstFailure);
  return 0;
}
