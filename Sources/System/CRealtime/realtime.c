#define _GNU_SOURCE
#include "CRealtime.h"
#include <sched.h>
#include <sys/resource.h>

static __thread _Bool leaves_denormals = 0;
void realtime_leave_denormals(_Bool leave) { leaves_denormals = leave; }

#if defined(__x86_64__)
#include <immintrin.h>
static const unsigned int flush_and_daz = 0x8040;  // MXCSR bits 15 (FTZ) and 6 (DAZ)
uint64_t realtime_enter_flush_to_zero(void) {
  unsigned int former = _mm_getcsr();
  if ((former & flush_and_daz) != flush_and_daz && !leaves_denormals) _mm_setcsr(former | flush_and_daz);
  return former;
}
void realtime_leave_flush_to_zero(uint64_t former) {
  if (((unsigned int)former & flush_and_daz) != flush_and_daz) _mm_setcsr((unsigned int)former);
}
void realtime_spin_pause(void) { _mm_pause(); }
#elif defined(__aarch64__)
uint64_t realtime_enter_flush_to_zero(void) {
  uint64_t former;
  __asm__ volatile("mrs %0, fpcr" : "=r"(former));
  uint64_t wanted = former | (1ull << 24);
  if (wanted != former && !leaves_denormals) __asm__ volatile("msr fpcr, %0" : : "r"(wanted));
  return former;
}
void realtime_leave_flush_to_zero(uint64_t former) { __asm__ volatile("msr fpcr, %0" : : "r"(former)); }
void realtime_spin_pause(void) { __asm__ volatile("yield"); }
#else
uint64_t realtime_enter_flush_to_zero(void) { return 0; }
void realtime_leave_flush_to_zero(uint64_t former) { (void)former; }
void realtime_spin_pause(void) {}
#endif

int64_t realtime_involuntary_switches(void) {
  struct rusage usage;
  return getrusage(RUSAGE_THREAD, &usage) == 0 ? usage.ru_nivcsw : 0;
}

void realtime_run_on(int index) {
  cpu_set_t allowed, chosen;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0 || index < 0) return;
  for (int processor = 0; processor < CPU_SETSIZE; processor++) {
    if (!CPU_ISSET(processor, &allowed) || index-- > 0) continue;
    CPU_ZERO(&chosen);
    CPU_SET(processor, &chosen);
    sched_setaffinity(0, sizeof chosen, &chosen);
    return;
  }
}
