// The hardware, its scenarios and the audio session asked wrongly.
#include <aubench/DeviceScenario.h>
#include <unistd.h>

#include "refused.h"

static OSStatus tell(AudioObjectID object, UInt32 count, const AudioObjectPropertyAddress *addresses, void *user) { return (void)object, (void)count, (void)addresses, (void)user, noErr; }
static OSStatus play(AudioObjectID device, const AudioTimeStamp *now, const AudioBufferList *in, const AudioTimeStamp *in_time, AudioBufferList *out, const AudioTimeStamp *out_time, void *user) { return (void)device, (void)now, (void)in, (void)in_time, (void)out, (void)out_time, (void)user, noErr; }

static OSStatus advance_within(void *user, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames, AudioBufferList *data) {
  *(OSStatus *)user = AUBenchDeviceAdvance(0.1);
  return give_silence(NULL, flags, time, bus, frames, data);
}

static OSStatus follow(const char *scenario) {
  // A message names the file as it is given here.
  need(chdir(temporary("")), "folder");
  FILE *file = fopen("refused.json", "w");
  fputs(scenario, file), fclose(file);
  return AUBenchDeviceFollowScenario("refused.json");
}

void wrong_hardware(void) {
  const AudioObjectPropertyAddress rate = {'nsrt', 'glob', 0}, unknown = {'zzzz', 'glob', 0}, name = {'lnam', 'glob', 0};
  Float64 value = 44100;
  UInt32 size = sizeof value;
  Boolean settable;
  AudioDeviceIOProcID id = NULL;
  ANSWERS('!obj', AudioObjectGetPropertyData(4711, &rate, 0, NULL, &size, &value));
  ANSWERS('!obj', AudioObjectGetPropertyDataSize(4711, &rate, 0, NULL, &size));
  ANSWERS('!obj', AudioObjectSetPropertyData(4711, &rate, 0, NULL, 8, &value));
  ANSWERS('!obj', AudioObjectIsPropertySettable(4711, &rate, &settable));
  ANSWERS('!obj', AudioObjectAddPropertyListener(4711, &rate, tell, NULL));
  HOLDS(!AudioObjectHasProperty(4711, &rate)), HOLDS(!AudioObjectHasProperty(50, &unknown));
  ANSWERS('who?', AudioObjectGetPropertyData(50, &unknown, 0, NULL, &size, &value));
  ANSWERS('who?', AudioObjectGetPropertyDataSize(50, &unknown, 0, NULL, &size));
  ANSWERS('who?', AudioObjectSetPropertyData(50, &unknown, 0, NULL, 8, &value));
  ANSWERS('who?', AudioObjectIsPropertySettable(50, &unknown, &settable));
  size = 4;
  ANSWERS('!siz', AudioObjectGetPropertyData(50, &rate, 0, NULL, &size, &value));
  ANSWERS('!siz', AudioObjectSetPropertyData(50, &rate, 0, NULL, 4, &value));
  ANSWERS('unop', AudioObjectSetPropertyData(50, &name, 0, NULL, 8, &value));
  ANSWERS('nope', AudioObjectIsPropertySettable(50, &rate, (Boolean *)nothing));
  ANSWERS('nope', AudioObjectIsPropertySettable(50, (const AudioObjectPropertyAddress *)nothing, &settable));
  ANSWERS('nope', AudioObjectGetPropertyDataSize(50, (const AudioObjectPropertyAddress *)nothing, 0, NULL, &size));
  ANSWERS('nope', AudioObjectGetPropertyDataSize(50, &rate, 0, NULL, (UInt32 *)nothing));
  ANSWERS('nope', AudioObjectGetPropertyData(50, &rate, 0, NULL, (UInt32 *)nothing, &value));
  ANSWERS('nope', AudioObjectGetPropertyData(50, &rate, 0, NULL, &size, nothing));
  ANSWERS('nope', AudioObjectSetPropertyData(50, &rate, 0, NULL, 8, nothing));
  ANSWERS('nope', AudioObjectAddPropertyListener(50, &rate, (AudioObjectPropertyListenerProc)nothing, NULL));
  ANSWERS('nope', AudioObjectAddPropertyListener(50, (const AudioObjectPropertyAddress *)nothing, tell, NULL));
  ANSWERS(0, AudioObjectRemovePropertyListener(50, &rate, tell, NULL));
  HOLDS(!AudioObjectHasProperty(50, (const AudioObjectPropertyAddress *)nothing));
  value = 1;
  ANSWERS('!dat', AudioObjectSetPropertyData(50, &rate, 0, NULL, 8, &value));
  ANSWERS('!dev', AudioDeviceCreateIOProcID(4711, play, NULL, &id));
  ANSWERS('nope', AudioDeviceCreateIOProcID(50, (AudioDeviceIOProc)nothing, NULL, &id));
  ANSWERS('nope', AudioDeviceCreateIOProcID(50, play, NULL, (AudioDeviceIOProcID *)nothing));
  ANSWERS('nope', AudioDeviceDestroyIOProcID(50, (AudioDeviceIOProcID)play));
  ANSWERS('nope', AudioDeviceStart(50, (AudioDeviceIOProcID)play));
  ANSWERS('nope', AudioDeviceStop(50, (AudioDeviceIOProcID)play));
  ANSWERS(0, AudioDeviceCreateIOProcID(50, play, NULL, &id));
  ANSWERS('nope', AudioDeviceStart(50, (AudioDeviceIOProcID)play));
  ANSWERS(0, AudioDeviceStop(50, id));
  ANSWERS(0, AudioDeviceDestroyIOProcID(50, id));
  ANSWERS('nope', AudioDeviceDestroyIOProcID(50, id));
  ANSWERS('nope', AudioDeviceStart(50, id));
  ANSWERS('nope', AudioDeviceStop(50, id));
  ANSWERS('!dev', AudioDeviceAddIOProc(4711, play, NULL));
  ANSWERS('nope', AudioDeviceRemoveIOProc(50, play));
  ANSWERS(0, AudioDeviceAddIOProc(50, play, NULL));
  ANSWERS('nope', AudioDeviceAddIOProc(50, play, NULL));
  ANSWERS(0, AudioDeviceStop(50, (AudioDeviceIOProcID)play));
  ANSWERS(0, AudioDeviceRemoveIOProc(50, play));
  ANSWERS('nope', AudioDeviceRemoveIOProc(50, play));
  say_judged("the hardware");

  // Time goes on where the scenario's clock is told, and nowhere else.
  ANSWERS(-50, AUBenchDeviceAdvance(0.1));
  ANSWERS(-43, AUBenchDeviceFollowScenario("/nowhere/at/all.json"));
  ANSWERS(-50, AUBenchDeviceAdvance(0.1));
  need(follow("{\"version\": 1, \"device\": {\"clock\": \"free\", \"sampleRate\": 48000}, \"seconds\": 1}"), "scenario");
  ANSWERS(-50, AUBenchDeviceAdvance(0.1));
  need(follow("{\"version\": 1, \"device\": {\"clock\": \"told\", \"sampleRate\": 48000, \"slices\": [480]}, \"seconds\": 1}"), "scenario");
  ANSWERS(0, AUBenchDeviceAdvance(0.1));
  ANSWERS(0, AUBenchDeviceAdvance(0));
  const Float64 seconds[] = {-1, NAN, INFINITY, -INFINITY};
  for (int at = 0; at < 4; ++at) ANSWERS(-50, AUBenchDeviceAdvance(seconds[at]));
  OSStatus within = 0;
  AudioUnit output = unit_of("auou", "rioc");
  const AURenderCallbackStruct callback = {advance_within, &within};
  need(AudioUnitSetProperty(output, kAudioUnitProperty_SetRenderCallback, 1, 0, &callback, sizeof callback), "callback");
  ANSWERS(kAudioUnitErr_Uninitialized, AudioOutputUnitStart(output));
  need(AudioUnitInitialize(output), "initialize"), need(AudioOutputUnitStart(output), "start");
  ANSWERS(0, AUBenchDeviceAdvance(0.05));
  ANSWERS(-50, within);
  ANSWERS(0, AudioOutputUnitStart(output));
  ANSWERS(0, AudioOutputUnitStop(output));
  ANSWERS(0, AudioOutputUnitStop(output));
  need(AudioComponentInstanceDispose(output), "dispose");
  ANSWERS(-50, follow("{\"version\": 1, \"device\": {\"clock\": \"sundial\"}}"));
  ANSWERS(0, AUBenchDeviceFollowScenario(NULL));
  ANSWERS(-50, AUBenchDeviceAdvance(0.1));
  HOLDS(AUBenchDeviceGetSeconds() == 0);
  say_judged("scenarios");
}

