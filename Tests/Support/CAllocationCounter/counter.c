// glibc lets a program define malloc itself and reach the original by another name.
#define _GNU_SOURCE
#include "CAllocationCounter.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <malloc.h>
#include <stddef.h>
#include <stdio.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static __thread int counting __attribute__((tls_model("initial-exec")));
static __thread int64_t count __attribute__((tls_model("initial-exec")));
static __thread int64_t held __attribute__((tls_model("initial-exec")));
// The calls that led to the first block, the innermost first.
static __thread void *calls[24] __attribute__((tls_model("initial-exec")));
static __thread int depth __attribute__((tls_model("initial-exec")));
static __thread char words[4096] __attribute__((tls_model("initial-exec")));

void allocation_counter_start(void) {
  count = 0;
  held = 0;
  depth = 0;
  counting = 1;
}

int64_t allocation_counter_stop(void) {
  counting = 0;
  return count;
}

int64_t allocation_counter_held_bytes(void) { return held; }

const char *allocation_counter_first(void) {
  size_t used = 0;
  words[0] = 0;
  for (int index = 0; index < depth && used < sizeof words - 1; ++index) {
    Dl_info info = {0};
    dladdr(calls[index], &info);
    used += (size_t)snprintf(
        words + used, sizeof words - used, "%s%s", index ? " < " : "", info.dli_sname ? info.dli_sname : "?");
  }
  return words;
}

// The sanitizers have allocators of their own, which must not be replaced: under them nothing is counted.
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)

static void *noted(void *block) {
  if (counting) {
    if (count++ == 0) {
      // Loading what walks over the stack is not counted.
      counting = 0;
      depth = backtrace(calls, sizeof calls / sizeof *calls);
      counting = 1;
    }
    held += (int64_t)malloc_usable_size(block);
  }
  return block;
}

static void forget(void *block) {
  if (counting) held -= (int64_t)malloc_usable_size(block);
}

void *malloc(size_t size) { return noted(__libc_malloc(size)); }
void *calloc(size_t number, size_t size) { return noted(__libc_calloc(number, size)); }
void *realloc(void *former, size_t size) {
  forget(former);
  return noted(__libc_realloc(former, size));
}
void *memalign(size_t alignment, size_t size) { return noted(__libc_memalign(alignment, size)); }
void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
int posix_memalign(void **out, size_t alignment, size_t size) {
  void *block = memalign(alignment, size);
  if (block == NULL && size != 0) return ENOMEM;
  *out = block;
  return 0;
}
void free(void *block) {
  forget(block);
  __libc_free(block);
}

#endif
