#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "CRealtime.h"

static __thread realtime_transcript_place_t place;

realtime_transcript_place_t *realtime_transcript_place(void) { return &place; }

static _Atomic _Bool has_ended;

void realtime_transcript_end(void) { atomic_store(&has_ended, 1); }

_Bool realtime_transcript_has_ended(void) { return atomic_load_explicit(&has_ended, memory_order_relaxed); }

_Bool realtime_copy(void *to, const void *from, size_t bytes) {
  if (from == NULL) return 0;
  struct iovec local = {to, bytes}, remote = {(void *)from, bytes};
  ssize_t count = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
  if (count == (ssize_t)bytes) return 1;
  if (count < 0 && (errno == ENOSYS || errno == EPERM)) {
    // A sandbox that does not let a process be read, not even by itself.
    memcpy(to, from, bytes);
    return 1;
  }
  return 0;
}

_Bool realtime_thread_name(char *name) {
  if (gettid() == getpid()) return 0;
  if (pthread_getname_np(pthread_self(), name, 16) != 0) name[0] = 0;
  return 1;
}

// Sealed: a program that has the descriptor and cuts the file would end every process that reads its memory.
int realtime_memory_file(int64_t bytes) {
  int descriptor = memfd_create("aubench", MFD_ALLOW_SEALING);
  if (descriptor < 0) return -1;
  if (ftruncate(descriptor, bytes) == 0 &&
      fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
    return descriptor;
  close(descriptor);
  return -1;
}
