// Calls of formats, sessions and hardware whose arguments belong together. Included by fuzz.c alone.

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
