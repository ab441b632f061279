// Calls whose arguments belong together: a property and a value of its kind. Included by fuzz.c alone.

// How a property's value is made, and what comes out of it.
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
  // What is read holds an object that the caller gets.
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

// Whether bytes that were cut or made longer are still what a caller may hand in.
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

static void call_AudioUnitSetProperty(Fuzz *fuzz) {
  const Property *property = &ONE_OF(fuzz, unit_properties);
  char *memory = chunk(fuzz);
  UInt32 size = bent(fuzz, fill(fuzz, property->value, memory));
  note(fuzz, AudioUnitSetProperty(
      draw_unit(fuzz), property->id, draw_scope(fuzz), draw_element(fuzz), one_in(fuzz, 32) ? NULL : memory, size));
}

static void call_AudioUnitGetProperty(Fuzz *fuzz) {
  const Property *property = &ONE_OF(fuzz, unit_properties);
  char *memory = chunk(fuzz);
  UInt32 whole = fill(fuzz, property->value, memory);
  if (property->value == STRING || property->value == PRESET || property->value == DICTIONARY) memset(memory, 0, 64);
  UInt32 size = property->value >= CONNECTION ? whole : draw_size(fuzz);
  OSStatus status = AudioUnitGetProperty(
      draw_unit(fuzz), property->id, draw_scope(fuzz), draw_element(fuzz), one_in(fuzz, 32) ? NULL : memory,
      one_in(fuzz, 32) ? NULL : &size);
  note(fuzz, status);
  if (status == noErr) release_out(fuzz, property->value, memory);
}

static void call_AudioUnitProcessMultiple(Fuzz *fuzz) {
  const AudioBufferList *inputs[8];
  AudioBufferList *outputs[8];
  for (int index = 0; index < 8; ++index) {
    inputs[index] = draw_buffers(fuzz);
    outputs[index] = draw_buffers(fuzz);
  }
  AudioUnitRenderActionFlags flags = 0;
  note(fuzz, AudioUnitProcessMultiple(
      draw_unit(fuzz), one_in(fuzz, 4) ? NULL : &flags, draw_time(fuzz), draw_frames(fuzz), roll(fuzz, 9), inputs,
      roll(fuzz, 9), outputs));
}

static void call_AUGraphNewNode(Fuzz *fuzz) {
  // A property list, which need not be that of a unit.
  const void *state = draw_string(fuzz);
  note(fuzz, AUGraphNewNode(
      draw_graph(fuzz), draw_description(fuzz), one_in(fuzz, 4) ? 8 * roll(fuzz, 2) : 0, one_in(fuzz, 4) ? NULL : &state,
      draw_memory(fuzz)));
}

static void call_AUGraphGetNodeInfo(Fuzz *fuzz) {
  void *state = NULL;
  AudioUnit unit = NULL;
  note(fuzz, AUGraphGetNodeInfo(
      draw_graph(fuzz), draw_node(fuzz), draw_description(fuzz), draw_memory(fuzz), one_in(fuzz, 4) ? NULL : &state,
      one_in(fuzz, 4) ? NULL : &unit));
  if (state != NULL) fuzz->objects->release(state);
  keep(fuzz, UNIT, (uintptr_t)unit);
}

// Buffers that a unit's output takes, as a rule.
static AudioBufferList *buffers_of_unit(Fuzz *fuzz, AudioUnit unit, UInt32 bus) {
  AudioStreamBasicDescription format;
  UInt32 size = sizeof format;
  if (one_in(fuzz, 8) || AudioUnitGetProperty(
                             unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, bus, &format, &size) != noErr) {
    return draw_buffers(fuzz);
  }
  return buffers_of(fuzz, &format);
}

static void call_AudioUnitRender(Fuzz *fuzz) {
  AudioUnit unit = draw_unit(fuzz);
  UInt32 bus = one_in(fuzz, 6) ? draw_element(fuzz) : 0;
  AudioUnitRenderActionFlags flags = one_in(fuzz, 12) ? draw_number(fuzz) : 0;
  note(fuzz, AudioUnitRender(
      unit, one_in(fuzz, 8) ? NULL : &flags, draw_time(fuzz), bus, draw_frames(fuzz), buffers_of_unit(fuzz, unit, bus)));
}

