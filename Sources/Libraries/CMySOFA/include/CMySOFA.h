// Head-related responses from SOFA files (AES69), by libmysofa, which is looked for when it is first asked for: where
// it is not there, everything else works.
#ifndef CMYSOFA_H
#define CMYSOFA_H

#include <stdbool.h>

// True when libmysofa.so.1 is there, with all its functions.
bool mysofa_is_there(void);

// The contents of a file, at one sample rate.
typedef struct {
  int directions;
  int taps;
  // For each direction: azimuth in degrees, counted to the left, elevation in degrees, distance in metres.
  float *positions;
  // For each direction, for the left and then the right ear: the taps.
  float *responses;
  // For each direction, for the left and then the right ear: frames in front of the taps.
  float *delays;
} mysofa_set;

typedef enum {
  MYSOFA_SET_OK = 0,
  MYSOFA_SET_NO_LIBRARY,
  // The file cannot be read, or is none.
  MYSOFA_SET_UNREADABLE,
  // It holds something else than free-field responses of two ears.
  MYSOFA_SET_OTHER,
  MYSOFA_SET_NO_MEMORY,
  // The rate that its responses were measured at is none, or so low that they would become millions of taps.
  MYSOFA_SET_RATE,
  // The library does not convert its responses to this rate.
  MYSOFA_SET_CONVERSION,
} mysofa_set_status;

// Reads a file and converts it to a sample rate. Call mysofa_set_free to free the contents of `set`.
mysofa_set_status mysofa_set_load(const char *path, float sample_rate, mysofa_set *set);
void mysofa_set_free(mysofa_set *set);

#endif
