// Files as FSRef, listeners and how parameters are shown, the hardware's older calls.
#include "host.h"
#include <CoreServices/CoreServices.h>
#include <sys/stat.h>
#include <unistd.h>

// MARK: Files

static void refer(const char *path) {
  FSRef ref, parent;
  Boolean folder = 9;
  const OSStatus status = FSPathMakeRef((const UInt8 *)path, &ref, &folder);
  const char *base = strrchr(path, '/');
  printf("ref of %s: %s %d", base ? base : path, status_text(status), status == noErr ? folder : -1);
  if (status != noErr) {
    printf("\n");
    return;
  }
  UInt8 back[4096];
  const UInt32 rooms[] = {4096, 3, 1, 0};
  for (int at = 0; at < 4; ++at) {
    const OSStatus answer = FSRefMakePath(&ref, back, rooms[at]);
    const char *end = answer == noErr ? strrchr((char *)back, '/') : NULL;
    printf(" %s %s", status_text(answer), end ? end + 1 : "");
  }
  CFURLRef url = CFURLCreateFromFSRef(NULL, &ref);
  FSRef other;
  printf(" url %d ref %d same %d", url != NULL, url ? CFURLGetFSRef(url, &other) : 9, url ? FSCompareFSRefs(&ref, &other) : 9);
  if (url) CFRelease(url);
  FSCatalogInfo info;
  HFSUniStr255 name;
  memset(&info, 0, sizeof info), memset(&name, 0, sizeof name);
  const OSErr answer = FSGetCatalogInfo(&ref, kFSCatInfoGettableInfo, &info, &name, NULL, &parent);
  printf(" facts %d flags %x data %llu resources %llu valence %u mode %o name", answer, info.nodeFlags, (unsigned long long)info.dataLogicalSize, (unsigned long long)info.rsrcLogicalSize, (unsigned)info.valence, (unsigned)(info.permissions[2] & 0xFFFF) & 0170000);
  for (UInt16 at = 0; at < name.length; ++at) printf("%c", name.unicode[at] < 127 ? name.unicode[at] : '?');
  struct stat facts;
  if (stat(path, &facts) == 0) {
    const UInt64 changed = (UInt64)info.contentModDate.highSeconds << 32 | info.contentModDate.lowSeconds;
    printf(" changed %d in folder %d", changed == (UInt64)facts.st_mtime + 2082844800u, FSCompareFSRefs(&ref, &parent));
  }
  for (int bit = 0; bit < 20; bit += 3) {
    memset(&info, 0x55, sizeof info);
    printf(" %d:%d", bit, FSGetCatalogInfo(&ref, 1u << bit, &info, NULL, NULL, NULL));
  }
  printf("\n");
  const char *names[] = {"a.wav", "", ".", "..", "x/y", "a:b", "none", "nul\1"};
  for (size_t at = 0; at < sizeof names / sizeof names[0]; ++at) {
    UniChar letters[300];
    UniCharCount count = 0;
    for (; names[at][count]; ++count) letters[count] = (UniChar)(names[at][count] == 1 ? 0 : names[at][count]);
    printf("  %s in it: %d", names[at][0] == 'n' && count == 4 && names[at][3] == 1 ? "nul" : names[at], FSMakeFSRefUnicode(&ref, count, letters, 0, &other));
    for (count = 0; count < 300; ++count) letters[count] = 'n';
    if (at < 3) printf(" %d", FSMakeFSRefUnicode(&ref, 254 + at, letters, 0, &other));
  }
  printf("\n");
}