static void call_AudioUnitProcess(Fuzz *fuzz) {
  AudioUnit unit = draw_unit(fuzz);
  AudioUnitRenderActionFlags flags = 0;
  note(fuzz, AudioUnitProcess(
      unit, one_in(fuzz, 8) ? NULL : &flags, draw_time(fuzz), draw_frames(fuzz), buffers_of_unit(fuzz, unit, 0)));
}

// MARK: Converters and files

static AudioBufferList *buffers_of_converter(Fuzz *fuzz, AudioConverterRef converter, UInt32 property) {
  AudioStreamBasicDescription format;
  UInt32 size = sizeof format;
  if (one_in(fuzz, 8) || AudioConverterGetProperty(converter, property, &size, &format) != noErr) return draw_buffers(fuzz);
  return buffers_of(fuzz, &format);
}

static void call_AudioConverterFillComplexBuffer(Fuzz *fuzz) {
  AudioConverterRef converter = draw_converter(fuzz);
  UInt32 packets = draw_frames(fuzz);
  AudioBufferList *list = buffers_of_converter(fuzz, converter, kAudioConverterCurrentOutputStreamDescription);
  note(fuzz, AudioConverterFillComplexBuffer(
      converter, draw_AudioConverterComplexInputDataProc(fuzz), draw_context(fuzz), one_in(fuzz, 32) ? NULL : &packets, list,
      one_in(fuzz, 4) ? draw_memory(fuzz) : NULL));
}

static void call_AudioConverterConvertComplexBuffer(Fuzz *fuzz) {
  AudioConverterRef converter = draw_converter(fuzz);
  AudioBufferList *input = buffers_of_converter(fuzz, converter, kAudioConverterCurrentInputStreamDescription);
  AudioBufferList *output = buffers_of_converter(fuzz, converter, kAudioConverterCurrentOutputStreamDescription);
  note(fuzz, AudioConverterConvertComplexBuffer(converter, draw_frames(fuzz), input, output));
}

static AudioBufferList *buffers_of_file(Fuzz *fuzz, ExtAudioFileRef file) {
  AudioStreamBasicDescription format;
  UInt32 size = sizeof format;
  if (one_in(fuzz, 8) ||
      ExtAudioFileGetProperty(file, kExtAudioFileProperty_ClientDataFormat, &size, &format) != noErr) {
    return draw_buffers(fuzz);
  }
  return buffers_of(fuzz, &format);
}

static void call_ExtAudioFileRead(Fuzz *fuzz) {
  ExtAudioFileRef file = draw_extendedFile(fuzz);
  UInt32 frames = draw_frames(fuzz);
  note(fuzz, ExtAudioFileRead(file, one_in(fuzz, 32) ? NULL : &frames, buffers_of_file(fuzz, file)));
}

static void call_ExtAudioFileWrite(Fuzz *fuzz) {
  ExtAudioFileRef file = draw_extendedFile(fuzz);
  note(fuzz, ExtAudioFileWrite(file, draw_frames(fuzz), buffers_of_file(fuzz, file)));
}

static void call_ExtAudioFileWriteAsync(Fuzz *fuzz) {
  ExtAudioFileRef file = draw_extendedFile(fuzz);
  note(fuzz, ExtAudioFileWriteAsync(file, draw_frames(fuzz), one_in(fuzz, 4) ? NULL : buffers_of_file(fuzz, file)));
}

static const Property converter_properties[] = {
    {kAudioConverterPropertyMinimumInputBufferSize, NUMBER},
    {kAudioConverterPropertyMinimumOutputBufferSize, NUMBER},
    {kAudioConverterPropertyMaximumOutputPacketSize, NUMBER},
    {kAudioConverterPropertyCalculateInputBufferSize, NUMBER},
    {kAudioConverterPropertyCalculateOutputBufferSize, NUMBER},
    {kAudioConverterSampleRateConverterComplexity, NUMBER},
    {kAudioConverterSampleRateConverterQuality, NUMBER},
    {kAudioConverterPrimeMethod, NUMBER},
    {kAudioConverterPrimeInfo, BYTES},
    {kAudioConverterChannelMap, CHANNELS},
    {kAudioConverterInputChannelLayout, LAYOUT},
    {kAudioConverterOutputChannelLayout, LAYOUT},
    {kAudioConverterCurrentOutputStreamDescription, FORMAT},
    {kAudioConverterPropertyDithering, NUMBER},
    {9999, BYTES},
};

