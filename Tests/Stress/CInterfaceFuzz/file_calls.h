// Calls of converters and files whose arguments belong together. Included by fuzz.c alone.

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
    // Not the lists of markers: there are objects in them, and no bytes may stand for those.
    {kAudioFilePropertyAudioTrackCount, NUMBER},
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