static void files_by_reference(void) {
  const char *folder = temporary("refs");
  char path[4200], other[4200];
  mkdir(folder, 0755);
  snprintf(path, sizeof path, "%s/a.wav", folder);
  FILE *file = fopen(path, "w");
  fputs("twelve bytes", file), fclose(file);
  refer(path), refer(folder), refer("../audio/drums.flac"), refer("none"), refer("");
  snprintf(other, sizeof other, "%s/../refs/./a.wav", folder);
  refer(other);
  chmod(path, 0444), refer(path), chmod(path, 0644);
  // A link to itself, a name that is too long, and a file in the place of a folder.
  const char *loop = temporary("loop");
  char name[4600];
  unlink(loop);
  if (symlink(loop, loop) == 0) refer(loop), unlink(loop);
  snprintf(name, sizeof name, "%s/%0300d", folder, 0), refer(name);
  snprintf(name, sizeof name, "%s/within", path), refer(name);
  FSRef ref, of_folder, made;
  FSPathMakeRef((const UInt8 *)path, &ref, NULL), FSPathMakeRef((const UInt8 *)folder, &of_folder, NULL);
  printf("compare %d %d %d", FSCompareFSRefs(&ref, &ref), FSCompareFSRefs(&ref, &of_folder), FSCompareFSRefs(&of_folder, &ref));
  printf(" delete a folder with files %d the file %d again %d", FSDeleteObject(&of_folder), FSDeleteObject(&ref), FSDeleteObject(&ref));
  printf(" facts %d compare %d\n", FSGetCatalogInfo(&ref, kFSCatInfoGettableInfo, NULL, NULL, NULL, NULL), FSCompareFSRefs(&ref, &ref));
  const AudioStreamBasicDescription format = pcm(44100, 1, 16, 2, kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked);
  const CFStringRef names[] = {text_of("new.wav"), text_of(""), text_of("a/b"), text_of("new.wav")};
  for (int at = 0; at < 4; ++at) {
    AudioFileID audio = NULL;
    ExtAudioFileRef extended = NULL;
    OSStatus status = AudioFileCreate(&of_folder, names[at], four("WAVE"), &format, 0, &made, &audio);
    printf("create %d: %s", at, status_text(status));
    if (status == noErr) printf(" %s", status_text(AudioFileClose(audio)));
    if (status == noErr) {
      printf(" same %d open %s", FSCompareFSRefs(&made, &of_folder), status_text(AudioFileOpen(&made, 1, 0, &audio)));
      printf(" initialize %s", status_text(AudioFileInitialize(&made, four("caff"), &format, 0, &audio)));
      printf(" extended %s\n", status_text(ExtAudioFileOpen(&made, &extended)));
    }
    status = ExtAudioFileCreateNew(&of_folder, names[at], four("AIFF"), &format, NULL, &extended);
    printf(" new %s", status_text(status));
    if (status == noErr) printf(" %s", status_text(ExtAudioFileDispose(extended)));
    printf("\n");
  }
  snprintf(path, sizeof path, "rm -rf %s", folder);
  if (system(path) != 0) printf("left\n");
}

// MARK: Listeners and values

static void value_told(void *user, void *object, const AudioUnitParameter *parameter, Float32 value) {
  printf(" [%zu %zu %u %u %u %g]", (size_t)user, (size_t)object, (unsigned)parameter->mParameterID, (unsigned)parameter->mScope, (unsigned)parameter->mElement, value);
}

static void event_told(void *user, void *object, const AudioUnitEvent *event, UInt64 time, Float32 value) {
  (void)time;
  const UInt32 id = event->mEventType == kAudioUnitEvent_PropertyChange ? event->mArgument.mProperty.mPropertyID : event->mArgument.mParameter.mParameterID;
  printf(" [event %zu %zu %u %u %g]", (size_t)user, (size_t)object, (unsigned)event->mEventType, (unsigned)id, value);
}

static void property_told(void *user, AudioUnit unit, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element) {
  (void)unit;
  printf(" [property %zu %u %u %u]", (size_t)user, (unsigned)id, (unsigned)scope, (unsigned)element);
}

