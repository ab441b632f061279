// Declarations that the sources of this module share.
#ifndef SUPERVISOR_H
#define SUPERVISOR_H

#include "CProcess.h"

/// Gives all signals their default meaning and lets all of them through.
void process_reset_signals(void);
/// Becomes the program; where that is impossible, writes the number of the system's error to `failure` and ends.
_Noreturn void process_become(const struct process_order *order, int failure);
/// As `process_supervise`; the new process becomes the ordered program where there is one, and then this never returns.
void process_supervise_order(int control, int failure, const struct process_order *order);

#endif
