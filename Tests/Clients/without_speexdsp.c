// Preloaded, it takes libspeexdsp away from a program, as on a machine where it is not installed.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>

void *dlopen(const char *name, int flags) {
  if (name != NULL && strstr(name, "libspeexdsp") != NULL) { return NULL; }
  static void *(*next)(const char *, int);
  if (next == NULL) { next = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen"); }
  return next(name, flags);
}
