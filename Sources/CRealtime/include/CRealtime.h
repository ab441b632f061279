// CPU and OS functions that Swift has no name for: flush-to-zero, the spin pause, where a thread's stack ends.
#ifndef CREALTIME_H
#define CREALTIME_H

#include <stdint.h>

/// Turns flush-to-zero and denormals-are-zero on for the calling thread and returns the former control word.
uint64_t realtime_enter_flush_to_zero(void);
/// Restores a control word returned by `realtime_enter_flush_to_zero`.
void realtime_leave_flush_to_zero(uint64_t former);
/// One turn of a spin loop, gentle to the sibling thread.
void realtime_spin_pause(void);

/// Counts a pull that may pull others from inside itself. False, and not counted, where the thread's stack has no room for
/// more: chains of units that host programs make have no bound of their own.
_Bool realtime_begin_pull(void);
/// Ends what `realtime_begin_pull` has counted.
void realtime_end_pull(void);

#endif