static UInt32 draw_converter_property_id(Fuzz *fuzz) { return ONE_OF(fuzz, converter_properties).id; }

static const Property file_properties[] = {
    {kAudioFilePropertyFileFormat, NUMBER},
    {kAudioFilePropertyDataFormat, FORMAT},
    {kAudioFilePropertyIsOptimized, NUMBER},
    {kAudioFilePropertyMagicCookieData, BYTES},
    {kAudioFilePropertyAudioDataByteCount, FLOAT64},
    {kAudioFilePropertyAudioDataPacketCount, FLOAT64},
    {kAudioFilePropertyMaximumPacketSize, NUMBER},
    {kAudioFilePropertyDataOffset, FLOAT64},
    {kAudioFilePropertyChannelLayout, LAYOUT},
    {kAudioFilePropertyDeferSizeUpdates, NUMBER},
    {kAudioFilePropertyMarkerList, BYTES},
    {kAudioFilePropertyChunkIDs, BYTES},
    {kAudioFilePropertyPacketTableInfo, BYTES},
    {kAudioFilePropertyFormatList, BYTES},
    {kAudioFilePropertyPacketSizeUpperBound, NUMBER},
    {kAudioFilePropertyReserveDuration, FLOAT64},
    {kAudioFilePropertyEstimatedDuration, FLOAT64},
    {kAudioFilePropertyBitRate, NUMBER},
    {kAudioFilePropertyPacketToFrame, BYTES},
    {kAudioFilePropertyFrameToPacket, BYTES},
    {kAudioFilePropertyPacketToByte, BYTES},
    {kAudioFilePropertyByteToPacket, BYTES},
    {kAudioFilePropertySourceBitDepth, NUMBER},
    {kAudioFilePropertyInfoDictionary, GIVES_OBJECT},
    {9999, BYTES},
};

static UInt32 draw_file_property_id(Fuzz *fuzz) { return ONE_OF(fuzz, file_properties).id; }

static const Property extended_properties[] = {
    {kExtAudioFileProperty_FileDataFormat, FORMAT},
    {kExtAudioFileProperty_FileChannelLayout, LAYOUT},
    {kExtAudioFileProperty_ClientDataFormat, FORMAT},
    {kExtAudioFileProperty_ClientDataFormat, FORMAT},
    {kExtAudioFileProperty_ClientChannelLayout, LAYOUT},
    {kExtAudioFileProperty_CodecManufacturer, NUMBER},
    {kExtAudioFileProperty_FileMaxPacketSize, NUMBER},
    {kExtAudioFileProperty_ClientMaxPacketSize, NUMBER},
    {kExtAudioFileProperty_FileLengthFrames, FLOAT64},
    {kExtAudioFileProperty_IOBufferSizeBytes, NUMBER},
    {kExtAudioFileProperty_PacketTable, BYTES},
    {9999, BYTES},
};

static UInt32 draw_extended_property_id(Fuzz *fuzz) { return ONE_OF(fuzz, extended_properties).id; }

#define GET_AND_SET(prefix, list, handle)                                                           \
  static void call_##prefix##SetProperty(Fuzz *fuzz) {                                              \
    const Property *property = &ONE_OF(fuzz, list);                                                 \
    char *memory = chunk(fuzz);                                                                     \
    UInt32 size = bent(fuzz, fill(fuzz, property->value, memory));                                  \
    if (property->value == GIVES_OBJECT) return;                                                    \
    note(fuzz, prefix##SetProperty(draw_##handle(fuzz), property->id, size, one_in(fuzz, 32) ? NULL : memory)); \
  }                                                                                                 \
  static void call_##prefix##GetProperty(Fuzz *fuzz) {                                              \
    const Property *property = &ONE_OF(fuzz, list);                                                 \
    char *memory = chunk(fuzz);                                                                     \
    UInt32 size = fill(fuzz, property->value, memory);                                              \
    if (property->value == BYTES || property->value == LAYOUT) size = draw_size(fuzz);              \
    OSStatus status = prefix##GetProperty(                                                          \
        draw_##handle(fuzz), property->id, one_in(fuzz, 32) ? NULL : &size, one_in(fuzz, 32) ? NULL : memory); \
      note(fuzz, status);                                                                             \
    if (status == noErr) release_out(fuzz, property->value, memory);                                \
  }
