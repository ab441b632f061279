// Counts the calls of malloc and its kin made by one thread between two marks, in any program that links this target.
#ifndef CALLOCATIONCOUNTER_H
#define CALLOCATIONCOUNTER_H

#include <stdint.h>

/// Starts counting on the calling thread, from zero.
void allocation_counter_start(void);
/// Stops counting on the calling thread and returns how many blocks it asked for.
int64_t allocation_counter_stop(void);
/// The bytes that the thread allocated between the marks less those that it freed, as the allocator rounds them.
int64_t allocation_counter_held_bytes(void);
/// The functions that the first of those blocks was asked for in, the innermost first, until the next call; empty where
/// there was none.
const char *allocation_counter_first(void);

#endif
