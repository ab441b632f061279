// The values of properties: values of every kind. Included by fuzz.c alone.

// The way to make a property's value, and to handle one that was read.
enum Value {
  // Bytes without pointers: any will do.
  BYTES,
  NUMBER,
  FLOAT64,
  FORMAT,
  TIME,
  CHANNELS,
  LAYOUT,
  // With pointers: these have to be real.
  CONNECTION,
  CALLBACK,
  PRESET,
  STRING,
  DICTIONARY,
  FILES,
  REGION,
  TEXT_OF_VALUE,
  VALUE_OF_TEXT,
  NAME_OF_ID,
  HOST,
  // The value that was read holds an object that the caller gets.
  GIVES_OBJECT,
  PARAMETER_INFO,
};

typedef struct {
  UInt32 id;
  enum Value value;
} Property;

static const Property unit_properties[] = {
    {kAudioUnitProperty_ClassInfo, DICTIONARY},
    {kAudioUnitProperty_MakeConnection, CONNECTION},
    {kAudioUnitProperty_MakeConnection, CONNECTION},
    {kAudioUnitProperty_SampleRate, FLOAT64},
    {kAudioUnitProperty_ParameterList, BYTES},
    {kAudioUnitProperty_ParameterInfo, PARAMETER_INFO},
    {kAudioUnitProperty_CPULoad, FLOAT64},
    {kAudioUnitProperty_StreamFormat, FORMAT},
    {kAudioUnitProperty_StreamFormat, FORMAT},
    {kAudioUnitProperty_StreamFormat, FORMAT},
    {kAudioUnitProperty_ElementCount, NUMBER},
    {kAudioUnitProperty_Latency, FLOAT64},
    {kAudioUnitProperty_SupportedNumChannels, BYTES},
    {kAudioUnitProperty_MaximumFramesPerSlice, NUMBER},
    {kAudioUnitProperty_MaximumFramesPerSlice, NUMBER},
    {kAudioUnitProperty_ParameterValueStrings, GIVES_OBJECT},
    {kAudioUnitProperty_AudioChannelLayout, LAYOUT},
    {kAudioUnitProperty_TailTime, FLOAT64},
    {kAudioUnitProperty_BypassEffect, NUMBER},
    {kAudioUnitProperty_LastRenderError, NUMBER},
    {kAudioUnitProperty_SetRenderCallback, CALLBACK},
    {kAudioUnitProperty_SetRenderCallback, CALLBACK},
    {kAudioUnitProperty_FactoryPresets, GIVES_OBJECT},
    {kAudioUnitProperty_ContextName, STRING},
    {kAudioUnitProperty_RenderQuality, NUMBER},
    {kAudioUnitProperty_HostCallbacks, HOST},
    {kAudioUnitProperty_InPlaceProcessing, NUMBER},
    {kAudioUnitProperty_ElementName, STRING},
    {kAudioUnitProperty_SupportedChannelLayoutTags, BYTES},
    {kAudioUnitProperty_ParameterStringFromValue, TEXT_OF_VALUE},
    {kAudioUnitProperty_ParameterIDName, NAME_OF_ID},
    {kAudioUnitProperty_PresentPreset, PRESET},
    {kAudioUnitProperty_OfflineRender, NUMBER},
    {kAudioUnitProperty_ParameterValueFromString, VALUE_OF_TEXT},
    {kAudioUnitProperty_PresentationLatency, FLOAT64},
    {kAudioUnitProperty_DependentParameters, BYTES},
    {kAudioUnitProperty_ShouldAllocateBuffer, NUMBER},
    {kAudioUnitProperty_ParameterHistoryInfo, BYTES},
    {kAudioUnitProperty_NickName, STRING},
    {kAudioUnitProperty_LastRenderSampleTime, FLOAT64},
    {kAudioUnitProperty_SampleRateConverterComplexity, NUMBER},
    {kAudioUnitProperty_MatrixLevels, BYTES},
    {kAudioUnitProperty_MeteringMode, NUMBER},
    {kAudioUnitProperty_MatrixDimensions, BYTES},
    {kAudioUnitProperty_MeterClipping, BYTES},
    {kAudioUnitProperty_InputAnchorTimeStamp, TIME},
    {kAUNBandEQProperty_NumberOfBands, NUMBER},
    {kAUNBandEQProperty_MaxNumberOfBands, NUMBER},
    {kAUNBandEQProperty_BiquadCoefficients, BYTES},
    {kAudioUnitProperty_ScheduleStartTimeStamp, TIME},
    {kAudioUnitProperty_CurrentPlayTime, TIME},
    {kAudioUnitProperty_ScheduledFileIDs, FILES},
    {kAudioUnitProperty_ScheduledFileRegion, REGION},
    {kAudioUnitProperty_ScheduledFilePrime, NUMBER},
    {kAudioUnitProperty_ScheduledFileBufferSizeFrames, NUMBER},
    {kAudioUnitProperty_ScheduledFileNumberBuffers, NUMBER},
    {kAudioOutputUnitProperty_CurrentDevice, NUMBER},
    {kAudioOutputUnitProperty_IsRunning, NUMBER},
    {kAudioOutputUnitProperty_ChannelMap, CHANNELS},
    {kAudioOutputUnitProperty_EnableIO, NUMBER},
    {kAudioOutputUnitProperty_SetInputCallback, CALLBACK},
    {kAudioOutputUnitProperty_HasIO, NUMBER},
    {kAudioOutputUnitProperty_StartTimestampsAtZero, NUMBER},
    {kAUVoiceIOProperty_BypassVoiceProcessing, NUMBER},
    {kAUVoiceIOProperty_MuteOutput, NUMBER},
    {9999, BYTES},
};

