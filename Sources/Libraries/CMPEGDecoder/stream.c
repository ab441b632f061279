// Frames of MPEG audio through libmpg123, which libsndfile has loaded: its functions are looked up by name, so that it need
// not be installed for builds, and a machine without it has no MP3 and lacks nothing else.

#include "CMPEGDecoder.h"

#include <COptionalLibrary.h>
#include <pthread.h>

// Values of mpg123.h, which need not be installed.
enum {
  ADD_FLAGS = 2,
  REMOVE_FLAGS = 13,
  QUIET = 0x20,
  GAPLESS = 0x40,
  FORCE_FLOAT = 0x400,
  IGNORE_INFO_FRAME = 0x4000,
  AUTO_RESAMPLE = 0x8000,
  NO_READ_AHEAD = 0x400000,
  NO_FRANKENSTEIN = 0x1000000,
  DECODED = 0,
  NEEDS_MORE = -10,
  NEW_FORMAT = -11,
  FLOAT_32 = 0x200,
};

static struct {
  void *(*create)(const char *decoder, int *error);
  void (*end)(void *decoder);
  int (*set)(void *decoder, int parameter, long value, double number);
  int (*open_feed)(void *decoder);
  int (*decode)(
      void *decoder, const unsigned char *bytes, size_t count, unsigned char *samples, size_t room, size_t *done);
  int (*form)(void *decoder, long *rate, int *channels, int *encoding);
} library;

static bool is_there;

static void look_up(void) {
  int (*begin)(void) = NULL;
  const optional_function functions[] = {
      {"mpg123_init", (void **)&begin},
      {"mpg123_new", (void **)&library.create},
      {"mpg123_delete", (void **)&library.end},
      {"mpg123_param", (void **)&library.set},
      {"mpg123_open_feed", (void **)&library.open_feed},
      {"mpg123_decode", (void **)&library.decode},
      {"mpg123_getformat", (void **)&library.form},
  };
  is_there = optional_library_load("libmpg123.so.0", functions, sizeof functions / sizeof *functions) && begin() == 0;
}

void *mpeg_stream_new(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, look_up);
  if (!is_there) { return NULL; }
  int error = 0;
  void *decoder = library.create(NULL, &error);
  if (decoder == NULL) { return NULL; }
  const long added = QUIET | FORCE_FLOAT | IGNORE_INFO_FRAME | NO_READ_AHEAD | NO_FRANKENSTEIN;
  if (library.set(decoder, ADD_FLAGS, added, 0) != 0 ||
      library.set(decoder, REMOVE_FLAGS, GAPLESS | AUTO_RESAMPLE, 0) != 0 || library.open_feed(decoder) != 0) {
    library.end(decoder);
    return NULL;
  }
  return decoder;
}

void mpeg_stream_delete(void *stream) {
  if (stream != NULL) { library.end(stream); }
}

bool mpeg_stream_restart(void *stream) { return stream != NULL && library.open_feed(stream) == 0; }

bool mpeg_stream_decode(
    void *stream, const uint8_t *frame, size_t bytes, float *samples, size_t room, mpeg_samples *made) {
  *made = (mpeg_samples){0};
  // A frame has at most two granules of two channels: some calls, of which the first may only tell the format.
  for (int call = 0; call < 16; call += 1) {
    size_t done = 0;
    const size_t left = room - made->count;
    const int status = library.decode(
        stream, call == 0 ? frame : NULL, call == 0 ? bytes : 0, (unsigned char *)(samples + made->count),
        left * sizeof(float), &done);
    made->count += done / sizeof(float);
    if (status == NEEDS_MORE) { break; }
    if (status != DECODED && status != NEW_FORMAT) { return false; }
  }
  if (made->count == 0) { return true; }
  long rate = 0;
  int channels = 0;
  int encoding = 0;
  if (library.form(stream, &rate, &channels, &encoding) != 0 || encoding != FLOAT_32 || channels < 1) { return false; }
  made->sample_rate = (int32_t)rate;
  made->channels = (int32_t)channels;
  return true;
}