GET_AND_SET(AudioConverter, converter_properties, converter)
GET_AND_SET(AudioFile, file_properties, file)

static void call_ExtAudioFileSetProperty(Fuzz *fuzz) {
  const Property *property = &ONE_OF(fuzz, extended_properties);
  char *memory = chunk(fuzz);
  UInt32 size = bent(fuzz, fill(fuzz, property->value, memory));
  // A length in frames that a disk may have.
  if (property->id == kExtAudioFileProperty_FileLengthFrames) *(SInt64 *)memory = roll(fuzz, 100000);
  if (one_in(fuzz, 12)) {
    uintptr_t nothing = 0;
    ExtAudioFileSetProperty(draw_extendedFile(fuzz), kExtAudioFileProperty_ConverterConfig, sizeof nothing, &nothing);
    return;
  }
  note(fuzz, ExtAudioFileSetProperty(draw_extendedFile(fuzz), property->id, size, one_in(fuzz, 32) ? NULL : memory));
}

static void call_ExtAudioFileGetProperty(Fuzz *fuzz) {
  char *memory = chunk(fuzz);
  UInt32 size = draw_size(fuzz);
  const Property *property = &ONE_OF(fuzz, extended_properties);
  memset(memory, 0, 64);
  if (one_in(fuzz, 8)) {
    AudioConverterRef converter = NULL;
    size = sizeof converter;
    ExtAudioFileGetProperty(draw_extendedFile(fuzz), kExtAudioFileProperty_AudioConverter, &size, &converter);
    // It is the file's own, and whoever disposes of it all the same gets away with it.
    keep(fuzz, CONVERTER, (uintptr_t)converter);
    return;
  }
  note(fuzz, ExtAudioFileGetProperty(
      draw_extendedFile(fuzz), property->id, one_in(fuzz, 32) ? NULL : &size, one_in(fuzz, 32) ? NULL : memory));
}

static const Property global_infos[] = {
    {kAudioFileGlobalInfo_ReadableTypes, BYTES},
    {kAudioFileGlobalInfo_WritableTypes, BYTES},
    {kAudioFileGlobalInfo_AvailableFormatIDs, BYTES},
    {kAudioFileGlobalInfo_AvailableStreamDescriptionsForFormat, BYTES},
    {kAudioFileGlobalInfo_FileTypeName, GIVES_OBJECT},
    {kAudioFileGlobalInfo_AllExtensions, GIVES_OBJECT},
    {kAudioFileGlobalInfo_ExtensionsForType, GIVES_OBJECT},
    {9999, BYTES},
};

static void *draw_specifier(Fuzz *fuzz, UInt32 *size) {
  UInt32 *memory = (UInt32 *)chunk(fuzz);
  memory[0] = draw_file_type(fuzz);
  memory[1] = kAudioFormatLinearPCM;
  *size = one_in(fuzz, 4) ? draw_size(fuzz) : 4 * roll(fuzz, 3);
  return one_in(fuzz, 8) ? NULL : memory;
}

static void call_AudioFileGetGlobalInfoSize(Fuzz *fuzz) {
  UInt32 size = 0;
  void *specifier = draw_specifier(fuzz, &size);
  note(fuzz, AudioFileGetGlobalInfoSize(
      ONE_OF(fuzz, global_infos).id, specifier == NULL ? 0 : size, specifier, (UInt32 *)draw_memory(fuzz)));
}