static void hear_session(void *user, AudioSessionPropertyID id, UInt32 size, const void *data) { (void)user, (void)id, (void)size, (void)data; }

void wrong_session(void) {
  UInt32 word = 0, size = 4;
  Float64 rate = 44100;
  // Everything waits for AudioSessionInitialize.
  ANSWERS('!ini', AudioSessionSetActive(1));
  ANSWERS('!ini', AudioSessionSetActiveWithFlags(0, 1));
  ANSWERS('!ini', AudioSessionGetProperty('acat', &size, &word));
  ANSWERS('!ini', AudioSessionSetProperty('acat', 4, &word));
  ANSWERS('!ini', AudioSessionGetPropertySize('acat', &size));
  ANSWERS('!ini', AudioSessionAddPropertyListener('roch', hear_session, NULL));
  ANSWERS('!ini', AudioSessionRemovePropertyListener('roch'));
  ANSWERS('!ini', AudioSessionRemovePropertyListenerWithUserData('roch', hear_session, NULL));
  ANSWERS(0, AudioSessionInitialize(NULL, NULL, NULL, NULL));
  ANSWERS('init', AudioSessionInitialize(NULL, NULL, NULL, NULL));
  size = 4;
  ANSWERS('pty?', AudioSessionGetProperty('zzzz', &size, &word));
  ANSWERS('pty?', AudioSessionSetProperty('zzzz', 4, &word));
  ANSWERS('pty?', AudioSessionGetPropertySize('zzzz', &size));
  // Only listened to, only written, only read.
  size = 8;
  ANSWERS('pty?', AudioSessionGetProperty('roch', &size, &rate));
  ANSWERS('pty?', AudioSessionGetProperty('died', &size, &rate));
  ANSWERS('pty?', AudioSessionGetProperty('ovrd', &size, &rate));
  const char *read_only[] = {"chsr", "chic", "choc", "chov", "cilt", "colt", "chbd", "othr", "aiav", "srcs", "dsts", "igav", "crar", "rout", "roch", "died"};
  for (int at = 0; at < 16; ++at) ANSWERS('pty?', AudioSessionSetProperty(four(read_only[at]), at == 0 ? 8 : 4, &rate));
  size = 3;
  ANSWERS('!siz', AudioSessionGetProperty('acat', &size, &word));
  ANSWERS('!siz', AudioSessionSetProperty('acat', 3, &word));
  ANSWERS('!siz', AudioSessionSetProperty('hwsr', 4, &rate));
  ANSWERS('!siz', AudioSessionSetProperty('iobd', 8, &rate));
  ANSWERS('pty?', AudioSessionSetProperty('acat', 4, &word));
  ANSWERS(-50, AudioSessionGetProperty('acat', (UInt32 *)nothing, &word));
  size = 4;
  ANSWERS(-50, AudioSessionGetProperty('acat', &size, nothing));
  ANSWERS(-50, AudioSessionSetProperty('acat', 4, nothing));
  ANSWERS(-50, AudioSessionGetPropertySize('acat', (UInt32 *)nothing));
  ANSWERS(-50, AudioSessionAddPropertyListener('roch', (AudioSessionPropertyListener)nothing, NULL));
  ANSWERS('pty?', AudioSessionAddPropertyListener('acat', hear_session, NULL));
  ANSWERS('pty?', AudioSessionAddPropertyListener('zzzz', hear_session, NULL));
  ANSWERS(0, AudioSessionRemovePropertyListenerWithUserData('roch', hear_session, NULL));
  // A wish for a buffer is a length; the microphone's gain has two ends.
  const Float32 odd[] = {NAN, INFINITY, -INFINITY, -1};
  for (int at = 0; at < 4; ++at) ANSWERS('pty?', AudioSessionSetProperty('iobd', 4, &odd[at]));
  static const Float32 gains[][2] = {{2, 1}, {-1, 0}, {0.25f, 0.25f}, {INFINITY, 1}, {-INFINITY, 0}};
  Float32 gain;
  for (int at = 0; at < 5; ++at) {
    size = 4;
    ANSWERS(0, AudioSessionSetProperty('igsc', 4, &gains[at][0])), ANSWERS(0, AudioSessionGetProperty('igsc', &size, &gain)), HOLDS(gain == gains[at][1]);
  }
  ANSWERS('pty?', AudioSessionSetProperty('igsc', 4, &odd[0]));
  // A category begins with its own route, mode and switches.
  const UInt32 both = 'plar', playing = 'medi', speaker = 'spkr', chat = 'vcct', one = 1, usual = 'dflt';
  char routes[3][64];
  for (int step = 0; step < 3; ++step) {
    CFStringRef route = NULL;
    ANSWERS(0, AudioSessionSetProperty('acat', 4, &both));
    if (step == 1) ANSWERS(0, AudioSessionSetProperty('ovrd', 4, &speaker)), ANSWERS(0, AudioSessionSetProperty('mode', 4, &chat)), ANSWERS(0, AudioSessionSetProperty('cmix', 4, &one));
    size = sizeof route;
    ANSWERS(0, AudioSessionGetProperty('rout', &size, &route));
    if (route) CFStringGetCString(route, routes[step], 64, utf8), CFRelease(route);
    size = 4;
    ANSWERS(0, AudioSessionGetProperty('mode', &size, &word)), HOLDS(word == (step == 1 ? chat : usual));
    ANSWERS(0, AudioSessionGetProperty('cmix', &size, &word)), HOLDS(word == (step == 1));
    ANSWERS(0, AudioSessionSetProperty('acat', 4, &playing));
    ANSWERS('!cat', AudioSessionSetProperty('ovrd', 4, &speaker));
  }
  HOLDS(strcmp(routes[0], "ReceiverAndMicrophone") == 0 && strcmp(routes[1], routes[0]) != 0 && strcmp(routes[2], routes[0]) == 0);
  say_judged("the session");
}
