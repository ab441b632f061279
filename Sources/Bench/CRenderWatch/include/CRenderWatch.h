// The interface to the library that finds activity of watched render calls that a realtime thread must avoid. The
// library (`CWatcher`, libaubench-watch.so) is loaded in front of the C library if a process is started with
// LD_PRELOAD.
#ifndef CRENDERWATCH_H
#define CRENDERWATCH_H

#include <stddef.h>
#include <stdint.h>

/// Frames of a stack that are kept.
#define RENDER_WATCH_DEPTH 40

enum {
  RENDER_WATCH_ALLOCATION = 1,   // malloc and its kin; `amount`: bytes
  RENDER_WATCH_RELEASE = 2,      // free
  RENDER_WATCH_LOCK = 4,         // what may wait for another thread
  RENDER_WATCH_SYSTEM_CALL = 8,  // `number`: which
  RENDER_WATCH_DENORMAL = 16,    // an instruction whose operand or result is denormal
};

/// The findings at one place of one node.
typedef struct {
  uint32_t kind;
  /// Index of the node; -1: between nodes.
  int32_t node;
  /// The number of the system call.
  int64_t number;
  /// The number of times, and the bytes in all.
  uint64_t count;
  uint64_t amount;
  /// The function that was called; empty for system calls without a name.
  char name[32];
  /// Addresses, the innermost first.
  uint32_t depth;
  const void *stack[RENDER_WATCH_DEPTH];
} render_watch_finding;

/// The library's functions. All are for one thread, the one that has called `begin`.
typedef struct {
  uint32_t version;
  /// Has the calling thread watched for these kinds, between `enter` and `leave`. The kinds that can be watched here.
  uint32_t (*begin)(uint32_t kinds);
  void (*enter)(void);
  void (*leave)(void);
  /// Says which node renders from here on. The former one.
  int32_t (*set_node)(int32_t node);
  /// Starts with nothing found.
  void (*clear)(void);
  /// The number of findings, and the first of them; `lost` counts those without room.
  size_t (*findings)(const render_watch_finding **first, uint64_t *lost);
} render_watch;

#define RENDER_WATCH_VERSION 1
#define RENDER_WATCH_SYMBOL "aubench_render_watch"

/// The library in this process, NULL where there is none.
const render_watch *render_watch_here(void);

/// The place of an address: the file of its module, and the offset from that module's beginning. 0 if unknown.
_Bool render_watch_locate(const void *address, const char **module, uint64_t *offset, const char **symbol);

/// A symbol of Swift or C++ as a reader writes it; NULL for any other. To be freed.
char *render_watch_demangle(const char *symbol);

#endif
