// The process between a program that may misbehave and the process that started it. It adopts what the program leaves
// behind (PR_SET_CHILD_SUBREAPER), so that none of its processes escapes, and it lives on after its starter just long
// enough to end all of them.
//
//   who starts ── supervisor ── parent ── program ── ...
//
// The parent in between does nothing but wait: a program that kills the process that started it, kills this one.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "supervisor.h"

void process_reset_signals(void) {
  struct sigaction plain = {.sa_handler = SIG_DFL};
  for (int number = 1; number < NSIG; number++) sigaction(number, &plain, NULL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

void process_die(int number) {
  // A crash has been recorded already, if at all.
  prctl(PR_SET_DUMPABLE, 0);
  struct rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  signal(number, SIG_DFL);
  sigset_t mask;
  sigemptyset(&mask);
  sigaddset(&mask, number);
  pthread_sigmask(SIG_UNBLOCK, &mask, NULL);
  kill(getpid(), number);
  _exit(128 + number);
}

/// Ends as another process has ended.
static _Noreturn void end_as(int status) {
  if (WIFSIGNALED(status)) process_die(WTERMSIG(status));
  _exit(WEXITSTATUS(status));
}

static int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  return status;
}

/// Kills all present children of this process; answers whether it could look.
static int kill_children(void) {
  int list = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  if (list < 0) return 0;
  char text[4096];
  pid_t child = 0;
  ssize_t count;
  while ((count = read(list, text, sizeof text)) > 0)
    for (ssize_t i = 0; i < count; i++) {
      if (text[i] >= '0' && text[i] <= '9') {
        child = child * 10 + (text[i] - '0');
      } else {
        if (child > 1) kill(child, SIGKILL);
        child = 0;
      }
    }
  close(list);
  return 1;
}

/// The end of the process in between.
struct parent_end {
  pid_t parent;
  int status;
  int is_known;
};

/// Takes the ends of all children that have ended; answers whether there are others.
static int reap(struct parent_end *end) {
  for (;;) {
    int status = 0;
    pid_t ended = waitpid(-1, &status, WNOHANG);
    if (ended == end->parent && !end->is_known) {
      end->status = status;
      end->is_known = 1;
    }
    if (ended == 0) return 1;
    if (ended < 0 && errno != EINTR) return 0;
  }
}

/// Kills everything that came of the program: children whose parent has ended become this process's own.
static void kill_all(struct parent_end *end) {
  for (int tries = 0;; tries++) {
    int could_look = kill_children();
    if (!could_look && !end->is_known) kill(end->parent, SIGKILL);
    if (!reap(end)) return;
    // Without /proc adopted processes cannot be distinguished from others.
    if (!could_look && tries > 1000) return;
    poll(NULL, 0, 1);
  }
}

static _Noreturn void watch(int control, pid_t parent) {
  prctl(PR_SET_NAME, "supervisor");
  if (control != 0) dup2(control, 0);
  closefrom(1);
  sigset_t child_ended;
  sigemptyset(&child_ended);
  sigaddset(&child_ended, SIGCHLD);
  sigprocmask(SIG_BLOCK, &child_ended, NULL);
  int ends = signalfd(-1, &child_ended, SFD_NONBLOCK);
  struct pollfd watched[] = {{0, POLLIN, 0}, {ends, POLLIN, 0}};
  struct parent_end end = {.parent = parent};
  // Adopted processes that end meanwhile are taken too: each would hold a number that others may need.
  while (reap(&end), !end.is_known) {
    int ready = poll(watched, 2, ends < 0 ? 10 : -1);
    if (ready > 0 && watched[0].revents != 0) break;
    struct signalfd_siginfo told;
    while (ends >= 0 && read(ends, &told, sizeof told) > 0) {}
  }
  kill_all(&end);
  end_as(end.status);
}

/// Binds the life of this process to that of the one that made it.
static void die_with(pid_t maker) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != maker) _exit(127);
}

static _Noreturn void give_up(int failure) {
  int number = errno;
  if (failure >= 0) (void)!write(failure, &number, sizeof number);
  _exit(127);
}

void process_supervise_order(int control, int failure, const struct process_order *order) {
  setpgid(0, 0);
  process_reset_signals();
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  pid_t supervisor = getpid();
  pid_t parent = _Fork();
  if (parent < 0) give_up(failure);
  if (parent > 0) watch(control, parent);
  die_with(supervisor);
  parent = getpid();
  // A process that becomes another program at once needs no copy of the memory.
  pid_t program = order ? vfork() : _Fork();
  if (program < 0) give_up(failure);
  if (program > 0) {
    prctl(PR_SET_NAME, "parent");
    closefrom(0);
    end_as(wait_for(program));
  }
  die_with(parent);
  setpgid(0, 0);
  if (order) process_become(order, failure);
  close(control);
}

void process_supervise(int control) { process_supervise_order(control, -1, NULL); }
