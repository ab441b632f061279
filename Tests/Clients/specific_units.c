// "Using Specific Audio Units": what the tables 3-1 to 3-5 say of each unit, asked of the unit. There are no
// listings in it.
#include "client.h"

static const struct {
  UInt32 type, subType;
} table35[] = {
    {kAudioUnitType_FormatConverter, kAudioUnitSubType_AUConverter},
    {kAudioUnitType_Effect, kAudioUnitSubType_AUiPodEQ},
    {kAudioUnitType_Mixer, kAudioUnitSubType_AU3DMixerEmbedded},
    {kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer},
    {kAudioUnitType_Output, kAudioUnitSubType_GenericOutput},
    {kAudioUnitType_Output, kAudioUnitSubType_RemoteIO},
    {kAudioUnitType_Output, kAudioUnitSubType_VoiceProcessingIO},
};

static UInt32 number(AudioUnit unit, AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element) {
  UInt32 value = 0;
  UInt32 size = sizeof(value);
  OSStatus status = AudioUnitGetProperty(unit, property, scope, element, &value, &size);
  return status == noErr ? value : (UInt32)status;
}

static void describeEqualizer(AudioUnit unit) {
  CFArrayRef presets = NULL;
  UInt32 size = sizeof(presets);
  checkStatus(AudioUnitGetProperty(unit, kAudioUnitProperty_FactoryPresets, kAudioUnitScope_Global, 0, &presets, &size));
  printf("  presets %ld\n", (long)CFArrayGetCount(presets));
  for (CFIndex index = 0; index < CFArrayGetCount(presets); index += 8) {
    const AUPreset *preset = (const AUPreset *)CFArrayGetValueAtIndex(presets, index);
    char name[64] = "";
    CFStringGetCString(preset->presetName, name, sizeof(name), kCFStringEncodingUTF8);
    // Apply a setting with the very structure that the array holds.
    OSStatus status = AudioUnitSetProperty(unit, kAudioUnitProperty_PresentPreset, kAudioUnitScope_Global, 0, preset,
                                           sizeof(AUPreset));
    AUPreset present = {0};
    size = sizeof(present);
    checkStatus(AudioUnitGetProperty(unit, kAudioUnitProperty_PresentPreset, kAudioUnitScope_Global, 0, &present, &size));
    printf("  preset %d %s: set %d, present %d\n", (int)preset->presetNumber, name, (int)status,
           (int)present.presetNumber);
    if (present.presetName != NULL) CFRelease(present.presetName);
  }
  CFRelease(presets);
  UInt32 parameters = 0;
  checkStatus(AudioUnitGetPropertyInfo(unit, kAudioUnitProperty_ParameterList, kAudioUnitScope_Global, 0, &parameters,
                                       NULL));
  printf("  parameters %u\n", parameters / 4);
}

int main(void) {
  for (size_t row = 0; row < sizeof(table35) / sizeof(table35[0]); ++row) {
    AudioComponentDescription description = {table35[row].type, table35[row].subType, kAudioUnitManufacturer_Apple, 0,
                                             0};
    printf("%s %s %s\n", code(description.componentType), code(description.componentSubType),
           code(description.componentManufacturer));
    AudioComponent component = AudioComponentFindNext(NULL, &description);
    if (component == NULL) {
      printf("  not there\n");
      continue;
    }
    AudioUnit unit;
    checkStatus(AudioComponentInstanceNew(component, &unit));
    printf("  elements %u in, %u out\n", number(unit, kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0),
           number(unit, kAudioUnitProperty_ElementCount, kAudioUnitScope_Output, 0));
    switch (description.componentSubType) {
      case kAudioUnitSubType_RemoteIO:
      case kAudioUnitSubType_VoiceProcessingIO:
        printf("  output enabled %u, input enabled %u\n",
               number(unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Output, 0),
               number(unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1));
        break;
      case kAudioUnitSubType_MultiChannelMixer: {
        UInt32 maximum = 4096;
        UInt32 metering = 1;
        REPORT("  maximum frames", AudioUnitSetProperty(unit, kAudioUnitProperty_MaximumFramesPerSlice,
                                                        kAudioUnitScope_Global, 0, &maximum, sizeof(maximum)));
        REPORT("  metering", AudioUnitSetProperty(unit, kAudioUnitProperty_MeteringMode, kAudioUnitScope_Input, 0,
                                                  &metering, sizeof(metering)));
        REPORT("  pan", AudioUnitSetParameter(unit, kMultiChannelMixerParam_Pan, kAudioUnitScope_Input, 0, -0.5f, 0));
        Float32 pan = 0;
        checkStatus(AudioUnitGetParameter(unit, kMultiChannelMixerParam_Pan, kAudioUnitScope_Input, 0, &pan));
        printf("  pan is %g\n", pan);
        break;
      }
      case kAudioUnitSubType_AUiPodEQ: describeEqualizer(unit); break;
      default: break;
    }
    REPORT("  initialize", AudioUnitInitialize(unit));
    checkStatus(AudioComponentInstanceDispose(unit));
  }
  return 0;
}