static void call_AudioFileGetGlobalInfo(Fuzz *fuzz) {
  const Property *property = &ONE_OF(fuzz, global_infos);
  UInt32 size = 0;
  void *specifier = draw_specifier(fuzz, &size);
  char *memory = memset(chunk(fuzz), 0, 64);
  UInt32 room = property->value == GIVES_OBJECT ? 8 : draw_size(fuzz);
  OSStatus status = AudioFileGetGlobalInfo(
      property->id, specifier == NULL ? 0 : size, specifier, one_in(fuzz, 32) ? NULL : &room,
      one_in(fuzz, 32) ? NULL : memory);
  note(fuzz, status);
  if (status == noErr) release_out(fuzz, property->value, memory);
}

// MARK: Formats

// Properties whose specifier has no pointers, and those with pointers to layouts.
static const UInt32 format_properties[] = {
    kAudioFormatProperty_FormatInfo,
    kAudioFormatProperty_EncodeFormatIDs,
    kAudioFormatProperty_DecodeFormatIDs,
    kAudioFormatProperty_FormatIsVBR,
    kAudioFormatProperty_FormatIsExternallyFramed,
    kAudioFormatProperty_ChannelLayoutForTag,
    kAudioFormatProperty_ChannelLayoutForBitmap,
    kAudioFormatProperty_BitmapForLayoutTag,
    kAudioFormatProperty_NumberOfChannelsForLayout,
    kAudioFormatProperty_TagForChannelLayout,
    kAudioFormatProperty_TagsForNumberOfChannels,
    kAudioFormatProperty_ValidateChannelLayout,
    9999,
};

static const void *format_specifier(Fuzz *fuzz, UInt32 id, UInt32 *size) {
  char *memory = chunk(fuzz);
  if (id == kAudioFormatProperty_FormatInfo) {
    *size = fill(fuzz, FORMAT, memory);
  } else if (one_in(fuzz, 2)) {
    *size = fill(fuzz, LAYOUT, memory);
  } else {
    *size = fill(fuzz, BYTES, memory);
  }
  return one_in(fuzz, 16) ? NULL : memory;
}

static void call_AudioFormatGetPropertyInfo(Fuzz *fuzz) {
  UInt32 id = ONE_OF(fuzz, format_properties), size = 0;
  const void *specifier = format_specifier(fuzz, id, &size);
  note(fuzz, AudioFormatGetPropertyInfo(id, specifier == NULL ? 0 : size, specifier, (UInt32 *)draw_memory(fuzz)));
}

static void call_AudioFormatGetProperty(Fuzz *fuzz) {
  UInt32 id = ONE_OF(fuzz, format_properties), size = 0, room = draw_size(fuzz);
  if (one_in(fuzz, 4)) {
    const AudioChannelLayout *pair[2] = {draw_layout(fuzz), draw_layout(fuzz)};
    static const UInt32 ids[] = {
        kAudioFormatProperty_MatrixMixMap, kAudioFormatProperty_ChannelMap, kAudioFormatProperty_AreChannelLayoutsEquivalent};
    AudioFormatGetProperty(ONE_OF(fuzz, ids), sizeof pair, pair, one_in(fuzz, 32) ? NULL : &room, draw_memory(fuzz));
    return;
  }
  const void *specifier = format_specifier(fuzz, id, &size);
  void *memory = draw_memory(fuzz);
  if (id == kAudioFormatProperty_FormatInfo && memory != NULL) fill(fuzz, FORMAT, memory);
  note(fuzz, AudioFormatGetProperty(id, specifier == NULL ? 0 : size, specifier, one_in(fuzz, 32) ? NULL : &room, memory));
}

// MARK: Sessions and hardware

static const Property session_properties[] = {
    {kAudioSessionProperty_PreferredHardwareSampleRate, FLOAT64},
    {kAudioSessionProperty_PreferredHardwareIOBufferDuration, BYTES},
    {kAudioSessionProperty_AudioCategory, NUMBER},
    {kAudioSessionProperty_CurrentHardwareSampleRate, FLOAT64},
    {kAudioSessionProperty_CurrentHardwareInputNumberChannels, NUMBER},
    {kAudioSessionProperty_CurrentHardwareOutputVolume, BYTES},
    {kAudioSessionProperty_OverrideAudioRoute, NUMBER},
    {kAudioSessionProperty_OtherAudioIsPlaying, NUMBER},
    {kAudioSessionProperty_AudioInputAvailable, NUMBER},
    {kAudioSessionProperty_OverrideCategoryMixWithOthers, NUMBER},
    {9999, BYTES},
};

