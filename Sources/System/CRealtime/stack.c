#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>

#include "CRealtime.h"

// The depth of nested pulls of this thread, and the lowest address that its stack may use.
static __thread unsigned int depth = 0;
static __thread const char *lowest = NULL;

// The number of nested pulls that fit into the smallest stack: up to here the stack is not checked.
static const unsigned int unchecked_depth = 32;
// Bytes that the deepest pull may still need: a unit's work, a client's callback.
static const ptrdiff_t reserve = 256 << 10;

// The end of the stack is looked up once for each thread. That allocates and, on the main thread, reads a file: no
// other part of a render call does so, and it happens only in a chain this deep.
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
  if (depth >= unchecked_depth && !has_stack()) return 0;
  depth++;
  return 1;
}

void realtime_end_pull(void) { depth--; }
