// A process of its own with limits: for programs of others, and for cases that may crash, hang or grow.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "CForeign.h"

static void limit(int resource, uint64_t bytes) {
  if (bytes == 0) return;
  struct rlimit limit = {bytes, bytes};
  setrlimit(resource, &limit);
}

int foreign_start_limited_child(
    const char *folder, char *const arguments[], char *const environment[], const char *output, const char *errors,
    uint64_t memory_limit, uint64_t file_limit, pid_t *child) {
  // Through the pipe comes the number of the error where the program could not be started; nothing where it could.
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return errno;
  int input = open("/dev/null", O_RDONLY | O_CLOEXEC);
  int out = open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  int err = open(errors, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  int failure = input < 0 || out < 0 || err < 0 ? errno : 0;
  pid_t pid = failure == 0 ? vfork() : -1;
  if (pid == 0) {
    setpgid(0, 0);
    // It does not outlive whoever started it: the thread that waits for it.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    struct sigaction plain = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; number++) sigaction(number, &plain, NULL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    limit(RLIMIT_AS, memory_limit);
    limit(RLIMIT_FSIZE, file_limit);
    struct rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    int is_ready = dup2(input, 0) >= 0 && dup2(out, 1) >= 0 && dup2(err, 2) >= 0 && (!folder || chdir(folder) == 0);
    if (is_ready) execvpe(arguments[0], arguments, environment);
    int number = errno;
    (void)!write(ends[1], &number, sizeof number);
    _exit(127);
  }
  if (pid < 0 && failure == 0) failure = errno;
  close(ends[1]);
  if (pid > 0) {
    int number = 0;
    if (read(ends[0], &number, sizeof number) == sizeof number) {
      failure = number;
      while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {}
    }
  }
  close(ends[0]);
  if (input >= 0) close(input);
  if (out >= 0) close(out);
  if (err >= 0) close(err);
  *child = pid;
  return failure;
}

static int64_t now_milliseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

int foreign_wait_child(pid_t child, int milliseconds, struct foreign_child_end *end) {
  // A descriptor of the process becomes readable when it ends.
  int descriptor = (int)syscall(SYS_pidfd_open, child, 0);
  int64_t last = now_milliseconds() + milliseconds;
  int has_ended = 0;
  while (descriptor >= 0 && !has_ended) {
    int64_t left = last - now_milliseconds();
    struct pollfd watched = {descriptor, POLLIN, 0};
    int ready = poll(&watched, 1, left > 0 ? (int)left : 0);
    has_ended = ready > 0;
    if (ready == 0 || (ready < 0 && errno != EINTR)) break;
  }
  if (descriptor >= 0) close(descriptor);
  struct rusage usage;
  int status = 0;
  pid_t ended;
  do ended = wait4(child, &status, has_ended ? 0 : WNOHANG, &usage);
  while (ended < 0 && errno == EINTR);
  if (ended != child) return 0;
  end->status = status;
  end->cpu_seconds = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                     (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
  end->peak_bytes = (int64_t)usage.ru_maxrss * 1024;
  return 1;
}