static UInt32 draw_session_property_id(Fuzz *fuzz) { return ONE_OF(fuzz, session_properties).id; }

static void call_AudioSessionGetProperty(Fuzz *fuzz) {
  UInt32 size = draw_size(fuzz);
  note(fuzz, AudioSessionGetProperty(
      ONE_OF(fuzz, session_properties).id, one_in(fuzz, 32) ? NULL : &size, draw_memory(fuzz)));
}

static void call_AudioSessionSetProperty(Fuzz *fuzz) {
  const Property *property = &ONE_OF(fuzz, session_properties);
  char *memory = chunk(fuzz);
  UInt32 size = bent(fuzz, fill(fuzz, property->value, memory));
  note(fuzz, AudioSessionSetProperty(property->id, size, one_in(fuzz, 32) ? NULL : memory));
}

static int gives_object(const AudioObjectPropertyAddress *address) {
  return address != NULL && (address->mSelector == kAudioObjectPropertyName ||
                             address->mSelector == kAudioObjectPropertyManufacturer ||
                             address->mSelector == kAudioDevicePropertyDeviceUID ||
                             address->mSelector == kAudioDevicePropertyModelUID);
}

static void get_object_property(Fuzz *fuzz, __typeof__(AudioObjectGetPropertyData) *get) {
  const AudioObjectPropertyAddress *address = draw_address(fuzz);
  char *memory = memset(chunk(fuzz), 0, 64);
  UInt32 size = gives_object(address) ? 8 : draw_size(fuzz);
  OSStatus status = get(
      draw_object_id(fuzz), address, 0, NULL, one_in(fuzz, 32) ? NULL : &size, one_in(fuzz, 32) ? NULL : memory);
  if (status == noErr && gives_object(address)) release_out(fuzz, GIVES_OBJECT, memory);
}

static void call_AudioObjectGetPropertyData(Fuzz *fuzz) { get_object_property(fuzz, AudioObjectGetPropertyData); }
static void call_AudioHardwareServiceGetPropertyData(Fuzz *fuzz) {
  get_object_property(fuzz, AudioHardwareServiceGetPropertyData);
}

static void call_AudioObjectSetPropertyData(Fuzz *fuzz) {
  const AudioObjectPropertyAddress *address = draw_address(fuzz);
  if (gives_object(address)) return;
  char *memory = chunk(fuzz);
  UInt32 size = fill(fuzz, one_in(fuzz, 2) ? FLOAT64 : one_in(fuzz, 2) ? NUMBER : FORMAT, memory);
  note(fuzz, AudioObjectSetPropertyData(
      draw_object_id(fuzz), address, 0, NULL, bent(fuzz, size), one_in(fuzz, 32) ? NULL : memory));
}

// MARK: Components, listeners, texts

static void call_AudioComponentInstantiate(Fuzz *fuzz) {
  AudioComponentInstantiate(draw_component(fuzz), draw_number(fuzz), ^(AudioComponentInstance instance, OSStatus status) {
    if (status == noErr) keep(mine(), UNIT, (uintptr_t)instance);
  });
}

static void call_AudioComponentValidateWithResults(Fuzz *fuzz) {
  AudioComponentValidateWithResults(
      draw_component(fuzz), NULL, ^(AudioComponentValidationResult result, CFDictionaryRef details) {
        (void)result, (void)details;
        meddle(mine());
      });
}

static AudioComponentPlugInInterface *make_nothing(const AudioComponentDescription *description) {
  (void)description;
  return NULL;
}

static void register_passing(void) {
  CFStringRef name = (CFStringRef)atomic_load(&shared_objects)->strings[0];
  AudioComponentRegister(&passing_description, name, 1, make_passing);
}

static void call_AudioComponentRegister(Fuzz *fuzz) {
  static _Atomic(int) registered;
  // Registrations stay.
  if (atomic_fetch_add(&registered, 1) > 20) return;
  AudioComponentRegister(draw_description(fuzz), draw_string(fuzz), draw_number(fuzz), one_in(fuzz, 4) ? NULL : make_nothing);
}

