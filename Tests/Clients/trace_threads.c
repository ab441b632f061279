// Threads of a program's own: a transcript has the calls of each, under the name that the program gave it, or none.
#include "client.h"
#include <pthread.h>

static void *look(void *name) {
  if (name != NULL) { pthread_setname_np(pthread_self(), name); }
  AudioComponentDescription any = {name != NULL ? kAudioUnitType_Mixer : kAudioUnitType_Effect, 0, 0, 0, 0};
  AudioComponentFindNext(NULL, &any);
  return NULL;
}

int main(void) {
  pthread_t threads[4];
  char *names[] = {NULL, "worker", NULL, "a worker"};
  for (int index = 0; index < 4; ++index) { pthread_create(&threads[index], NULL, look, names[index]); }
  for (int index = 0; index < 4; ++index) { pthread_join(threads[index], NULL); }
  look(NULL);
  return 0;
}
