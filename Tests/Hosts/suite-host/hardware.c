// The simulated hardware by its object: everything it says of itself and of its streams, what can be set, and programs
// that play through a procedure of their own.
#include "host.h"
#include <unistd.h>

static const char *const codes[] = {
    "!dat", "!dev", "!hog", "!obj", "!siz", "!str", "****", "1394", "abox", "actl", "adev", "airp", "akin", "aobj",
    "aplg", "asrt", "astr", "asys", "bcls", "bltn", "blue", "bsiz", "bsz#", "chnm", "clas", "clkd", "ctrl", "dIn ",
    "dOut", "dch2", "dev#", "dflt", "diff", "dprt", "fsiz", "fsz#", "glob", "goin", "gone", "grup", "hdmi", "hdph",
    "hidn", "hogr", "icon", "inpt", "lchn", "line", "livn", "lmak", "lmod", "lnam", "lscn", "ltnc", "makr", "micr",
    "muid", "mute", "name", "ncyc", "nope", "nsr#", "nsrt", "oink", "oplg", "outp", "over", "ownd", "pci ", "pft ",
    "pft#", "pfta", "pftm", "plug", "pmut", "ptru", "rnlp", "sOut", "sact", "saft", "schn", "sdir", "sflt", "sfm#",
    "sfma", "sfmm", "sfmt", "slay", "slep", "spkr", "srnd", "srst", "ssc#", "ssrc", "stdv", "stm#", "stmo", "stop",
    "suse", "term", "thru", "thun", "tran", "uid ", "uidd", "unld", "unop", "usb ", "vfsz", "virt", "vold", "volm",
    "what", "who?",
};

static void one(UInt32 object, UInt32 selector, UInt32 scope, UInt32 element) {
  const AudioObjectPropertyAddress address = {selector, scope, element};
  if (!AudioObjectHasProperty(object, &address)) return;
  Boolean settable = 9;
  const OSStatus asked = AudioObjectIsPropertySettable(object, &address, &settable);
  UInt32 size = 0;
  OSStatus status = AudioObjectGetPropertyDataSize(object, &address, 0, NULL, &size);
  printf("  %u %s %s %u: %s/%d %s %u", (unsigned)object, status_text((OSStatus)selector), status_text((OSStatus)scope), (unsigned)element,
         status_text(asked), settable, status_text(status), (unsigned)size);
  static unsigned char bytes[8192];
  memset(bytes, 0, sizeof bytes);
  if (size > sizeof bytes) size = sizeof bytes;
  UInt32 got = size;
  status = AudioObjectGetPropertyData(object, &address, 0, NULL, &got, bytes);
  // Between the count of buffers and the buffers lies nothing that means anything.
  if (selector == kAudioDevicePropertyStreamConfiguration) memset(bytes + 4, 0, 4);
  printf(" %s %u ", status_text(status), (unsigned)got);
  unsigned long long word;
  memcpy(&word, bytes, 8);
  if (size == 8 && word >> 40 && word >> 48 == 0) printf("*");
  else for (UInt32 at = 0; at < got && at < 64; ++at) printf("%02x", bytes[at]);
  UInt32 less = size > 0 ? size - 1 : 0;
  unsigned char little[8192];
  printf(" short %s/%u", status_text(AudioObjectGetPropertyData(object, &address, 0, NULL, &less, little)), (unsigned)less);
  if (settable == 1 && size == 4) {
    static const UInt32 values[] = {0, 1, 15, 16, 50, 51, 512, 4096, 4097, 0xFFFFFFFF};
    for (size_t index = 0; index < sizeof values / 4; ++index) {
      UInt32 now = 0, room = 4;
      printf(" %s", status_text(AudioObjectSetPropertyData(object, &address, 0, NULL, 4, &values[index])));
      if (AudioObjectGetPropertyData(object, &address, 0, NULL, &room, &now) == noErr) printf("=%u", (unsigned)now);
    }
  }
  if (settable == 1 && size == 8) {
    static const Float64 values[] = {0, 7999, 8000, 22050, 22050.5, 192000, 192001, NAN};
    for (size_t index = 0; index < sizeof values / 8; ++index) {
      Float64 now = 0;
      UInt32 room = 8;
      printf(" %s", status_text(AudioObjectSetPropertyData(object, &address, 0, NULL, 8, &values[index])));
      if (AudioObjectGetPropertyData(object, &address, 0, NULL, &room, &now) == noErr) printf("=%g", now);
    }
  }
  if (settable == 1) {
    printf(" short %s", status_text(AudioObjectSetPropertyData(object, &address, 0, NULL, size - 1, bytes)));
    printf(" back %s", status_text(AudioObjectSetPropertyData(object, &address, 0, NULL, size, bytes)));
  }
  printf("\n");
}

