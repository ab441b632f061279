// What the sources of this module share.
#ifndef SUPERVISOR_H
#define SUPERVISOR_H

/// Gives all signals their default meaning and lets all of them through.
void process_reset_signals(void);

#endif
