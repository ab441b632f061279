// Counters of the processor, of the calling thread: see perf_event_open(2).
#define _GNU_SOURCE
#include <errno.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "CRealtime.h"

int realtime_counter_open(uint32_t type, uint64_t config) {
  struct perf_event_attr event = {
      .type = type, .size = sizeof event, .config = config, .exclude_kernel = type == PERF_TYPE_HARDWARE, .exclude_hv = 1};
  long descriptor = syscall(SYS_perf_event_open, &event, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
  return descriptor < 0 ? -errno : (int)descriptor;
}

uint64_t realtime_counter_read(int descriptor) {
  uint64_t count = 0;
  return read(descriptor, &count, sizeof count) == sizeof count ? count : 0;
}
