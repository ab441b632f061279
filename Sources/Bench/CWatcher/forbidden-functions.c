// Functions of the C library that a render call must not call: each is noted, and done.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <time.h>

#include "watcher.h"

#define OFFERED __attribute__((visibility("default")))

// MARK: Memory

// glibc lets others define malloc, and offers the original under another name.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

#define NOTE_ALLOCATION(bytes) \
  if (__builtin_expect(watched & RENDER_WATCH_ALLOCATION, 0)) note(RENDER_WATCH_ALLOCATION, __func__, 0, bytes, NULL)

OFFERED void *malloc(size_t size) {
  NOTE_ALLOCATION(size);
  return __libc_malloc(size);
}

OFFERED void *calloc(size_t number, size_t size) {
  NOTE_ALLOCATION(number * size);
  return __libc_calloc(number, size);
}

OFFERED void *realloc(void *former, size_t size) {
  NOTE_ALLOCATION(size);
  return __libc_realloc(former, size);
}

OFFERED void *memalign(size_t alignment, size_t size) {
  NOTE_ALLOCATION(size);
  return __libc_memalign(alignment, size);
}

OFFERED void *aligned_alloc(size_t alignment, size_t size) {
  NOTE_ALLOCATION(size);
  return __libc_memalign(alignment, size);
}

OFFERED int posix_memalign(void **out, size_t alignment, size_t size) {
  NOTE_ALLOCATION(size);
  void *block = __libc_memalign(alignment, size);
  if (block == NULL && size != 0) return ENOMEM;
  *out = block;
  return 0;
}

OFFERED void free(void *block) {
  if (__builtin_expect(watched & RENDER_WATCH_RELEASE, 0) && block) note(RENDER_WATCH_RELEASE, "free", 0, 0, NULL);
  __libc_free(block);
}

// MARK: Calls that may wait for another thread

// A function of the C library behind one of the same name here.
#define WAITING(result, name, parameters, arguments)                                                 \
  OFFERED result name parameters {                                                                   \
    static result(*original) parameters;                                                             \
    if (__builtin_expect(original == NULL, 0)) *(void **)&original = dlsym(RTLD_NEXT, #name);        \
    if (__builtin_expect(watched & RENDER_WATCH_LOCK, 0)) note(RENDER_WATCH_LOCK, #name, 0, 0, NULL); \
    return original arguments;                                                                       \
  }

WAITING(int, pthread_mutex_lock, (pthread_mutex_t * mutex), (mutex))
WAITING(int, pthread_mutex_timedlock, (pthread_mutex_t * restrict mutex, const struct timespec *restrict time), (mutex, time))
WAITING(int, pthread_rwlock_rdlock, (pthread_rwlock_t * lock), (lock))
WAITING(int, pthread_rwlock_wrlock, (pthread_rwlock_t * lock), (lock))
WAITING(int, pthread_spin_lock, (pthread_spinlock_t * lock), (lock))
WAITING(int, pthread_barrier_wait, (pthread_barrier_t * barrier), (barrier))
WAITING(int, pthread_cond_wait, (pthread_cond_t * restrict condition, pthread_mutex_t *restrict mutex), (condition, mutex))
WAITING(
    int, pthread_cond_timedwait,
    (pthread_cond_t * restrict condition, pthread_mutex_t *restrict mutex, const struct timespec *restrict time),
    (condition, mutex, time))
WAITING(int, pthread_join, (pthread_t thread, void **result), (thread, result))
WAITING(int, sem_wait, (sem_t * semaphore), (semaphore))
WAITING(int, sem_timedwait, (sem_t * restrict semaphore, const struct timespec *restrict time), (semaphore, time))
