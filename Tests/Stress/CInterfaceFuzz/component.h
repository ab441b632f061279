// A third-party effect that the calls meet as any other unit: it passes its input on, and asks for random lengths of
// it. It guards its own state: several threads may call it at once.

typedef struct {
  AudioComponentPlugInInterface table;
  pthread_mutex_t lock;
  AURenderCallbackStruct source;
  AudioStreamBasicDescription format;
  UInt32 maximum_frames;
} Passing;

static OSStatus passing_nothing(void *self) { return (void)self, noErr; }

// Without memory it says the size alone, as Apple's base classes do.
static OSStatus give(void *data, UInt32 *size, const void *value, UInt32 bytes) {
  if (data != NULL && *size < bytes) return kAudioUnitErr_InvalidPropertyValue;
  if (data != NULL) memcpy(data, value, bytes);
  *size = bytes;
  return noErr;
}

static OSStatus passing_get(void *self, UInt32 id, UInt32 scope, UInt32 element, void *data, UInt32 *size) {
  Passing *passing = self;
  (void)scope, (void)element;
  OSStatus status = kAudioUnitErr_InvalidProperty;
  pthread_mutex_lock(&passing->lock);
  if (id == kAudioUnitProperty_StreamFormat) {
    status = give(data, size, &passing->format, sizeof passing->format);
  } else if (id == kAudioUnitProperty_MaximumFramesPerSlice) {
    status = give(data, size, &passing->maximum_frames, sizeof passing->maximum_frames);
  }
  pthread_mutex_unlock(&passing->lock);
  return status;
}

static OSStatus passing_get_info(void *self, UInt32 id, UInt32 scope, UInt32 element, UInt32 *size, Boolean *writable) {
  (void)self, (void)scope, (void)element;
  if (id != kAudioUnitProperty_StreamFormat && id != kAudioUnitProperty_MaximumFramesPerSlice) {
    return kAudioUnitErr_InvalidProperty;
  }
  if (size != NULL) *size = id == kAudioUnitProperty_StreamFormat ? sizeof(AudioStreamBasicDescription) : 4;
  if (writable != NULL) *writable = true;
  return noErr;
}

static OSStatus passing_set(void *self, UInt32 id, UInt32 scope, UInt32 element, const void *data, UInt32 size) {
  Passing *passing = self;
  (void)scope, (void)element;
  if (data == NULL) return kAudioUnitErr_InvalidPropertyValue;
  OSStatus status = noErr;
  pthread_mutex_lock(&passing->lock);
  if (id == kAudioUnitProperty_StreamFormat && size >= sizeof passing->format) {
    memcpy(&passing->format, data, sizeof passing->format);
  } else if (id == kAudioUnitProperty_MaximumFramesPerSlice && size >= sizeof passing->maximum_frames) {
    memcpy(&passing->maximum_frames, data, sizeof passing->maximum_frames);
  } else if (id == kAudioUnitProperty_SetRenderCallback && size >= sizeof passing->source) {
    memcpy(&passing->source, data, sizeof passing->source);
  } else {
    status = kAudioUnitErr_InvalidProperty;
  }
  pthread_mutex_unlock(&passing->lock);
  return status;
}

static OSStatus passing_render(void *self, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
                               UInt32 frames, AudioBufferList *data) {
  Passing *passing = self;
  Fuzz *fuzz = mine();
  (void)bus;
  pthread_mutex_lock(&passing->lock);
  AURenderCallbackStruct source = passing->source;
  pthread_mutex_unlock(&passing->lock);
  if (source.inputProc == NULL) return kAudioUnitErr_NoConnection;
  // Lists of one and of two buffers; the host's own memory, or what the source has.
  struct {
    AudioBufferList list;
    AudioBuffer second;
  } own = {{1 + (UInt32)one_in(fuzz, 2), {{1, 0, NULL}}}, {1, 0, NULL}};
  UInt32 asked = one_in(fuzz, 64) ? draw_number(fuzz) : frames * (UInt32)roll(fuzz, 5);
  OSStatus status = source.inputProc(source.inputProcRefCon, flags, time, 0, asked, &own.list);
  if (status != noErr || data == NULL) return status;
  for (UInt32 index = 0; index < data->mNumberBuffers && index < own.list.mNumberBuffers; ++index) {
    AudioBuffer *from = &own.list.mBuffers[index], *to = &data->mBuffers[index];
    UInt32 bytes = from->mDataByteSize < to->mDataByteSize ? from->mDataByteSize : to->mDataByteSize;
    if (from->mData != NULL && to->mData != NULL) memmove(to->mData, from->mData, bytes);
  }
  return noErr;
}

static OSStatus passing_open(void *self, AudioComponentInstance instance) { return (void)self, (void)instance, noErr; }
static OSStatus passing_close(void *self) {
  pthread_mutex_destroy(&((Passing *)self)->lock);
  free(self);
  return noErr;
}

static AudioComponentMethod passing_lookup(SInt16 selector) {
  switch (selector) {
    case kAudioUnitInitializeSelect:
    case kAudioUnitUninitializeSelect: return (AudioComponentMethod)passing_nothing;
    case kAudioUnitGetPropertyInfoSelect: return (AudioComponentMethod)passing_get_info;
    case kAudioUnitGetPropertySelect: return (AudioComponentMethod)passing_get;
    case kAudioUnitSetPropertySelect: return (AudioComponentMethod)passing_set;
    case kAudioUnitRenderSelect: return (AudioComponentMethod)passing_render;
    default: return NULL;
  }
}

static const AudioComponentDescription passing_description = {kAudioUnitType_Effect, 'pass', 'Fuzz', 0, 0};

static AudioComponentPlugInInterface *make_passing(const AudioComponentDescription *description) {
  (void)description;
  Passing *passing = calloc(1, sizeof *passing);
  if (passing == NULL) return NULL;
  passing->table = (AudioComponentPlugInInterface){passing_open, passing_close, passing_lookup, NULL};
  pthread_mutex_init(&passing->lock, NULL);
  passing->maximum_frames = 512;
  passing->format = (AudioStreamBasicDescription){
      44100, kAudioFormatLinearPCM, kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved, 4, 1, 4, 2, 32, 0};
  return &passing->table;
}
