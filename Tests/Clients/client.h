// Helpers that the client programs share: each prints its results, a name and a value a line, and the test compares.
#ifndef CLIENT_H
#define CLIENT_H

#include <AudioToolbox/AudioToolbox.h>
#include <CoreServices/CoreServices.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// A status, as a number.
#define REPORT(name, call) printf("%s %d\n", name, (int)(call))

static inline void checkStatus(OSStatus status) {
  if (status == noErr) return;
  printf("failed %d\n", (int)status);
  exit(1);
}

// Four characters of a code.
static inline const char *code(UInt32 value) {
  static char text[4][5];
  static int next;
  char *result = text[next++ % 4];
  for (int index = 0; index < 4; ++index) result[index] = (char)(value >> (24 - 8 * index));
  result[4] = 0;
  return result;
}

static inline void printFormat(const char *name, const AudioStreamBasicDescription *format) {
  printf("%s %g %s 0x%x %u/%u/%u %u ch %u bit\n", name, format->mSampleRate, code(format->mFormatID),
         (unsigned)format->mFormatFlags, (unsigned)format->mBytesPerPacket, (unsigned)format->mFramesPerPacket,
         (unsigned)format->mBytesPerFrame, (unsigned)format->mChannelsPerFrame, (unsigned)format->mBitsPerChannel);
}

// FNV-1a, 32 bits: the same bytes give the same number, in any cutting.
static inline UInt32 hash(UInt32 state, const void *bytes, size_t count) {
  const unsigned char *byte = (const unsigned char *)bytes;
  if (state == 0) state = 2166136261u;
  for (size_t index = 0; index < count; ++index) state = (state ^ byte[index]) * 16777619u;
  return state;
}

// Waits until the device's thread says so; a device that never does is an error and not a hang.
static inline int waitFor(sem_t *semaphore) {
  struct timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_sec += 30;
  return sem_timedwait(semaphore, &deadline);
}

#endif
