// What only C can say to the machine.
#ifndef CREALTIME_H
#define CREALTIME_H

#include <signal.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Turns flush-to-zero and denormals-are-zero on for the calling thread and returns the former control word.
uint64_t realtime_enter_flush_to_zero(void);
/// Restores a control word returned by `realtime_enter_flush_to_zero`.
void realtime_leave_flush_to_zero(uint64_t former);
/// One turn of a spin loop, gentle to the sibling thread.
void realtime_spin_pause(void);

/// Installs handlers for SIGINT, SIGTERM and SIGHUP that only record the number; SIGPIPE and SIGXFSZ are ignored,
/// so that the write that meets them answers with an error.
void realtime_watch_signals(void);
/// The last signal recorded, or 0.
int realtime_pending_signal(void);

/// Installs handlers for the signals of crashes, once. Inside code made by others they write its notice and the signal's
/// name to standard error; then, and elsewhere at once, the signal does what it did before.
void realtime_report_crashes(void);
/// From now on a crash of the calling thread is that of the code which `notice` names; null: of nobody in particular.
/// Returns the notice that was in force. The text must stay until the next call.
const char *realtime_enter_foreign_code(const char *notice);

/// Starts a program in a process and a process group of its own: descriptors 0 to 2 are /dev/null, 3 is a pipe whose other
/// end goes to `report`, all others are closed, signals have their default meaning. Returns -1 where that is impossible.
pid_t realtime_start_child(char *const arguments[], char *const environment[], int *report);
/// `SEGV` of 11; null of a number that is no signal's.
const char *realtime_signal_name(int number);
/// The file that this code was loaded from: a library, or the program.
const char *realtime_own_file(void);

// Methods of components made by others. What they throw becomes a status: -108 for want of memory, -1 for what has no
// number.
int32_t foreign_call(const void *method, void *self);
int32_t foreign_open(const void *method, void *self, void *instance);
int32_t foreign_make(const void *factory, const void *description, void **made);
int32_t foreign_render(
    const void *method, void *self, void *flags, const void *time, uint32_t bus, uint32_t frames, void *data);
int32_t foreign_process(const void *method, void *self, void *flags, const void *time, uint32_t frames, void *data);
int32_t foreign_process_multiple(
    const void *method, void *self, void *flags, const void *time, uint32_t frames, uint32_t input_count, void *inputs,
    uint32_t output_count, void *outputs);

#ifdef __cplusplus
}
#endif

#endif
