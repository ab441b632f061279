#define _GNU_SOURCE
#include "CRenderWatch.h"

#include <dlfcn.h>
#include <string.h>

const render_watch *render_watch_here(void) {
  const render_watch *watch = dlsym(RTLD_DEFAULT, RENDER_WATCH_SYMBOL);
  return watch && watch->version == RENDER_WATCH_VERSION ? watch : NULL;
}

_Bool render_watch_locate(const void *address, const char **module, uint64_t *offset, const char **symbol) {
  Dl_info info;
  if (dladdr(address, &info) == 0 || info.dli_fname == NULL) return 0;
  *module = info.dli_fname;
  *offset = (uint64_t)((const char *)address - (const char *)info.dli_fbase);
  *symbol = info.dli_sname;
  return 1;
}

// A function of the runtimes of Swift and C++.
extern char *swift_demangle(const char *name, size_t length, char *out, size_t *size, uint32_t flags)
    __attribute__((weak));
extern char *__cxa_demangle(const char *name, char *out, size_t *size, int *status) __attribute__((weak));

char *render_watch_demangle(const char *symbol) {
  int status;
  if (__cxa_demangle && strncmp(symbol, "_Z", 2) == 0) return __cxa_demangle(symbol, NULL, NULL, &status);
  if (!swift_demangle || !(strncmp(symbol, "$s", 2) == 0 || strncmp(symbol, "$S", 2) == 0)) return NULL;
  return swift_demangle(symbol, strlen(symbol), NULL, NULL, 0);
}