static struct {
  _Atomic(long) calls, frames;
  int jumps, wrong;
  Float64 next;
  UInt32 inputs, outputs, bytes;
} play;

static OSStatus procedure(AudioObjectID device, const AudioTimeStamp *now, const AudioBufferList *input, const AudioTimeStamp *input_time, AudioBufferList *output, const AudioTimeStamp *output_time, void *client) {
  (void)now;
  if (client != &play || device != 50) ++play.wrong;
  play.inputs = input ? input->mNumberBuffers : 0;
  play.outputs = output ? output->mNumberBuffers : 0;
  if (input_time->mFlags != output_time->mFlags || output_time->mRateScalar != 1) ++play.wrong;
  if (play.calls > 0 && output_time->mSampleTime != play.next) ++play.jumps;
  if (output == NULL || output->mNumberBuffers == 0) return noErr;
  play.bytes = output->mBuffers[0].mDataByteSize;
  const UInt32 channels = output->mBuffers[0].mNumberChannels, frames = play.bytes / 4 / channels;
  for (UInt32 at = 0; at < frames * channels; ++at) {
    ((Float32 *)output->mBuffers[0].mData)[at] = (Float32)(SInt16)noise((UInt32)play.frames * channels + at) / 65536;
  }
  play.next = output_time->mSampleTime + frames;
  ++play.calls;
  play.frames += frames;
  return noErr;
}

static void say_runs(void) {
  for (int run = 1; run < 5; ++run) {
    char name[32];
    snprintf(name, sizeof name, run == 1 ? "play.wav" : "play-%d.wav", run);
    long bytes;
    const Digest file = file_digest(temporary(name), &bytes);
    printf("  %s %ld %016llx\n", name, bytes, file);
  }
}

void hardware(void) {
  run_device_into("play.wav");
  static const UInt32 objects[] = {0, 1, 50, 51, 52, 53};
  static const char *const scopes[] = {"glob", "inpt", "outp"};
  for (size_t object = 0; object < sizeof objects / 4; ++object) {
    for (size_t index = 0; index < sizeof codes / sizeof codes[0]; ++index) {
      for (int scope = 0; scope < 3; ++scope) {
        for (UInt32 element = 0; element < 2; ++element) one(objects[object], four(codes[index]), four(scopes[scope]), element);
      }
    }
  }
  AudioDeviceIOProcID id = NULL, other = NULL;
  printf("create %s", status_text(AudioDeviceCreateIOProcID(50, procedure, &play, &id)));
  printf(" of no device %s\n", status_text(AudioDeviceCreateIOProcID(49, procedure, &play, &other)));
  for (int run = 0; run < 2; ++run) {
    play.calls = play.frames = 0;
    printf("start %s", status_text(AudioDeviceStart(50, id)));
    for (int wait = 0; wait < 800 && play.frames < 4800; ++wait) usleep(2500);
    printf(" stop %s again %s frames %ld calls %ld jumps %d wrong %d buffers %u/%u of %u\n", status_text(AudioDeviceStop(50, id)),
           status_text(AudioDeviceStop(50, id)), play.frames, play.calls, play.jumps, play.wrong, (unsigned)play.inputs, (unsigned)play.outputs, (unsigned)play.bytes);
  }
  printf("clock alone %s %s\n", status_text(AudioDeviceStart(50, NULL)), status_text(AudioDeviceStop(50, NULL)));
  printf("destroy %s", status_text(AudioDeviceDestroyIOProcID(50, id)));
  printf(" again %s start %s\n", status_text(AudioDeviceDestroyIOProcID(50, id)), status_text(AudioDeviceStart(50, id)));
  say_runs();
}
