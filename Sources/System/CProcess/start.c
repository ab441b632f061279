// Starts programs. Between fork and exec only what POSIX calls async-signal-safe is done: other threads may hold locks.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "supervisor.h"

enum { most_descriptors = 8 };

static void limit(int resource, uint64_t bytes) {
  if (bytes == 0) return;
  struct rlimit limit = {bytes, bytes};
  setrlimit(resource, &limit);
}

/// Puts the descriptors in their places and closes all others but `failure`, which ends behind them. Returns its
/// number, or -1.
static int arrange(const struct process_order *order, int failure) {
  int count = order->descriptor_count;
  // Out of the way first: what is to be 0 may be 1 now.
  int moved[most_descriptors];
  int outside = count + 1 > 16 ? count + 1 : 16;
  if (count > most_descriptors) {
    errno = EINVAL;
    return -1;
  }
  failure = fcntl(failure, F_DUPFD_CLOEXEC, outside);
  if (failure < 0) return -1;
  for (int i = 0; i < count; i++) {
    int source = order->descriptors[i];
    if (source < 0) source = open("/dev/null", O_RDWR | O_CLOEXEC);
    moved[i] = source < 0 ? -1 : fcntl(source, F_DUPFD_CLOEXEC, outside);
    if (moved[i] < 0) return -1;
  }
  for (int i = 0; i < count; i++)
    if (dup2(moved[i], i) < 0) return -1;
  if (dup3(failure, count, O_CLOEXEC) < 0) return -1;
  closefrom(count + 1);
  return count;
}

void process_become(const struct process_order *order, int failure) {
  setpgid(0, 0);
  process_reset_signals();
  limit(RLIMIT_AS, order->memory_limit);
  limit(RLIMIT_FSIZE, order->file_limit);
  struct rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  int arranged = arrange(order, failure);
  if (arranged >= 0) {
    failure = arranged;
    if (!order->folder || chdir(order->folder) == 0) execvpe(order->words[0], order->words, order->environment);
  }
  int number = errno;
  (void)!write(failure, &number, sizeof number);
  _exit(127);
}

int process_start(const struct process_order *order, struct process_handle *handle) {
  *handle = (struct process_handle){-1, -1, -1};
  // Through the pipe comes the number of the error where the program could not be started; nothing where it could.
  int failure[2] = {-1, -1};
  int control[2] = {-1, -1};
  int number = process_make_pipe(failure);
  if (number != 0) return number;
  if (order->is_supervised) number = process_make_line(control);
  if (number != 0) {
    close(failure[0]);
    close(failure[1]);
    return number;
  }
  // Until the child has reset them, handlers of this process would run in it too: after vfork in memory that both have.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  // A supervisor goes on in a copy of this process; a program alone needs none.
  pid_t pid = order->is_supervised ? _Fork() : vfork();
  if (pid == 0) {
    if (order->is_supervised) process_supervise_order(control[0], failure[1], order);
    process_become(order, failure[1]);
  }
  if (pid < 0) number = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  close(failure[1]);
  if (control[0] >= 0) close(control[0]);
  if (pid > 0) {
    int said = 0;
    ssize_t count;
    do count = read(failure[0], &said, sizeof said);
    while (count < 0 && errno == EINTR);
    if (count == sizeof said) number = said;
    if (number != 0)
      while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {}
  }
  close(failure[0]);
  if (number != 0) {
    if (control[1] >= 0) close(control[1]);
    return number;
  }
  *handle = (struct process_handle){pid, (int)syscall(SYS_pidfd_open, pid, 0), control[1]};
  return 0;
}

int process_make_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno; }

int process_make_line(int ends[2]) {
  return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0 ? 0 : errno;
}

void process_shut_line(int end) { shutdown(end, SHUT_RDWR); }

int process_make_input(const void *bytes, size_t count) {
  int descriptor = memfd_create("input", MFD_CLOEXEC);
  const char *next = bytes;
  while (descriptor >= 0 && count > 0) {
    ssize_t done = write(descriptor, next, count);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) {
      close(descriptor);
      return -1;
    }
    next += done;
    count -= (size_t)done;
  }
  if (descriptor >= 0) lseek(descriptor, 0, SEEK_SET);
  return descriptor;
}

static int64_t now_milliseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

int process_has_ended(const struct process_handle *handle, int milliseconds) {
  int64_t last = now_milliseconds() + milliseconds;
  for (;;) {
    int64_t left = milliseconds < 0 ? 1000 : last - now_milliseconds();
    if (left < 0) left = 0;
    if (handle->ended >= 0) {
      struct pollfd watched = {handle->ended, POLLIN, 0};
      if (poll(&watched, 1, (int)left) > 0) return 1;
    } else {
      siginfo_t info = {0};
      int answer = waitid(P_PID, (id_t)handle->pid, &info, WEXITED | WNOWAIT | WNOHANG);
      if (answer == 0 ? info.si_signo != 0 : errno != EINTR) return 1;
      if (left > 0) poll(NULL, 0, left < 5 ? (int)left : 5);
    }
    if (milliseconds >= 0 && now_milliseconds() >= last) return 0;
  }
}

int process_take_end(const struct process_handle *handle, int milliseconds, struct process_end *end) {
  if (!process_has_ended(handle, milliseconds)) return 0;
  struct rusage usage;
  int status = 0;
  pid_t ended;
  do ended = wait4(handle->pid, &status, 0, &usage);
  while (ended < 0 && errno == EINTR);
  if (ended != handle->pid) return -1;
  end->status = status;
  end->cpu_seconds = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                     (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
  end->peak_bytes = (int64_t)usage.ru_maxrss * 1024;
  return 1;
}
