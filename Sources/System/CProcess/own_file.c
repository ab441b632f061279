// Finds the file that this code is in.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>

#include "CProcess.h"

const char *process_own_file(void) {
  Dl_info info;
  // Any address in here will do.
  return dladdr((const void *)(uintptr_t)process_own_file, &info) ? info.dli_fname : NULL;
}