static void call_AUListenerCreateWithDispatchQueue(Fuzz *fuzz) {
  AUParameterListenerRef listener = NULL;
  note(fuzz, AUListenerCreateWithDispatchQueue(
      one_in(fuzz, 16) ? NULL : &listener, (Float32)draw_value(fuzz), fuzz->objects->queue,
      ^(void *object, const AudioUnitParameter *parameter, Float32 value) {
        (void)object, (void)parameter, (void)value;
        meddle(mine());
      }));
  keep(fuzz, PARAMETER_LISTENER, (uintptr_t)listener);
}

static void call_AUEventListenerCreateWithDispatchQueue(Fuzz *fuzz) {
  AUEventListenerRef listener = NULL;
  note(fuzz, AUEventListenerCreateWithDispatchQueue(
      one_in(fuzz, 16) ? NULL : &listener, (Float32)draw_value(fuzz), (Float32)draw_value(fuzz), fuzz->objects->queue,
      ^(void *object, const AudioUnitEvent *event, UInt64 time, Float32 value) {
        (void)object, (void)event, (void)time, (void)value;
        meddle(mine());
      }));
  keep(fuzz, EVENT_LISTENER, (uintptr_t)listener);
}

static void call_AUParameterFormatValue(Fuzz *fuzz) {
  AUParameterFormatValue(draw_value(fuzz), draw_parameter(fuzz), draw_memory(fuzz), roll(fuzz, 20));
}

static void call_CAShowFile(Fuzz *fuzz) {
  CAShowFile((void *)draw_handle(fuzz, one_in(fuzz, 2) ? GRAPH : UNIT), one_in(fuzz, 16) ? NULL : stdout);
}

// MARK: References to files

static void call_FSPathMakeRef(Fuzz *fuzz) {
  static const char *const paths[] = {"/", "/tmp", "", "relative", "/there/is/nothing"};
  note(fuzz, FSPathMakeRef(
      one_in(fuzz, 16) ? NULL : (const UInt8 *)ONE_OF(fuzz, paths), draw_memory(fuzz), draw_memory(fuzz)));
}

static void call_FSMakeFSRefUnicode(Fuzz *fuzz) {
  note(fuzz, FSMakeFSRefUnicode(
      draw_file_reference(fuzz), draw_count(fuzz), draw_memory(fuzz), draw_number(fuzz), draw_memory(fuzz)));
}

static void call_CFURLCreateFromFSRef(Fuzz *fuzz) {
  const void *url = CFURLCreateFromFSRef(NULL, draw_file_reference(fuzz));
  if (url != NULL) fuzz->objects->release(url);
}

// MARK: What programs build

// Random calls seldom come to anything that plays: these build what programs have, for random calls to meet.

static OSStatus set_format(AudioUnit unit, UInt32 scope, UInt32 bus, double rate, UInt32 channels) {
  AudioStreamBasicDescription format = {
      rate, kAudioFormatLinearPCM, kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked | kAudioFormatFlagIsNonInterleaved,
      4,    1, 4, channels, 32, 0};
  return AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, scope, bus, &format, sizeof format);
}

static AudioUnit a_unit(Fuzz *fuzz, UInt32 type, UInt32 subType) {
  AudioComponentDescription description = {type, subType, kAudioUnitManufacturer_Apple, 0, 0};
  AudioUnit unit = NULL;
  AudioComponentInstanceNew(AudioComponentFindNext(NULL, &description), &unit);
  keep(fuzz, UNIT, (uintptr_t)unit);
  return unit;
}

// A unit that a callback feeds, at the output's rate or at another.
static void build_unit(Fuzz *fuzz) {
  static const UInt32 types[][2] = {
      {kAudioUnitType_Output, kAudioUnitSubType_GenericOutput}, {kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer},
      {kAudioUnitType_Effect, kAudioUnitSubType_NBandEQ},       {kAudioUnitType_FormatConverter, kAudioUnitSubType_AUConverter},
      {kAudioUnitType_Output, kAudioUnitSubType_HALOutput}};
  const UInt32 *type = types[roll(fuzz, 5)];
  AudioUnit unit = a_unit(fuzz, type[0], type[1]);
  double rate = one_in(fuzz, 2) ? 48000 : 44100;
  set_format(unit, kAudioUnitScope_Input, 0, rate, 1 + roll(fuzz, 2));
  set_format(unit, kAudioUnitScope_Output, 0, type[0] == kAudioUnitType_Effect ? rate : 44100, 2);
  AURenderCallbackStruct callback = {render, NULL};
  for (UInt32 bus = 0; bus < 3; ++bus) {
    AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, bus, &callback, sizeof callback);
  }
  AudioUnitInitialize(unit);
}

