// libmpg123 reports damage in a file on standard error, a line for each frame, unless it is set to be quiet, which
// libsndfile does not do and has no way to set. The reader of sound files reports damage once.
//
// The program's functions come before those of shared libraries of the same name: libsndfile calls these here to set up
// its decoder, and they add the switch. A program that has other libraries in front (a host of libAudioToolbox) may
// hear the words.

#define _GNU_SOURCE
#include "CMPEGDecoder.h"

#include <dlfcn.h>
#include <stddef.h>

// Values of mpg123.h, which need not be installed.
enum { MPEG_ADD_FLAGS = 2, MPEG_QUIET = 0x20, MPEG_ERROR = -1 };

typedef int (*setter)(void *decoder, int parameter, long value, double number);

static int set(const char *name, void *decoder, int parameter, long value, double number) {
  setter next = NULL;
  *(void **)&next = dlsym(RTLD_NEXT, name);
  if (next == NULL) { return MPEG_ERROR; }
  return next(decoder, parameter, parameter == MPEG_ADD_FLAGS ? value | MPEG_QUIET : value, number);
}

__attribute__((visibility("default"))) int mpg123_param(void *decoder, int parameter, long value, double number) {
  return set("mpg123_param", decoder, parameter, value, number);
}

// The name of the same function for programs that any size of file offsets fits.
__attribute__((visibility("default"))) int mpg123_param2(void *decoder, int parameter, long value, double number) {
  return set("mpg123_param2", decoder, parameter, value, number);
}

void mpeg_decoder_stay_quiet(void) {}
