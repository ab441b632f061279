// Preloaded, it takes the optional libraries away from a program, as on a machine where they are not installed.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>

static const char *const absent[] = {"libspeexdsp", "libSoundTouchDll", "libmysofa", "libvo-aacenc"};

void *dlopen(const char *name, int flags) {
  for (unsigned index = 0; name != NULL && index < sizeof(absent) / sizeof(*absent); ++index) {
    if (strstr(name, absent[index]) != NULL) { return NULL; }
  }
  static void *(*next)(const char *, int);
  if (next == NULL) { next = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen"); }
  return next(name, flags);
}
