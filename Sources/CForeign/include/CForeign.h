// What only C and C++ can say about code made by others: calls that may throw, last words of what crashes, and processes
// of their own.
#ifndef CFOREIGN_H
#define CFOREIGN_H

#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

// Methods of components. What they throw becomes a status: the one that it names, -108 for want of memory, -1 for what
// has no number.
int32_t foreign_call(const void *method, void *self);
int32_t foreign_open(const void *method, void *self, void *instance);
int32_t foreign_make(const void *factory, const void *description, void **made);
int32_t foreign_render(
    const void *method, void *self, void *flags, const void *time, uint32_t bus, uint32_t frames, void *data);
int32_t foreign_process(const void *method, void *self, void *flags, const void *time, uint32_t frames, void *data);
int32_t foreign_process_multiple(
    const void *method, void *self, void *flags, const void *time, uint32_t frames, uint32_t input_count, void *inputs,
    uint32_t output_count, void *outputs);

/// Installs handlers for the signals of crashes, once. Inside code made by others they write its notice and the signal's
/// name to standard error; then, and elsewhere at once, the signal does what it did before.
void foreign_report_crashes(void);
/// From now on a crash of the calling thread is that of the code which `notice` names; null: of nobody in particular.
/// Returns the notice that was in force. The text must stay until the next call.
const char *foreign_enter(const char *notice);

/// Starts a program in a process and a process group of its own: descriptors 0 to 2 are /dev/null, 3 is a pipe whose other
/// end goes to `report`, all others are closed, signals have their default meaning. Returns -1 where that is impossible.
pid_t foreign_start_child(char *const arguments[], char *const environment[], int *report);
/// What a child process left behind.
struct foreign_child_end {
  /// As waitpid gives it.
  int status;
  double cpu_seconds;
  int64_t peak_bytes;
};
/// Starts a program in a process group of its own, with files for its descriptors 0 to 2 and limits on memory (bytes) and
/// on the size of files that it writes; 0 is no limit. Returns 0 and the child, or the number of the system's error.
int foreign_start_limited_child(
    const char *folder, char *const arguments[], char *const environment[], const char *output, const char *errors,
    uint64_t memory_limit, uint64_t file_limit, pid_t *child);
/// Waits for a child for at most so many milliseconds. Returns 1 when it has ended, 0 when time is up.
int foreign_wait_child(pid_t child, int milliseconds, struct foreign_child_end *end);
/// `SEGV` of 11; null of a number that is no signal's.
const char *foreign_signal_name(int number);
/// A copy of a program's block, for a call from another thread later.
const void *foreign_copy_block(const void *block);
/// Calls a copied block, with an object and a status or with a result and its details, and frees it.
void foreign_call_block_with_object(const void *block, void *object, int32_t status);
void foreign_call_block_with_result(const void *block, uint32_t result, const void *details);
/// The file that this code was loaded from: a library, or the program.
const char *foreign_own_file(void);

#ifdef __cplusplus
}
#endif

#endif
