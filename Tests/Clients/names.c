// Numbers by their names: what ported sources compare with. It compiles, and that is all.
#include <AudioToolbox/AudioToolbox.h>
#include <CoreMIDI/CoreMIDI.h>
#include <CoreServices/CoreServices.h>
#include <IOKit/audio/IOAudioTypes.h>

#ifdef __cplusplus
#define IS(name, value) static_assert((name) == (value), #name)
#else
#define IS(name, value) _Static_assert((name) == (value), #name)
#endif

// Channel labels, of CoreAudioBaseTypes.h.
IS(kAudioChannelLabel_LeftTopRear, 52);
IS(kAudioChannelLabel_LeftSideSurround, 55);
IS(kAudioChannelLabel_RightSideSurround, 56);
IS(kAudioChannelLabel_CenterBottom, 59);
IS(kAudioChannelLabel_LFE3, 62);
IS(kAudioChannelLabel_RightEdgeOfScreen, 66);

// Layouts: number and channels.
IS(kAudioChannelLayoutTag_Logic_4_0_C, (197U << 16) | 4);
IS(kAudioChannelLayoutTag_CICP_13, (204U << 16) | 24);
IS(kAudioChannelLayoutTag_CICP_6, kAudioChannelLayoutTag_MPEG_5_1_A);
IS(kAudioChannelLayoutTag_Ogg_6_1, (214U << 16) | 7);
IS(kAudioChannelLayoutTag_Ogg_4_0, kAudioChannelLayoutTag_WAVE_4_0_B);
IS(kAudioChannelLayoutTag_MPEG_7_1_D, (219U << 16) | 8);

// IOAudioTypes.h.
IS(kIOAudioOutputPortSubTypeHeadphones, 0x6864706E);
IS(kIOAudioOutputPortSubTypeInternalSpeaker, 0x6973706B);
IS(kIOAudioInputPortSubTypeCD, 0x63642020);
IS(kIOAudioSelectorControlSelectionValueSPDIF, 0x73706466);
IS(kIOAudioControlChannelNumberInactive, -1);
IS(kIOAudioDeviceTransportTypeHdmi, 0x68646D69);
IS(INPUT_MODEM_AUDIO, 0x207);
IS(BIDIRECTIONAL_HEADSET, 0x402);
IS(TELEPHONY_DOWN_LINE_PHONE, 0x503);
IS(EXTERNAL_MADI, 0x60A);
IS(EMBEDDED_SYNTHESIZER, 0x713);
IS(PROCESSOR_GENERAL, 0x801);

// MIDIMessages.h.
IS(kMIDIMessageTypeChannelVoice2, 4);
IS(kMIDIMessageTypeFlexData, 0xD);
IS(kMIDICVStatusNoteOff, 8);
IS(kMIDICVStatusPitchBend, 0xE);
IS(kMIDICVStatusRegisteredPNC, 0);
IS(kMIDICVStatusRelAssignableControl, 5);
IS(kMIDICVStatusPerNoteMgmt, 0xF);
IS(kMIDIStatusActiveSensing, 0xFE);
IS(kMIDISysExStatusMixedDataSetPayload, 9);
IS(kMIDIUtilityStatusJitterReductionTimestamp, 2);
IS(kMIDINoteAttributePitch, 3);
IS(kMIDIPerNoteManagementDetach, 2);

// Files.h, against the layouts that programs were built with.
IS(sizeof(FSRef), 80);
IS(sizeof(UTCDateTime), 8);
IS(sizeof(HFSUniStr255), 512);
IS(sizeof(FSCatalogInfo), 144);
IS(errFSRefsDifferent, -1420);

// AudioUnitProperties.h.
IS(GetAudioUnitParameterDisplayType(kAudioUnitParameterFlag_DisplayCubed | kAudioUnitParameterFlag_CanRamp), 3U << 16);
IS(AudioUnitDisplayTypeIsLogarithmic(kAudioUnitParameterFlag_DisplayLogarithmic | kAudioUnitParameterFlag_IsWritable), 1);
IS(SetAudioUnitParameterDisplayType(kAudioUnitParameterFlag_DisplayCubed | kAudioUnitParameterFlag_CanRamp,
                                    kAudioUnitParameterFlag_DisplaySquared),
   kAudioUnitParameterFlag_DisplaySquared | kAudioUnitParameterFlag_CanRamp);

int main(void) { return pi > 3.14159265358979 && pi < 3.1415926535898 ? 0 : 1; }
