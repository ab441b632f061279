// Holds every struct of the Audio Unit side to the layout that programs were built against (64 bits).
#include <AudioToolbox/AudioToolbox.h>
#include <stddef.h>

#if defined(__LP64__)

#define SIZE(type, bytes) _Static_assert(sizeof(type) == (bytes), #type " has another size")
#define AT(type, field, bytes) \
  _Static_assert(offsetof(type, field) == (bytes), #type "." #field " lies elsewhere")

// Base types.
SIZE(AudioStreamBasicDescription, 40);
AT(AudioStreamBasicDescription, mSampleRate, 0);
AT(AudioStreamBasicDescription, mFormatID, 8);
AT(AudioStreamBasicDescription, mFormatFlags, 12);
AT(AudioStreamBasicDescription, mBytesPerPacket, 16);
AT(AudioStreamBasicDescription, mFramesPerPacket, 20);
AT(AudioStreamBasicDescription, mBytesPerFrame, 24);
AT(AudioStreamBasicDescription, mChannelsPerFrame, 28);
AT(AudioStreamBasicDescription, mBitsPerChannel, 32);
AT(AudioStreamBasicDescription, mReserved, 36);
SIZE(AudioBuffer, 16);
AT(AudioBuffer, mDataByteSize, 4);
AT(AudioBuffer, mData, 8);
SIZE(AudioBufferList, 24);
AT(AudioBufferList, mBuffers, 8);
SIZE(SMPTETime, 24);
AT(SMPTETime, mCounter, 4);
AT(SMPTETime, mType, 8);
AT(SMPTETime, mFlags, 12);
AT(SMPTETime, mHours, 16);
AT(SMPTETime, mFrames, 22);
SIZE(AudioTimeStamp, 64);
AT(AudioTimeStamp, mHostTime, 8);
AT(AudioTimeStamp, mRateScalar, 16);
AT(AudioTimeStamp, mWordClockTime, 24);
AT(AudioTimeStamp, mSMPTETime, 32);
AT(AudioTimeStamp, mFlags, 56);
AT(AudioTimeStamp, mReserved, 60);
SIZE(AudioStreamPacketDescription, 16);
AT(AudioStreamPacketDescription, mVariableFramesInPacket, 8);
AT(AudioStreamPacketDescription, mDataByteSize, 12);
SIZE(AudioChannelDescription, 20);
AT(AudioChannelDescription, mCoordinates, 8);
SIZE(AudioChannelLayout, 32);
AT(AudioChannelLayout, mChannelDescriptions, 12);
SIZE(AudioValueRange, 16);
SIZE(AudioClassDescription, 12);
SIZE(Boolean, 1);
SIZE(OSStatus, 4);

// Components and units.
SIZE(AudioComponentDescription, 20);
AT(AudioComponentDescription, componentFlagsMask, 16);
SIZE(AudioComponentPlugInInterface, 32);
AT(AudioComponentPlugInInterface, Lookup, 16);
SIZE(AURenderCallbackStruct, 16);
AT(AURenderCallbackStruct, inputProcRefCon, 8);
SIZE(AudioUnitConnection, 16);
AT(AudioUnitConnection, sourceOutputNumber, 8);
AT(AudioUnitConnection, destInputNumber, 12);
SIZE(AUPreset, 16);
AT(AUPreset, presetName, 8);
SIZE(AUChannelInfo, 4);
AT(AUChannelInfo, outChannels, 2);
SIZE(AudioUnitParameter, 24);
AT(AudioUnitParameter, mParameterID, 8);
AT(AudioUnitParameter, mScope, 12);
AT(AudioUnitParameter, mElement, 16);
SIZE(AudioUnitProperty, 24);
AT(AudioUnitProperty, mPropertyID, 8);
SIZE(AudioUnitMeterClipping, 8);
AT(AudioUnitMeterClipping, sawInfinity, 4);
AT(AudioUnitMeterClipping, sawNotANumber, 5);
SIZE(MixerDistanceParams, 12);
SIZE(AudioUnitParameterInfo, 104);
AT(AudioUnitParameterInfo, unitName, 56);
AT(AudioUnitParameterInfo, clumpID, 64);
AT(AudioUnitParameterInfo, cfNameString, 72);
AT(AudioUnitParameterInfo, unit, 80);
AT(AudioUnitParameterInfo, minValue, 84);
AT(AudioUnitParameterInfo, maxValue, 88);
AT(AudioUnitParameterInfo, defaultValue, 92);
AT(AudioUnitParameterInfo, flags, 96);
SIZE(AudioUnitParameterEvent, 32);
AT(AudioUnitParameterEvent, eventType, 12);
AT(AudioUnitParameterEvent, eventValues, 16);
AT(AudioUnitParameterEvent, eventValues.ramp.durationInFrames, 20);
AT(AudioUnitParameterEvent, eventValues.ramp.endValue, 28);
AT(AudioUnitParameterEvent, eventValues.immediate.value, 20);
SIZE(AudioUnitEvent, 32);
AT(AudioUnitEvent, mArgument, 8);
SIZE(HostCallbackInfo, 40);
AT(HostCallbackInfo, transportStateProc2, 32);
SIZE(ScheduledAudioSlice, 112);
AT(ScheduledAudioSlice, mCompletionProc, 64);
AT(ScheduledAudioSlice, mCompletionProcUserData, 72);
AT(ScheduledAudioSlice, mFlags, 80);
AT(ScheduledAudioSlice, mReserved, 84);
AT(ScheduledAudioSlice, mReserved2, 88);
AT(ScheduledAudioSlice, mNumberFrames, 96);
AT(ScheduledAudioSlice, mBufferList, 104);
SIZE(ScheduledAudioFileRegion, 112);
AT(ScheduledAudioFileRegion, mCompletionProc, 64);
AT(ScheduledAudioFileRegion, mCompletionProcUserData, 72);
AT(ScheduledAudioFileRegion, mAudioFile, 80);
AT(ScheduledAudioFileRegion, mLoopCount, 88);
AT(ScheduledAudioFileRegion, mStartFrame, 96);
AT(ScheduledAudioFileRegion, mFramesToPlay, 104);
SIZE(AudioOutputUnitStartAtTimeParams, 72);
AT(AudioOutputUnitStartAtTimeParams, mFlags, 64);
SIZE(AUVoiceIOOtherAudioDuckingConfiguration, 8);
AT(AUVoiceIOOtherAudioDuckingConfiguration, mDuckingLevel, 4);

// Graphs.
SIZE(AUNode, 4);
SIZE(AUNodeConnection, 16);
SIZE(AUNodeRenderCallback, 24);
AT(AUNodeRenderCallback, cback, 8);
SIZE(AUNodeInteraction, 32);
AT(AUNodeInteraction, nodeInteraction, 8);

#endif
