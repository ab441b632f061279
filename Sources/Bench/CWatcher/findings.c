// The findings: one entry for each kind, node and stack, in memory that is there from the beginning.
#define _GNU_SOURCE
#include <execinfo.h>
#include <string.h>

#include "watcher.h"

#define ROOM 512

__thread uint32_t watched __attribute__((tls_model("initial-exec"))) = 0;

PER_THREAD uint32_t wanted = 0;
PER_THREAD int32_t node = -1;

static render_watch_finding found[ROOM];
static size_t count = 0;
static uint64_t lost = 0;

// The ends of this library's code.
extern const char __ehdr_start[] __attribute__((visibility("hidden"))), etext[] __attribute__((visibility("hidden")));

static _Bool is_own(const void *address) {
  return (const char *)address >= __ehdr_start && (const char *)address < etext;
}

static _Bool is_same(const render_watch_finding *a, const render_watch_finding *b) {
  return a->kind == b->kind && a->node == b->node && a->number == b->number && a->depth == b->depth &&
         memcmp(a->stack, b->stack, a->depth * sizeof a->stack[0]) == 0 && strcmp(a->name, b->name) == 0;
}

void note(uint32_t kind, const char *name, int64_t number, uint64_t amount, const void *from) {
  // The calls made while noting are not counted.
  uint32_t former = watched;
  watched = 0;
  render_watch_finding one = {.kind = kind, .node = node, .number = number, .count = 1, .amount = amount};
  if (name) strncpy(one.name, name, sizeof one.name - 1);
  void *addresses[RENDER_WATCH_DEPTH + 16];
  int depth = backtrace(addresses, RENDER_WATCH_DEPTH + 16);
  int first = 0;
  while (first < depth && (from ? addresses[first] != from : is_own(addresses[first]))) first++;
  if (first == depth) first = 0;
  while (first < depth && one.depth < RENDER_WATCH_DEPTH) one.stack[one.depth++] = addresses[first++];
  size_t index = 0;
  while (index < count && !is_same(&found[index], &one)) index++;
  if (index < count) {
    found[index].count++;
    found[index].amount += amount;
  } else if (count < ROOM) {
    found[count++] = one;
  } else {
    lost++;
  }
  watched = former;
}

static uint32_t begin(uint32_t kinds) {
  // The first one loads what unwinds stacks.
  void *address;
  backtrace(&address, 1);
  uint32_t here = kinds & (RENDER_WATCH_ALLOCATION | RENDER_WATCH_RELEASE | RENDER_WATCH_LOCK);
  if (kinds & RENDER_WATCH_SYSTEM_CALL && watch_system_calls()) here |= RENDER_WATCH_SYSTEM_CALL;
  if (kinds & RENDER_WATCH_DENORMAL && watch_denormals()) here |= RENDER_WATCH_DENORMAL;
  return wanted = here;
}

static void enter(void) {
  node = -1;
  if (wanted & RENDER_WATCH_DENORMAL) denormals_arm();
  watched = wanted;
  if (wanted & RENDER_WATCH_SYSTEM_CALL) system_calls_stop(1);
}

static void leave(void) {
  if (wanted & RENDER_WATCH_SYSTEM_CALL) system_calls_stop(0);
  watched = 0;
  if (wanted & RENDER_WATCH_DENORMAL) denormals_disarm();
}

static int32_t set_node(int32_t now) {
  int32_t former = node;
  node = now;
  if (watched & RENDER_WATCH_DENORMAL) denormals_arm();
  return former;
}

static void clear(void) { count = lost = 0; }

static size_t findings(const render_watch_finding **first, uint64_t *missing) {
  *first = found;
  *missing = lost;
  return count;
}

__attribute__((visibility("default"))) const render_watch aubench_render_watch = {
    RENDER_WATCH_VERSION, begin, enter, leave, set_node, clear, findings,
};