static UInt32 draw_property_id(Fuzz *fuzz) { return ONE_OF(fuzz, unit_properties).id; }

// A value of a kind; how many bytes it has.
static UInt32 fill(Fuzz *fuzz, enum Value value, char *memory) {
  memset(memory, 0, 4096);
  switch (value) {
    case NUMBER: *(UInt32 *)memory = draw_number(fuzz); return 4;
    case FLOAT64: *(Float64 *)memory = one_in(fuzz, 2) ? 48000 : draw_value(fuzz); return 8;
    case FORMAT: *(AudioStreamBasicDescription *)memory = a_format(fuzz); return 40;
    case TIME: *(AudioTimeStamp *)memory = a_time(fuzz); return sizeof(AudioTimeStamp);
    case CHANNELS:
      for (int index = 0; index < 64; ++index) ((SInt32 *)memory)[index] = (SInt32)roll(fuzz, 4) - 1;
      return 4 * (1 + roll(fuzz, 8));
    case LAYOUT: {
      AudioChannelLayout *layout = draw_layout(fuzz);
      if (layout == NULL) return 0;
      memcpy(memory, layout, 4096);
      return 12 + 20 * layout->mNumberChannelDescriptions;
    }
    case CONNECTION: {
      AudioUnitConnection connection = {draw_unit(fuzz), draw_element(fuzz), draw_element(fuzz)};
      memcpy(memory, &connection, sizeof connection);
      return sizeof connection;
    }
    case CALLBACK: {
      AURenderCallbackStruct callback = {draw_AURenderCallback(fuzz), draw_context(fuzz)};
      memcpy(memory, &callback, sizeof callback);
      return sizeof callback;
    }
    case PRESET: {
      AUPreset preset = {one_in(fuzz, 4) ? (SInt32)draw_number(fuzz) : (SInt32)roll(fuzz, 24), draw_string(fuzz)};
      memcpy(memory, &preset, sizeof preset);
      return sizeof preset;
    }
    case STRING: *(const void **)memory = draw_string(fuzz); return 8;
    case DICTIONARY: *(uintptr_t *)memory = atomic_load(&pool[OBJECT][roll(fuzz, PLACES)]) * 0; return 8;
    case FILES: {
      UInt32 count = roll(fuzz, 4);
      for (UInt32 index = 0; index < count; ++index) ((AudioFileID *)memory)[index] = draw_file(fuzz);
      return 8 * count;
    }
    case REGION: {
      ScheduledAudioFileRegion region = {0};
      region.mTimeStamp = a_time(fuzz);
      region.mCompletionProc = one_in(fuzz, 2) ? NULL : region_done;
      region.mAudioFile = draw_file(fuzz);
      region.mLoopCount = one_in(fuzz, 4) ? draw_number(fuzz) : 0;
      region.mStartFrame = draw_position(fuzz);
      region.mFramesToPlay = draw_number(fuzz);
      memcpy(memory, &region, sizeof region);
      return sizeof region;
    }
    case TEXT_OF_VALUE: {
      Float32 *number = (Float32 *)(memory + 1024);
      *number = (Float32)draw_value(fuzz);
      AudioUnitParameterStringFromValue question = {draw_parameter_id(fuzz), one_in(fuzz, 4) ? NULL : number, NULL};
      memcpy(memory, &question, sizeof question);
      return sizeof question;
    }
    case VALUE_OF_TEXT: {
      AudioUnitParameterValueFromString question = {draw_parameter_id(fuzz), draw_string(fuzz), 0};
      memcpy(memory, &question, sizeof question);
      return sizeof question;
    }
    case NAME_OF_ID: {
      AudioUnitParameterNameInfo question = {draw_parameter_id(fuzz), (SInt32)draw_number(fuzz), NULL};
      memcpy(memory, &question, sizeof question);
      return sizeof question;
    }
    case HOST: return sizeof(HostCallbackInfo);
    case GIVES_OBJECT: return 8;
    case PARAMETER_INFO: return sizeof(AudioUnitParameterInfo);
    case BYTES:
      for (int index = 0; index < 64; ++index) ((UInt32 *)memory)[index] = draw_number(fuzz);
      return draw_size(fuzz);
  }
  return 0;
}

// The size after bytes were cut or added, which a caller may still pass.
static UInt32 bent(Fuzz *fuzz, UInt32 size) { return one_in(fuzz, 16) ? draw_size(fuzz) % 4096 : size; }

// Gives back the objects that came with a value.
static void release_out(Fuzz *fuzz, enum Value value, char *memory) {
  const void *object = NULL;
  switch (value) {
    case STRING:
    case DICTIONARY:
    case GIVES_OBJECT: object = *(const void **)memory; break;
    case PRESET: object = ((AUPreset *)memory)->presetName; break;
    case TEXT_OF_VALUE: object = ((AudioUnitParameterStringFromValue *)memory)->outString; break;
    case NAME_OF_ID: object = ((AudioUnitParameterNameInfo *)memory)->outName; break;
    case PARAMETER_INFO: {
      AudioUnitParameterInfo *info = (AudioUnitParameterInfo *)memory;
      if (info->flags & kAudioUnitParameterFlag_CFNameRelease) object = info->cfNameString;
      if (info->unitName != NULL && info->unit == kAudioUnitParameterUnit_CustomUnit) fuzz->objects->release(info->unitName);
      break;
    }
    default: break;
  }
  if (object != NULL) fuzz->objects->release(object);
}
