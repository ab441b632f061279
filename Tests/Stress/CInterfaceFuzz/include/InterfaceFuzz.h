// Calls of the C interface with arguments that are drawn: valid and stale handles, numbers at their edges, formats,
// buffers, callbacks that call the interface themselves.
//
// A caller's duties are met: a buffer is as large as its size says, a pointer to a procedure or an object is one or
// NULL. Everything else is drawn.
#ifndef INTERFACE_FUZZ_H
#define INTERFACE_FUZZ_H

#include <stddef.h>
#include <stdint.h>

// Objects that only Swift can make: CoreFoundation's, by number of the array.
typedef struct {
  const void *const *urls;
  size_t urlCount;
  const void *const *strings;
  size_t stringCount;
  void *runLoop;
  void *queue;
  void (*release)(const void *object);
} FuzzObjects;

// Makes `count` calls, drawn from `seed`, on the calling thread.
void fuzz_run(uint64_t seed, uint64_t count, const FuzzObjects *objects);
// Ends everything that calls have made and that is still there. When all threads are done.
void fuzz_end(void);
// Bytes of the heap that are in use.
size_t fuzz_heap_bytes(void);
// The name of each function, the number of its calls, and of those without an error; NULL behind the last.
const char *fuzz_function(size_t index, uint64_t *calls, uint64_t *successes);
// The function that the calling thread is in, for whoever reports a crash or a hang.
const char *fuzz_present(size_t thread);
size_t fuzz_thread_count(void);

#endif
