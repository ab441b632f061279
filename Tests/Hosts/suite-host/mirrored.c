// The hardware by all doors: what an output unit of a Mac, the hardware's object, the hardware service and the calls from before objects say of the same
// device must be the same, a value that is set by one is read by all, and the listeners of each are told of it once until they are removed.
#include <AudioToolbox/AudioHardwareService.h>

#include "refused.h"

enum { device = 50, most_bytes = 4096 };
static const UInt32 sides[] = {kAudioObjectPropertyScopeGlobal, kAudioObjectPropertyScopeInput, kAudioObjectPropertyScopeOutput};
static const UInt32 selectors[] = {'nsrt', 'nsr#', 'fsiz', 'fsz#', 'ltnc', 'saft', 'uid ', 'lnam', 'lmak', 'tran', 'livn', 'goin', 'clas', 'bcls', 'stm#', 'slay', 'srnd', 'dflt', 'stdv', 'vfsz', 'hidn', 'muid', 'clkd', 'sfmt', 'volm', 'mute', 'dIn ', 'zzzz'};

static int is_object(UInt32 selector) { return selector == 'uid ' || selector == 'lnam' || selector == 'lmak' || selector == 'muid'; }

// Bytes of a value; an object counts as none.
static OSStatus object_value(UInt32 selector, UInt32 side, unsigned char *bytes, UInt32 *size) {
  const AudioObjectPropertyAddress address = {selector, side, 0};
  const OSStatus status = AudioObjectGetPropertyData(device, &address, 0, NULL, size, bytes);
  if (status == noErr && is_object(selector) && *size == 8) CFRelease(*(void **)(void *)bytes), memset(bytes, 0, 8);
  // Between the count of buffers and the buffers lies nothing that means anything.
  if (status == noErr && selector == 'slay') memset(bytes + 4, 0, 4);
  return status;
}

static void compare_units(const char *subtype, int is_of_the_mac) {
  AudioUnit one = unit_of("auou", subtype);
  for (size_t at = 0; at < sizeof selectors / sizeof selectors[0]; ++at)
    for (UInt32 scope = 0; scope < 3; ++scope)
      for (UInt32 element = 0; element < 2; ++element) {
        // The sizes of slices are the unit's own too, which has one global element.
        if ((selectors[at] == 'fsiz' || selectors[at] == 'fsz#') && scope == 0 && element == 1) continue;
        unsigned char by_object[most_bytes] = {0}, by_unit[most_bytes] = {0}, by_service[most_bytes] = {0};
        UInt32 object_size = most_bytes, unit_size = most_bytes, told_size = 0, service_size = most_bytes;
        const AudioObjectPropertyAddress address = {selectors[at], sides[scope], 0}, anywhere = {selectors[at], sides[0], 0};
        Boolean settable = 0, writable = 9, service_settable = 9;
        char text[64];
        snprintf(text, sizeof text, "%s %s@%u:%u", subtype, status_text((OSStatus)selectors[at]), (unsigned)scope, (unsigned)element);
        const OSStatus expected = object_value(selectors[at], sides[scope], by_object, &object_size);
        const OSStatus found = AudioUnitGetProperty(one, selectors[at], scope, element, by_unit, &unit_size);
        // A unit of the Mac has every property of the device.
        const int is_there = is_of_the_mac && AudioObjectHasProperty(device, &anywhere);
        if (!is_there) { judge(text, found, kAudioUnitErr_InvalidProperty); continue; }
        judge(text, found == noErr, expected == noErr);
        if (found != noErr || expected != noErr) continue;
        if (is_object(selectors[at]) && unit_size == 8) CFRelease(*(void **)(void *)by_unit), memset(by_unit, 0, 8);
        if (selectors[at] == 'slay') memset(by_unit + 4, 0, 4);
        judge(text, (OSStatus)unit_size, (OSStatus)object_size), judge(text, memcmp(by_unit, by_object, object_size), 0);
        judge(text, AudioUnitGetPropertyInfo(one, selectors[at], scope, element, &told_size, &writable), 0), judge(text, (OSStatus)told_size, (OSStatus)object_size);
        need(AudioObjectIsPropertySettable(device, &anywhere, &settable), "settable"), judge(text, writable, settable);
        HOLDS(AudioHardwareServiceHasProperty(device, &address) == AudioObjectHasProperty(device, &address));
        judge(text, AudioHardwareServiceGetPropertyData(device, &address, 0, NULL, &service_size, by_service), 0);
        if (is_object(selectors[at]) && service_size == 8) CFRelease(*(void **)(void *)by_service), memset(by_service, 0, 8);
        if (selectors[at] == 'slay') memset(by_service + 4, 0, 4);
        judge(text, service_size == object_size && memcmp(by_service, by_object, object_size) == 0, 1);
        judge(text, AudioHardwareServiceIsPropertySettable(device, &address, &service_settable), 0), judge(text, AudioHardwareServiceGetPropertyDataSize(device, &address, 0, NULL, &told_size), 0);
        judge(text, (OSStatus)told_size, (OSStatus)object_size);
        if (scope == 0) judge(text, service_settable, settable);
      }
  need(AudioComponentInstanceDispose(one), "dispose");
}

// MARK: Listeners

