#include "COptionalLibrary.h"

#include <dlfcn.h>
#include <fenv.h>

bool optional_library_load(const char *name, const optional_function *functions, size_t count) {
  // A library of fast arithmetic flushes subnormal numbers of the thread that loads it, for good.
  fenv_t environment;
  fegetenv(&environment);
  void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  fesetenv(&environment);
  if (handle == NULL) { return false; }
  for (size_t index = 0; index < count; ++index) {
    *functions[index].place = dlsym(handle, functions[index].name);
    if (*functions[index].place == NULL) { return false; }
  }
  return true;
}
