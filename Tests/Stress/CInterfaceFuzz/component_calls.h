// Calls of components, listeners, texts and references to files whose arguments belong together. Included by fuzz.c
// alone.

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

static void call_AudioObjectAddPropertyListenerBlock(Fuzz *fuzz) {
  note(fuzz, AudioObjectAddPropertyListenerBlock(
      draw_object_id(fuzz), (const AudioObjectPropertyAddress *)draw_address(fuzz),
      one_in(fuzz, 2) ? NULL : fuzz->objects->queue,
      one_in(fuzz, 16) ? NULL : ^(UInt32 count, const AudioObjectPropertyAddress *addresses) {
        (void)count, (void)addresses;
        meddle(mine());
      }));
}

static void call_AudioObjectRemovePropertyListenerBlock(Fuzz *fuzz) {
  note(fuzz, AudioObjectRemovePropertyListenerBlock(
      draw_object_id(fuzz), (const AudioObjectPropertyAddress *)draw_address(fuzz),
      one_in(fuzz, 2) ? NULL : fuzz->objects->queue,
      ^(UInt32 count, const AudioObjectPropertyAddress *addresses) { (void)count, (void)addresses; }));
}

// Without a queue: the device waits for the one that it calls on, where other calls of this program wait for the device.
static void call_AudioDeviceCreateIOProcIDWithBlock(Fuzz *fuzz) {
  note(fuzz, AudioDeviceCreateIOProcIDWithBlock(
      (AudioDeviceIOProcID *)draw_memory(fuzz), draw_object_id(fuzz), NULL,
      one_in(fuzz, 16) ? NULL : ^(
          const AudioTimeStamp *now, const AudioBufferList *input, const AudioTimeStamp *input_time,
          AudioBufferList *output, const AudioTimeStamp *output_time) {
        (void)now, (void)input, (void)input_time, (void)output, (void)output_time;
        meddle(mine());
      }));
}

static void call_AudioServicesPlaySystemSoundWithCompletion(Fuzz *fuzz) {
  AudioServicesPlaySystemSoundWithCompletion((SystemSoundID)draw_number(fuzz), ^{ meddle(mine()); });
}

static void call_AudioServicesPlayAlertSoundWithCompletion(Fuzz *fuzz) {
  AudioServicesPlayAlertSoundWithCompletion(
      one_in(fuzz, 4) ? kSystemSoundID_UserPreferredAlert : (SystemSoundID)draw_number(fuzz),
      one_in(fuzz, 4) ? NULL : ^{ meddle(mine()); });
}

static void call_AudioConverterPrepare(Fuzz *fuzz) {
  if (one_in(fuzz, 4)) {
    AudioConverterPrepare((UInt32)draw_number(fuzz), NULL, NULL);
  } else {
    AudioConverterPrepare((UInt32)draw_number(fuzz), NULL, ^(OSStatus status) {
      note(mine(), status);
      meddle(mine());
    });
  }
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
