// The monotonic clock by its name on Apple's systems; here a tick is a nanosecond.
#ifndef MACH_MACH_TIME_H
#define MACH_MACH_TIME_H
#pragma GCC system_header

#include <stdint.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef int kern_return_t;

#ifndef KERN_SUCCESS
#define KERN_SUCCESS 0
#endif

// A tick is numer / denom nanoseconds.
struct mach_timebase_info {
  uint32_t numer;
  uint32_t denom;
};
typedef struct mach_timebase_info *mach_timebase_info_t;
typedef struct mach_timebase_info mach_timebase_info_data_t;

// The library's clock, which a scenario may move; weak, as programs that only measure time need not link the library.
extern uint64_t AUBenchHostTime(void) __attribute__((weak));

// 1 is CLOCK_MONOTONIC on Linux: strict C hides the name, and the structure with it.
#if !defined(CLOCK_MONOTONIC)
struct timespec;
extern int clock_gettime(int clock, struct timespec *time);
#endif

static inline uint64_t mach_absolute_time(void) {
  if (AUBenchHostTime != 0) { return AUBenchHostTime(); }
#if defined(CLOCK_MONOTONIC)
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
#else
  long now[2] = {0, 0};
  clock_gettime(1, (struct timespec *)(void *)now);
  return (uint64_t)now[0] * 1000000000u + (uint64_t)now[1];
#endif
}

static inline uint64_t mach_continuous_time(void) { return mach_absolute_time(); }

static inline kern_return_t mach_timebase_info(mach_timebase_info_t info) {
  info->numer = 1;
  info->denom = 1;
  return KERN_SUCCESS;
}

#ifdef __cplusplus
}
#endif

#endif
