// Declarations that the parts of the library share.
#ifndef WATCHER_H
#define WATCHER_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

#include "CRenderWatch.h"

#define PER_THREAD static __thread __attribute__((tls_model("initial-exec")))

/// The kinds that are watched on this thread at this moment: 0 outside of render calls, and while something is being
/// noted.
extern __thread uint32_t watched __attribute__((tls_model("initial-exec")));

/// Notes what has happened.
/// - name: may be NULL. from: where the stack is to begin: behind a signal; NULL: in front of this library.
void note(uint32_t kind, const char *name, int64_t number, uint64_t amount, const void *from);

/// Has the system stop the calling thread at each system call while `system_calls_stop` is on. 0 where it cannot.
_Bool watch_system_calls(void);
void system_calls_stop(_Bool stop);

/// Has instructions with denormals noted between `denormals_arm` and `denormals_disarm`. 0 where they cannot be.
_Bool watch_denormals(void);
void denormals_arm(void);
void denormals_disarm(void);

/// A handler of a signal whose return is no system call that is stopped.
typedef void (*signal_handler)(int, siginfo_t *, void *);
_Bool handle_signal(int number, signal_handler handler);

/// The name of a system call, NULL where it has none here.
const char *system_call_name(int64_t number);

#endif
