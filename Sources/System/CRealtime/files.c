#define _GNU_SOURCE
#include "CRealtime.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

_Bool realtime_reserve_file(int descriptor, int64_t bytes) {
  struct statfs system;
  // Room in memory is given page by page in any case.
  if (fstatfs(descriptor, &system) != 0 || system.f_type == TMPFS_MAGIC) return 0;
  if ((uint64_t)bytes / (uint64_t)system.f_bsize > system.f_bavail / 2) return 0;
  if (fallocate(descriptor, FALLOC_FL_KEEP_SIZE, 0, bytes) == 0) return 1;
  int ignored = ftruncate(descriptor, 0);  // gives back what was found before there was no more
  (void)ignored;
  return 0;
}
