#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>

#include "CRealtime.h"

// How many pulls of this thread are inside one another, and the lowest address that its stack may use.
static __thread unsigned int depth = 0;
static __thread const char *lowest = NULL;

// What a chain of so many pulls takes of the smallest stacks is no matter, so nobody looks.
static const unsigned int carefree_depth = 32;
// For what is left of the deepest pull: a unit's work, a client's callback.
static const ptrdiff_t reserve = 256 << 10;

// Where the stack ends is asked once for each thread, which allocates and, on the main thread, reads a file: the one thing of
// this kind in a render call, and only of a chain this deep.
static __attribute__((noinline)) _Bool has_stack(void) {
  if (lowest == NULL) {
    pthread_attr_t attributes;
    void *address;
    size_t size;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
    int status = pthread_attr_getstack(&attributes, &address, &size);
    pthread_attr_destroy(&attributes);
    if (status != 0) return 0;
    lowest = address;
  }
  return (const char *)__builtin_frame_address(0) - lowest > reserve;
}

_Bool realtime_begin_pull(void) {
  if (depth >= carefree_depth && !has_stack()) return 0;
  depth++;
  return 1;
}

void realtime_end_pull(void) { depth--; }
