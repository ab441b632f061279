// POSIX calls that Swift cannot make safely: starting processes, ending them with all that they started, and waiting
// for signals.
#ifndef CPROCESS_H
#define CPROCESS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// A program and what it gets.
struct process_order {
  /// The program, found on the path, and its arguments; a null pointer is the last.
  char *const *words;
  char *const *environment;
  /// The working folder; null: this process's.
  const char *folder;
  /// The descriptors that become its 0, 1, 2 ...; -1 is /dev/null. At most 8. All others are closed.
  const int *descriptors;
  int descriptor_count;
  /// Bytes of address space, and of each file that it writes; 0 is no limit.
  uint64_t memory_limit;
  uint64_t file_limit;
  /// True for a supervisor in between: see `process_supervise`.
  int is_supervised;
};

/// A process on its way.
struct process_handle {
  pid_t pid;
  /// Readable when the process has ended; -1 where the system has no such descriptors.
  int ended;
  /// The end of all that a supervised program has started: when this is shut down or closed, also by the death of this
  /// process. -1 where there is no supervisor.
  int control;
};

/// Starts a program in a process group of its own, with signals in their default meaning. Returns 0, or the number of
/// the system's error.
int process_start(const struct process_order *order, struct process_handle *handle);

/// The two ends of a pipe, reading first, and of a line of which each end notices when the other is shut down or
/// closed. Programs do not inherit them. Return 0, or the number of the system's error.
int process_make_pipe(int ends[2]);
int process_make_line(int ends[2]);
/// Shuts an end of a line down: both sides notice, also where other processes hold the same end.
void process_shut_line(int end);
/// A descriptor of a file in memory from which these bytes can be read; -1 where that is impossible.
int process_make_input(const void *bytes, size_t count);

/// The result of a process.
struct process_end {
  /// As waitpid gives it.
  int status;
  /// The time of the process and of all children that it has waited for.
  double cpu_seconds;
  int64_t peak_bytes;
};
/// Takes the end of a process, for which it waits at most so many milliseconds (negative: for ever). Returns 1 when it
/// has ended, 0 when time is up, -1 where its end cannot be had: a host may ignore SIGCHLD, or wait for all its
/// children.
int process_take_end(const struct process_handle *handle, int milliseconds, struct process_end *end);
/// True when a process has ended, within so many milliseconds. Its exit status can still be read.
int process_has_ended(const struct process_handle *handle, int milliseconds);

/// Makes the calling process, which must have one thread, the supervisor of a new one, in which alone this returns. The
/// supervisor ends when the new process has ended, with the same status, or when the other end of `control` is closed.
/// Before that it kills all descendants of the new one, also those in sessions of their own. The parent that the new
/// process sees is a third process: killing that one does not reach the supervisor. If that is impossible the process
/// ends with 127.
void process_supervise(int control);

/// From now on SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU and SIGALRM wait for `process_await_signal`, in this thread
/// and in all that it starts; those that were ignored stay so. SIGPIPE and SIGXFSZ are ignored, so that the write that
/// meets them answers with an error. SIGCHLD is not ignored, so that the ends of children can be had.
void process_hold_signals(void);
/// The next of those signals, or 0 after so many milliseconds (negative: waits for ever).
int process_await_signal(int milliseconds);
/// As `process_hold_signals` for a process whose signals are its parent's business: they keep their default meaning.
/// Lets signals through again where they have been held.
void process_leave_signals(void);

/// Ends the calling process by a signal in its default meaning, without a core file.
_Noreturn void process_die(int number);

/// The file that this code was loaded from: a library, or the program.
const char *process_own_file(void);

/// `SEGV` of 11; null of a number that is no signal's.
const char *process_signal_name(int number);

#endif