// Two units, one of which pulls the other.
static void build_chain(Fuzz *fuzz) {
  AudioUnit source = a_unit(fuzz, kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer);
  AudioUnit head = a_unit(fuzz, kAudioUnitType_Output, kAudioUnitSubType_GenericOutput);
  AudioUnitConnection connection = {source, 0, 0};
  AudioUnitSetProperty(head, kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, 0, &connection, sizeof connection);
  AURenderCallbackStruct callback = {render, NULL};
  AudioUnitSetProperty(source, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback, sizeof callback);
  AudioUnitInitialize(source);
  AudioUnitInitialize(head);
}

static void build_graph(Fuzz *fuzz) {
  static const UInt32 types[][2] = {
      {kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer}, {kAudioUnitType_Effect, kAudioUnitSubType_AUiPodEQ},
      {kAudioUnitType_Output, kAudioUnitSubType_GenericOutput}};
  AUGraph graph = NULL;
  NewAUGraph(&graph);
  AUNode nodes[3] = {0};
  for (int index = 0; index < 3; ++index) {
    AudioComponentDescription description = {types[index][0], types[index][1], kAudioUnitManufacturer_Apple, 0, 0};
    AUGraphAddNode(graph, &description, &nodes[index]);
  }
  AUGraphConnectNodeInput(graph, nodes[0], 0, nodes[1], 0);
  AUGraphConnectNodeInput(graph, nodes[1], 0, nodes[2], 0);
  AURenderCallbackStruct callback = {render, NULL};
  AUGraphSetNodeInputCallback(graph, nodes[0], roll(fuzz, 3), &callback);
  AUGraphOpen(graph);
  for (int index = 0; index < 3; ++index) {
    AudioUnit unit = NULL;
    AUGraphNodeInfo(graph, nodes[index], NULL, &unit);
    keep(fuzz, UNIT, (uintptr_t)unit);
  }
  AUGraphInitialize(graph);
  keep(fuzz, GRAPH, (uintptr_t)graph);
}

static void build_converter(Fuzz *fuzz) {
  AudioStreamBasicDescription from = a_format(fuzz), to = a_format(fuzz);
  AudioConverterRef converter = NULL;
  AudioConverterNew(&from, &to, &converter);
  keep(fuzz, CONVERTER, (uintptr_t)converter);
}

// An extended file that reads or writes, in a format of the client's.
static void build_file(Fuzz *fuzz) {
  const FuzzObjects *objects = fuzz->objects;
  ExtAudioFileRef file = NULL;
  AudioStreamBasicDescription client = {
      one_in(fuzz, 2) ? 48000 : 44100, kAudioFormatLinearPCM, kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked, 8, 1, 8, 2, 32, 0};
  if (one_in(fuzz, 2)) {
    ExtAudioFileOpenURL((CFURLRef)objects->urls[0], &file);
  } else {
    AudioStreamBasicDescription format = {
        44100, kAudioFormatLinearPCM, kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, 4, 1, 4, 2, 16, 0};
    ExtAudioFileCreateWithURL(
        (CFURLRef)objects->urls[objects->urlCount - 1 - roll(fuzz, 4)], kAudioFileWAVEType, &format, NULL,
        kAudioFileFlags_EraseFile, &file);
  }
  ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, sizeof client, &client);
  keep(fuzz, EXTENDED, (uintptr_t)file);
}

static void build_any(Fuzz *fuzz) {
  static void (*const builders[])(Fuzz *) = {build_unit, build_unit, build_chain, build_graph, build_converter, build_file};
  ONE_OF(fuzz, builders)(fuzz);
}
