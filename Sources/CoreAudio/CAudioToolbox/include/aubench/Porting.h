// For sources that were written for a Mac and are not to be edited: put before each by -include, with the flag that
// `pkg-config --variable=porting AudioToolbox` gives. It declares what such sources take from headers that they do not
// name, or that are other ones here, and says TARGET_OS_MAC behind CoreFoundation, whose own headers must not see it.
#ifndef AUBENCH_PORTING_H
#define AUBENCH_PORTING_H
#pragma GCC system_header

// Functions of a Mac's C library that this one hides without it, or has not.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#ifdef __cplusplus
#include <cmath>
#include <cstdlib>
#include <cstring>
extern "C" {
#endif

// glibc has these two from 2.38.
#if !(defined(__GLIBC__) && __GLIBC_PREREQ(2, 38))
// Copies what fits, always ended by a zero; the length of the source.
static inline size_t strlcpy(char *destination, const char *source, size_t size) {
  const size_t length = strlen(source);
  if (size > 0) {
    const size_t copied = length < size ? length : size - 1;
    memcpy(destination, source, copied);
    destination[copied] = '\0';
  }
  return length;
}

// Appends what fits; the length that the whole would have.
static inline size_t strlcat(char *destination, const char *source, size_t size) {
  const size_t used = strnlen(destination, size);
  return used == size ? size + strlen(source) : used + strlcpy(destination + used, source, size - used);
}
#endif

// As realloc, and the old memory is freed where there is none for the new.
static inline void *reallocf(void *memory, size_t size) {
  void *moved = realloc(memory, size);
  if (moved == NULL && size != 0) { free(memory); }
  return moved;
}

static inline const char *getprogname(void) { return program_invocation_short_name; }

// As pthread_cond_timedwait, with a time to wait instead of one to wait until. For conditions with the usual clock.
static inline int pthread_cond_timedwait_relative_np(
    pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *time) {
  struct timespec end;
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_sec += time->tv_sec;
  end.tv_nsec += time->tv_nsec;
  while (end.tv_nsec >= 1000000000) {
    end.tv_sec += 1;
    end.tv_nsec -= 1000000000;
  }
  return pthread_cond_timedwait(condition, mutex, &end);
}

// True when the calling thread is the one that the program began with.
static inline int pthread_main_np(void) { return syscall(SYS_gettid) == getpid(); }

// A Mac's pthread_setname_np names the calling thread, and takes the name alone. Linux's names have 15 bytes.
static inline int ca_name_thread_(const char *name) {
  char fitting[16];
  strlcpy(fitting, name, sizeof(fitting));
  return pthread_setname_np(pthread_self(), fitting);
}

#ifdef __cplusplus
}
static inline int pthread_setname_np(const char *name) { return ca_name_thread_(name); }
#else
#define CA_NAME_THREAD_2_(thread, name) pthread_setname_np(thread, name)
#define CA_NAME_THREAD_1_(name) ca_name_thread_(name)
#define CA_CHOOSE_NAMING_(first, second, chosen, ...) chosen
#define pthread_setname_np(...) \
  CA_CHOOSE_NAMING_(__VA_ARGS__, CA_NAME_THREAD_2_, CA_NAME_THREAD_1_, )(__VA_ARGS__)
#endif

// From here on the interface: base types, CoreFoundation, references to files, byte order, Mach. Checking macros whose
// names are plain words are not defined: sources have functions of these names.
#define CA_ASSERT_MACROS_OF_THE_PRELUDE 1
#include <AssertMacros.h>
#include <AudioToolbox/AudioToolbox.h>
#include <CoreServices/CoreServices.h>
#include <mach/mach.h>
#undef CA_ASSERT_MACROS_OF_THE_PRELUDE

#undef TARGET_OS_MAC
#define TARGET_OS_MAC 1
#undef TARGET_OS_OSX
#define TARGET_OS_OSX 1
// The name from before there were others than Macs.
#undef TARGET_API_MAC_OSX
#define TARGET_API_MAC_OSX 1

#endif
