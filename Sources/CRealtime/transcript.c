#define _GNU_SOURCE
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "CRealtime.h"

static __thread realtime_transcript_place_t place;

realtime_transcript_place_t *realtime_transcript_place(void) { return &place; }

_Bool realtime_thread_name(char *name) {
  if (gettid() == getpid()) return 0;
  if (pthread_getname_np(pthread_self(), name, 16) != 0) name[0] = 0;
  return 1;
}

int realtime_memory_file(int64_t bytes) {
  int descriptor = memfd_create("aubench", 0);
  if (descriptor < 0) return -1;
  if (ftruncate(descriptor, bytes) == 0) return descriptor;
  close(descriptor);
  return -1;
}
