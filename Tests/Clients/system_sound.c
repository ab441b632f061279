// System sounds: a file is played, its completion is called on the run loop of this thread, and by a block elsewhere.
#include "client.h"
#include <dispatch/dispatch.h>

static int completed;

static void didEnd(SystemSoundID sound, void *data) {
  ++completed;
  printf("completed %d, data %d\n", sound == *(SystemSoundID *)data, completed);
}

int main(int argc, char **argv) {
  SystemSoundID sound = 77;
  CFURLRef url = CFURLCreateFromFileSystemRepresentation(
      NULL, (const UInt8 *)argv[argc - 1], (CFIndex)strlen(argv[argc - 1]), false);
  printf("create %d", (int)AudioServicesCreateSystemSoundID(url, &sound));
  printf(", above the alert's %d\n", sound > kSystemSoundID_UserPreferredAlert);
  printf("completion %d", (int)AudioServicesAddSystemSoundCompletion(
      sound, CFRunLoopGetCurrent(), kCFRunLoopDefaultMode, didEnd, &sound));
  printf(", of an unknown sound %d\n", (int)AudioServicesAddSystemSoundCompletion(sound + 1, NULL, NULL, didEnd, NULL));
  AudioServicesPlaySystemSound(sound);
  for (int turn = 0; turn < 100 && completed == 0; ++turn) { CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0.1, true); }
  AudioServicesRemoveSystemSoundCompletion(sound);

  UInt32 value = 77, size = 4;
  Boolean writable = 0;
  printf("info %d", (int)AudioServicesGetPropertyInfo(kAudioServicesPropertyIsUISound, 4, &sound, &size, &writable));
  printf(" %d %d", (int)size, writable);
  printf(", get %d", (int)AudioServicesGetProperty(kAudioServicesPropertyIsUISound, 4, &sound, &size, &value));
  printf(" %d", (int)value);
  value = 0;
  printf(", set %d", (int)AudioServicesSetProperty(kAudioServicesPropertyIsUISound, 4, &sound, 4, &value));
  value = 77;
  AudioServicesGetProperty(kAudioServicesPropertyIsUISound, 4, &sound, &size, &value);
  printf(" %d", (int)value);
  printf(", unknown %d\n", AudioServicesGetProperty('none', 4, &sound, &size, &value) == kAudioServicesUnsupportedPropertyError);

  // An unknown sound has ended at once.
  const SystemSoundID sounds[] = {sound, kSystemSoundID_Vibrate, 5};
  for (int index = 0; index < 3; ++index) {
    dispatch_semaphore_t done = dispatch_semaphore_create(0);
    AudioServicesPlaySystemSoundWithCompletion(sounds[index], ^{ dispatch_semaphore_signal(done); });
    printf("block %d\n", dispatch_semaphore_wait(done, dispatch_time(DISPATCH_TIME_NOW, 10000000000LL)) == 0);
    dispatch_release(done);
  }
  printf("dispose %d", (int)AudioServicesDisposeSystemSoundID(sound));
  printf(", again %d\n", (int)AudioServicesDisposeSystemSoundID(sound));
  CFRelease(url);
  CFURLRef missing = CFURLCreateFromFileSystemRepresentation(NULL, (const UInt8 *)"/none/none.wav", 14, false);
  printf("missing %d", (int)AudioServicesCreateSystemSoundID(missing, &sound));
  printf(" %d\n", (int)sound);
  CFRelease(missing);
  return 0;
}