static void listeners(void) {
  AudioUnit unit = unit_of("aufx", "nbeq"), mixer = unit_of("aumx", "mcmx");
  AUParameterListenerRef first = NULL, second = NULL, none = NULL;
  AUEventListenerRef events = NULL;
  printf("listeners %s %s", status_text(AUListenerCreate(value_told, (void *)1, NULL, NULL, 0, &first)), status_text(AUListenerCreate(value_told, (void *)2, NULL, NULL, 0, &second)));
  printf(" %s", status_text(AUEventListenerCreate(event_told, (void *)3, NULL, NULL, 0, 0, &events)));
  printf(" %s %s\n", status_text(AUListenerCreate(value_told, NULL, NULL, NULL, -1, &none)), status_text(AUEventListenerCreate(event_told, NULL, NULL, NULL, NAN, 0, &none)));
  const AudioUnitParameter ones[] = {{unit, 0, 0, 0}, {unit, 2000, 0, 0}, {unit, kAUParameterListener_AnyParameter, 0, 0}, {mixer, 0, 1, 0}, {mixer, 0, 1, 7}, {mixer, 999, 0, 0}, {NULL, 0, 0, 0}};
  const UInt32 count = sizeof ones / sizeof ones[0];
  for (UInt32 at = 0; at < count; ++at) {
    printf("add %u: %s", (unsigned)at, status_text(AUListenerAddParameter(first, (void *)(size_t)(10 + at), &ones[at])));
    if (at % 2) printf(" %s", status_text(AUListenerAddParameter(second, (void *)(size_t)(20 + at), &ones[at])));
    AudioUnitEvent event = {.mEventType = at % 4};
    if (event.mEventType == kAudioUnitEvent_PropertyChange) event.mArgument.mProperty = (AudioUnitProperty){ones[at].mAudioUnit, at == 3 ? kAudioUnitProperty_ElementCount : kAudioUnitProperty_BypassEffect, at == 3 ? 1 : 0, 0};
    else event.mArgument.mParameter = ones[at];
    printf(" event %s\n", status_text(AUEventListenerAddEventType(events, (void *)(size_t)(30 + at), &event)));
  }
  printf("property %s %s\n", status_text(AudioUnitAddPropertyListener(mixer, kAudioUnitProperty_ElementCount, property_told, (void *)5)), status_text(AudioUnitAddPropertyListener(unit, kAudioUnitProperty_BypassEffect, property_told, (void *)6)));
  for (int round = 0; round < 3; ++round) {
    for (UInt32 at = 0; at < count; ++at) {
      for (int how = 0; how < 4; ++how) {
        printf("round %d set %u:", round, (unsigned)at);
        const Float32 value = at == 0 ? 3 + round : at == 1 ? 700 + 10 * (Float32)how : 0.25f * (Float32)how;
        if (how == 0) printf(" %s\n", status_text(AUParameterSet(NULL, NULL, &ones[at], value, 0)));
        if (how == 1) printf(" %s\n", status_text(AUParameterSet(first, (void *)(size_t)(10 + at), &ones[at], value, 5)));
        if (how == 2) printf(" %s\n", status_text(AUParameterListenerNotify(second, NULL, &ones[at])));
        AudioUnitEvent event = {.mEventType = (UInt32)round};
        event.mArgument.mParameter = ones[at];
        if (how == 3) printf(" %s\n", status_text(AUEventListenerNotify(round ? events : NULL, NULL, &event)));
      }
    }
    printf("change"), set_uint(mixer, kAudioUnitProperty_ElementCount, 1, 0, 3 + (UInt32)round), set_uint(unit, kAudioUnitProperty_BypassEffect, 0, 0, round % 2 == 0);
    printf("\n");
    printf("directly %s\n", status_text(AudioUnitSetParameter(unit, 0, 0, 0, (Float32)round, 0)));
    if (round == 0) printf("remove %s %s", status_text(AUListenerRemoveParameter(first, (void *)10, &ones[0])), status_text(AUListenerRemoveParameter(first, (void *)11, &ones[0])));
    if (round == 0) printf(" %s\n", status_text(AudioUnitRemovePropertyListenerWithUserData(mixer, kAudioUnitProperty_ElementCount, property_told, (void *)6)));
    if (round == 1) printf("remove %s %s\n", status_text(AudioUnitRemovePropertyListenerWithUserData(mixer, kAudioUnitProperty_ElementCount, property_told, (void *)5)), status_text(AudioUnitRemovePropertyListener(unit, kAudioUnitProperty_BypassEffect, property_told)));
    if (round == 1) {
      AudioUnitEvent event = {.mEventType = 1};
      event.mArgument.mParameter = ones[1];
      printf("remove event %s %s dispose %s\n", status_text(AUEventListenerRemoveEventType(events, (void *)31, &event)), status_text(AUEventListenerRemoveEventType(events, (void *)32, &event)), status_text(AUListenerDispose(second)));
    }
  }
  printf("disposed %s %s %s\n", status_text(AUListenerDispose(first)), status_text(AUListenerDispose(first)), status_text(AUListenerDispose(events)));
  static const char *kinds[][2] = {{"aufx", "nbeq"}, {"aumx", "mcmx"}, {"aufx", "lpas"}, {"aufx", "pmeq"}, {"aufx", "bpas"}, {"aufx", "hshf"}};
  for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; ++kind) {
    AudioUnit one = unit_of(kinds[kind][0], kinds[kind][1]);
    for (UInt32 scope = 0; scope < 3; ++scope) {
      UInt32 ids[600], size = sizeof ids;
      if (AudioUnitGetProperty(one, kAudioUnitProperty_ParameterList, scope, 0, ids, &size) != noErr) continue;
      for (UInt32 index = 0; index < size / 4; ++index) {
        const AudioUnitParameter parameter = {one, ids[index], scope, 0};
        printf("%s %u %u:", kinds[kind][1], (unsigned)scope, (unsigned)ids[index]);
        for (Float32 part = -0.25f; part <= 1.25f; part += 0.25f) {
          const Float32 value = AUParameterValueFromLinear(part, &parameter);
          char text[64] = "";
          AUParameterFormatValue(value, &parameter, text, 4);
          printf(" %.5g %.5g %s", value, AUParameterValueToLinear(value, &parameter), text);
          AUParameterFormatValue(value * 1.2345, &parameter, text, 1);
          printf(" %s", text);
        }
        printf("\n");
      }
    }
    AudioComponentInstanceDispose(one);
  }
  AudioComponentInstanceDispose(unit), AudioComponentInstanceDispose(mixer);
}