static int by_object, by_service, by_device, by_system;
static OSStatus hear_object(AudioObjectID object, UInt32 count, const AudioObjectPropertyAddress *addresses, void *user) {
  for (UInt32 at = 0; at < count; ++at) *(int *)user += object == device && addresses[at].mSelector == 'nsrt';
  return noErr;
}
static OSStatus hear_device(AudioObjectID of, UInt32 channel, Boolean is_input, UInt32 property, void *user) { return *(int *)user += of == device && channel == 0 && !is_input && property == 'nsrt', noErr; }
static OSStatus hear_system(UInt32 property, void *user) { return (void)property, ++*(int *)user, noErr; }

static Float64 rate_by(int door, AudioUnit one, Float64 rate) {
  const AudioObjectPropertyAddress address = {'nsrt', 'glob', 0};
  OSStatus status;
  if (door == 0) status = AudioObjectSetPropertyData(device, &address, 0, NULL, sizeof rate, &rate);
  else if (door == 1) status = AudioHardwareServiceSetPropertyData(device, &address, 0, NULL, sizeof rate, &rate);
  else status = AudioUnitSetProperty(one, 'nsrt', 0, 0, &rate, sizeof rate);
  ANSWERS(0, status);
  Float64 read[3] = {0};
  UInt32 size = 8;
  ANSWERS(0, AudioObjectGetPropertyData(device, &address, 0, NULL, &size, &read[0])), ANSWERS(0, AudioHardwareServiceGetPropertyData(device, &address, 0, NULL, &size, &read[1])), ANSWERS(0, AudioUnitGetProperty(one, 'nsrt', 0, 0, &read[2], &size));
  HOLDS(read[0] == rate && read[1] == rate && read[2] == rate);
  return rate;
}

static void listen_by_all(void) {
  const AudioObjectPropertyAddress address = {'nsrt', 'glob', 0};
  AudioUnit one = unit_of("auou", "ahal");
  ANSWERS(0, AudioObjectAddPropertyListener(device, &address, hear_object, &by_object)), ANSWERS(0, AudioObjectAddPropertyListener(device, &address, hear_object, &by_object));
  ANSWERS(0, AudioHardwareServiceAddPropertyListener(device, &address, hear_object, &by_service));
  ANSWERS(0, AudioDeviceAddPropertyListener(device, 0, 0, 'nsrt', hear_device, &by_device)), ANSWERS(0, AudioDeviceAddPropertyListener(device, 0, 0, 'nsrt', hear_device, &by_device));
  ANSWERS(0, AudioHardwareAddPropertyListener('dOut', hear_system, &by_system));
  Float64 rate = 22050;
  for (int door = 0; door < 3; ++door) {
    by_object = by_service = by_device = by_system = 0;
    rate_by(door, one, rate += 1000);
    HOLDS(by_object == 1), HOLDS(by_service == 1), HOLDS(by_device == 1), HOLDS(by_system == 0);
  }
  ANSWERS(0, AudioHardwareServiceRemovePropertyListener(device, &address, hear_object, &by_service));
  by_object = by_service = by_device = 0, rate_by(0, one, 32000);
  HOLDS(by_object == 1 && by_service == 0 && by_device == 1);
  // One of another channel or property is not the one that was added.
  ANSWERS(0, AudioDeviceRemovePropertyListener(device, 1, 0, 'nsrt', hear_device)), ANSWERS(0, AudioDeviceRemovePropertyListener(device, 0, 0, 'fsiz', hear_device)), ANSWERS(0, AudioDeviceRemovePropertyListener(51, 0, 0, 'nsrt', hear_device)), ANSWERS(0, AudioDeviceRemovePropertyListener(device, 0, 1, 'nsrt', hear_device));
  by_object = by_device = 0, rate_by(1, one, 44100);
  HOLDS(by_object == 1 && by_device == 1);
  ANSWERS(0, AudioDeviceRemovePropertyListener(device, 0, 0, 'nsrt', hear_device)), ANSWERS(0, AudioObjectRemovePropertyListener(device, &address, hear_object, &by_object));
  ANSWERS(0, AudioHardwareRemovePropertyListener('dOut', hear_system));
  by_object = by_device = 0, rate_by(2, one, 48000);
  HOLDS(by_object == 0 && by_device == 0);
  UInt32 frames = 256, read = 0, size = 4;
  const AudioObjectPropertyAddress buffer = {'fsiz', 'glob', 0};
  ANSWERS(0, AudioUnitSetProperty(one, 'fsiz', 0, 0, &frames, 4)), ANSWERS(0, AudioObjectGetPropertyData(device, &buffer, 0, NULL, &size, &read)), HOLDS(read == 256);
  ANSWERS(kAudioUnitErr_PropertyNotWritable, AudioUnitSetProperty(one, 'ltnc', 0, 0, &frames, 4));
  need(AudioComponentInstanceDispose(one), "dispose");
}

void mirrored_hardware(void) {
  setenv("AUBENCH_DEVICE_CLOCK", "free", 1);
  compare_units("ahal", 1), compare_units("def ", 1), compare_units("sys ", 1), compare_units("rioc", 0), compare_units("genr", 0);
  say_judged("a device by its units");
  listen_by_all(), say_judged("a device's rate by all doors");
  static const AudioObjectID objects[] = {0, 1, 50, 51, 52, 4711};
  for (int at = 0; at < 6; ++at) AudioObjectShow(objects[at]);
}
