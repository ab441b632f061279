// A child that ends while the hardware of its parent runs: what its parent's threads held is held for ever in it.
#include "client.h"
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  AudioComponentDescription remote = {kAudioUnitType_Output, kAudioUnitSubType_RemoteIO, kAudioUnitManufacturer_Apple,
                                      0, 0};
  AudioUnit unit = NULL;
  checkStatus(AudioComponentInstanceNew(AudioComponentFindNext(NULL, &remote), &unit));
  checkStatus(AudioUnitInitialize(unit));
  checkStatus(AudioOutputUnitStart(unit));
  int ended = 0;
  for (int index = 0; index < 40; ++index) {
    pid_t child = fork();
    if (child == 0) { exit(0); }
    for (int wait = 0; wait < 2000; ++wait) {
      if (waitpid(child, NULL, WNOHANG) == child) {
        ++ended;
        break;
      }
      usleep(1000);
    }
    if (ended != index + 1) { break; }
  }
  printf("%d ended\n", ended);
  fflush(stdout);
  _exit(0);
}
