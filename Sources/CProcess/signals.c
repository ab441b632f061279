// Signals as something that is waited for: no handler runs, so that whoever takes one may do anything.
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

#include "CProcess.h"

static const int stopping[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGALRM, SIGUSR1, SIGUSR2};
static sigset_t held;

static void ignore_limits(void) {
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
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
  ignore_limits();
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
  ignore_limits();
}

const char *process_signal_name(int number) { return sigabbrev_np(number); }
