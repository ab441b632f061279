// Signals as something that is waited for: no handler runs, so that the thread that takes one may call any function.
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

#include "CProcess.h"

// Without SIGUSR1, SIGUSR2 and SIGPROF, by which the language's runtime stops the other threads when one has crashed.
static const int stopping[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGALRM};
static sigset_t held;

static void set_common_meanings(void) {
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  // The parent of this process may ignore it: then the ends of its own children would be lost.
  signal(SIGCHLD, SIG_DFL);
}

void process_hold_signals(void) {
  sigemptyset(&held);
  for (size_t i = 0; i < sizeof stopping / sizeof *stopping; i++) {
    struct sigaction former;
    sigaction(stopping[i], NULL, &former);
    if (former.sa_handler == SIG_IGN) continue;  // nohup stays nohup
    signal(stopping[i], SIG_DFL);
    sigaddset(&held, stopping[i]);
  }
  sigprocmask(SIG_BLOCK, &held, NULL);
  set_common_meanings();
}

int process_await_signal(int milliseconds) {
  struct timespec limit = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
  int number;
  do number = milliseconds < 0 ? sigwaitinfo(&held, NULL) : sigtimedwait(&held, NULL, &limit);
  while (number < 0 && errno == EINTR);
  return number > 0 ? number : 0;
}

void process_leave_signals(void) {
  // The language's runtime takes SIGQUIT for a crash.
  struct sigaction former;
  sigaction(SIGQUIT, NULL, &former);
  if (former.sa_handler != SIG_IGN) signal(SIGQUIT, SIG_DFL);
  set_common_meanings();
  sigprocmask(SIG_UNBLOCK, &held, NULL);
}

const char *process_signal_name(int number) { return sigabbrev_np(number); }
