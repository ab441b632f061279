// glibc lets a program define malloc itself and reach the original by another name.
#include "CAllocationCounter.h"

#include <errno.h>
#include <stddef.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static __thread int counting __attribute__((tls_model("initial-exec")));
static __thread int64_t count __attribute__((tls_model("initial-exec")));

void allocation_counter_start(void) {
  count = 0;
  counting = 1;
}

int64_t allocation_counter_stop(void) {
  counting = 0;
  return count;
}

// The sanitizers have allocators of their own, which nobody may step in front of: under them nothing is counted.
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)

void *malloc(size_t size) {
  count += counting;
  return __libc_malloc(size);
}
void *calloc(size_t number, size_t size) {
  count += counting;
  return __libc_calloc(number, size);
}
void *realloc(void *former, size_t size) {
  count += counting;
  return __libc_realloc(former, size);
}
void *memalign(size_t alignment, size_t size) {
  count += counting;
  return __libc_memalign(alignment, size);
}
void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
int posix_memalign(void **out, size_t alignment, size_t size) {
  void *block = memalign(alignment, size);
  if (block == NULL && size != 0) return ENOMEM;
  *out = block;
  return 0;
}

#endif
