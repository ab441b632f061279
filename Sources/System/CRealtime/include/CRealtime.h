// CPU and OS functions that Swift has no name for: flush-to-zero, the spin pause, where a thread's stack ends.
#ifndef CREALTIME_H
#define CREALTIME_H

#include <stdint.h>
#include <time.h>

/// Turns flush-to-zero and denormals-are-zero on for the calling thread and returns the former control word.
uint64_t realtime_enter_flush_to_zero(void);
/// Restores a control word returned by `realtime_enter_flush_to_zero`.
void realtime_leave_flush_to_zero(uint64_t former);
/// Lets `realtime_enter_flush_to_zero` do nothing on the calling thread, or again what it says: for whoever looks for
/// denormals.
void realtime_leave_denormals(_Bool leave);
/// One turn of a spin loop, gentle to the sibling thread.
void realtime_spin_pause(void);

/// The time counter that is fastest to read: its unit is found with a second clock.
static inline uint64_t realtime_ticks(void) {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  uint64_t ticks;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#else
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
#endif
}

/// Has this thread, and those that it begins, run on one processor, counted among those that it may use. Nothing where
/// there are fewer.
void realtime_run_on(int index);

/// The number of times that the system has taken the processor away from the calling thread.
int64_t realtime_involuntary_switches(void);

/// Counts an event of perf_event_open(2) on the calling thread from here on: its descriptor, or the system's error
/// below 0.
int realtime_counter_open(uint32_t type, uint64_t config);
/// The count since it was opened.
uint64_t realtime_counter_read(int descriptor);

/// Counts a pull that may pull others from inside itself. False, and not counted, where the thread's stack has no room
/// for more: chains of units that host programs make have no bound of their own.
_Bool realtime_begin_pull(void);
/// Ends what `realtime_begin_pull` has counted.
void realtime_end_pull(void);

/// The place of the calling thread in a transcript of calls.
typedef struct {
  /// The number of the thread in the transcript, from 1 on; 0: none yet.
  uint32_t thread;
  /// The number of recorded calls that it is inside of.
  uint32_t depth;
} realtime_transcript_place_t;
/// Nothing more of this process is to be recorded, whatever thread does it.
void realtime_transcript_end(void);
/// True after `realtime_transcript_end`.
_Bool realtime_transcript_has_ended(void);
/// The place of the calling thread.
realtime_transcript_place_t *_Nonnull realtime_transcript_place(void);
/// Copies memory that may not be there: false where it cannot be read.
_Bool realtime_copy(void *_Nonnull to, const void *_Nullable from, size_t bytes);
/// Writes the name of the calling thread, of at most 15 bytes; false where it is the process's main thread.
_Bool realtime_thread_name(char *_Nonnull name);
/// Memory that a child can be given, as a file without a name of `bytes` zeros: its descriptor, or below 0.
int realtime_memory_file(int64_t bytes);

/// Has the file system reserve `bytes` of an empty file at once, without a change of its size; true if it did. If that
/// would be more than half of the free space, or it cannot, the file stays as it was.
_Bool realtime_reserve_file(int descriptor, int64_t bytes);

#endif