// MARK: The hardware's older calls

static OSStatus hardware_told(AudioHardwarePropertyID id, void *user) { return printf(" [hardware %s %zu]", status_text((OSStatus)id), (size_t)user), noErr; }
static OSStatus device_told(AudioDeviceID device, UInt32 channel, Boolean input, AudioDevicePropertyID id, void *user) {
  return printf(" [device %d %u %d %s %zu]", device != 0, (unsigned)channel, input, status_text((OSStatus)id), (size_t)user), noErr;
}
static OSStatus object_told(AudioObjectID object, UInt32 count, const AudioObjectPropertyAddress *list, void *user) {
  printf(" [object %d %u", object != 0, (unsigned)count);
  for (UInt32 at = 0; at < count; ++at) printf(" %s", status_text((OSStatus)list[at].mSelector));
  return printf(" %zu]", (size_t)user), noErr;
}

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
static void older(void) {
  const char *system_ones[] = {"dev#", "dOut", "dIn ", "sOut", "none", "bmda"};
  for (size_t at = 0; at < sizeof system_ones / sizeof system_ones[0]; ++at) {
    UInt32 size = 0;
    Boolean writable = 9;
    printf("%s", system_ones[at]);
    const OSStatus status = AudioHardwareGetPropertyInfo(four(system_ones[at]), &size, &writable);
    printf(" %s %u %d", status_text(status), status == noErr ? (unsigned)size : 0, status == noErr ? writable : -1);
    UInt32 room[16] = {0};
    size = sizeof room;
    printf(" %s %u", status_text(AudioHardwareGetProperty(four(system_ones[at]), &size, room)), (unsigned)size);
    size = 2;
    printf(" %s", status_text(AudioHardwareGetProperty(four(system_ones[at]), &size, room)));
    printf(" listen %s", status_text(AudioHardwareAddPropertyListener(four(system_ones[at]), hardware_told, (void *)at)));
    printf(" set %s", status_text(AudioHardwareSetProperty(four(system_ones[at]), 4, room)));
    printf(" %s\n", status_text(AudioHardwareRemovePropertyListener(four(system_ones[at]), hardware_told)));
  }
  AudioDeviceID device = 0;
  UInt32 size = sizeof device;
  need(AudioHardwareGetProperty('dOut', &size, &device), "default output");
  const char *device_ones[] = {"name", "lnam", "makr", "uid ", "fsiz", "fsz#", "nsrt", "nsr#", "slay", "sfmt", "sfm#", "ltnc", "saft", "goin", "livn", "stm#", "hog ", "volm", "mute", "none", "bfsz", "slot"};
  for (size_t at = 0; at < sizeof device_ones / sizeof device_ones[0]; ++at) {
    for (int input = 0; input < 2; ++input) {
      const UInt32 id = four(device_ones[at]);
      Boolean writable = 9;
      size = 0;
      const OSStatus status = AudioDeviceGetPropertyInfo(device, 0, (Boolean)input, id, &size, &writable);
      printf("%s %d %s %u %d", device_ones[at], input, status_text(status), status == noErr ? (unsigned)size : 0, status == noErr ? writable : -1);
      unsigned char room[512];
      memset(room, 0, sizeof room);
      size = sizeof room;
      const OSStatus got = AudioDeviceGetProperty(device, 0, (Boolean)input, id, &size, room);
      printf(" %s", status_text(got));
      const int plain = strstr("lnam makr uid  stm# slay", device_ones[at]) == NULL;
      if (got == noErr && plain) printf(" %u %016llx", (unsigned)size, digest(0, room, size));
      printf(" listen %s", status_text(AudioDeviceAddPropertyListener(device, 0, (Boolean)input, id, device_told, (void *)at)));
      const AudioObjectPropertyAddress address = {id, input ? 'inpt' : 'outp', 0};
      printf(" %s", status_text(AudioObjectAddPropertyListener(device, &address, object_told, (void *)at)));
      printf(" has %d", AudioHardwareServiceHasProperty(device, &address));
      Boolean settable = 9;
      UInt32 bytes = 0;
      const OSStatus may = AudioHardwareServiceIsPropertySettable(device, &address, &settable), sized = AudioHardwareServiceGetPropertyDataSize(device, &address, 0, NULL, &bytes);
      printf(" %s %d %s %u", status_text(may), may == noErr ? settable : -1, status_text(sized), sized == noErr ? (unsigned)bytes : 0);
      if (got == noErr && plain) {
        if (size == 4) room[0] ^= 0x40;
        printf(" set %s %s", status_text(AudioDeviceSetProperty(device, NULL, 0, (Boolean)input, id, size, room)), status_text(AudioDeviceSetProperty(device, NULL, 0, (Boolean)input, id, 1, room)));
        if (size == 4) room[0] ^= 0x60;
        printf(" %s", status_text(AudioHardwareServiceSetPropertyData(device, &address, 0, NULL, size, room)));
        size = sizeof room;
        printf(" %s %016llx", status_text(AudioHardwareServiceGetPropertyData(device, &address, 0, NULL, &size, room)), digest(0, room, size));
      }
      printf(" %s %s %s\n", status_text(AudioDeviceRemovePropertyListener(device, 0, (Boolean)input, id, device_told)), status_text(AudioObjectRemovePropertyListener(device, &address, object_told, (void *)at)), status_text(AudioObjectRemovePropertyListener(device, &address, object_told, (void *)at)));
    }
  }
  // Rates that are set on the device, and its format and size then.
  const Float64 rates[] = {44100, 8000, 96000, 0, -5, 192000, 12345, 48000};
  for (size_t at = 0; at < sizeof rates / sizeof rates[0]; ++at) {
    Float64 rate = -1;
    AudioStreamBasicDescription format = {0};
    size = sizeof rate;
    printf("rate %g %s", rates[at], status_text(AudioDeviceSetProperty(device, NULL, 0, 0, 'nsrt', 8, &rates[at])));
    AudioDeviceGetProperty(device, 0, 0, 'nsrt', &size, &rate), size = sizeof format;
    AudioDeviceGetProperty(device, 0, 0, 'sfmt', &size, &format);
    printf(" is %g ", rate), say_format(&format);
    format.mSampleRate = rates[at] + 1000;
    printf(" format %s ", status_text(AudioDeviceSetProperty(device, NULL, 0, 0, 'sfmt', sizeof format, &format)));
    size = sizeof format, AudioDeviceGetProperty(device, 0, 0, 'sfmt', &size, &format), say_format(&format);
    format.mChannelsPerFrame += 1;
    printf(" other channels %s\n", status_text(AudioDeviceSetProperty(device, NULL, 0, 0, 'sfmt', sizeof format, &format)));
  }
}

void services(void) {
  run_device_into("services.wav");
  files_by_reference(), listeners(), older();
}
