// The last words about third-party code that takes the program down with it. A handler may only do what POSIX calls
// async-signal-safe: everything is prepared beforehand.
#define _GNU_SOURCE
#include "CForeign.h"
#include "board.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

static const struct {
  int number;
  const char *name;
} crashes[] = {{SIGSEGV, "SIGSEGV\n"}, {SIGBUS, "SIGBUS\n"},   {SIGILL, "SIGILL\n"},
               {SIGFPE, "SIGFPE\n"},   {SIGABRT, "SIGABRT\n"}, {SIGTRAP, "SIGTRAP\n"}};
enum { crash_count = sizeof crashes / sizeof *crashes };

static struct sigaction former[crash_count];
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Thread_local const char *volatile present;
// A stack that has overflown cannot run the handler.
static _Thread_local char spare_stack[32768];
static _Thread_local int has_spare_stack;

static void say(const char *text) {
  size_t length = strlen(text);
  while (length > 0) {
    ssize_t count = write(STDERR_FILENO, text, length);
    if (count <= 0) return;
    text += count;
    length -= (size_t)count;
  }
}

static void report(int number, siginfo_t *info, void *context) {
  (void)context;
  for (int i = 0; i < crash_count; i++) {
    if (crashes[i].number != number) continue;
    if (present) {
      say(present);
      say(crashes[i].name);
      foreign_board_tell();
      present = NULL;
    }
    sigaction(number, &former[i], NULL);
    // A fault comes again when this handler has returned, now for the former handler; a signal that was sent does not.
    if (info->si_code <= 0) raise(number);
  }
}

/// At an `exit` that a component has called. In a process that is watched every exit is one until it has settled to end
/// itself.
static void end_at_once(int status, void *context) {
  (void)context;
  if (foreign_board_is_open()) _exit(status);
  if (!present) return;
  const char *text = present;
  char code[] = "\0\0\0)\n";
  char *digit = code + 2;
  int rest = status & 0xFF;
  do *digit-- = (char)('0' + rest % 10);
  while ((rest /= 10) > 0);
  // Without the words of a crash that stand at its end.
  static const char crashed[] = " crashed: ";
  size_t length = strlen(text);
  if (length >= sizeof crashed - 1) length -= sizeof crashed - 1;
  if (write(STDERR_FILENO, text, length) == (ssize_t)length) {
    say(" ended the process (exit code ");
    say(digit + 1);
  }
  _exit(status);
}

void foreign_catch_exits(void) {
  // The newest handler is called first: so one more when a component may have added its own. Each takes memory: not for
  // ever.
  static atomic_int count;
  if (count < 4096 && count++ < 4096) on_exit(end_at_once, NULL);
}

static void install(void) {
  struct sigaction action = {0};
  action.sa_sigaction = report;
  action.sa_flags = SA_ONSTACK | SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < crash_count; i++) sigaction(crashes[i].number, &action, &former[i]);
}

void foreign_report_crashes(void) { pthread_once(&once, install); }

const char *foreign_enter(const char *notice) {
  if (notice && !has_spare_stack) {
    stack_t stack;
    has_spare_stack = 1;
    if (sigaltstack(NULL, &stack) == 0 && (stack.ss_flags & SS_DISABLE)) {
      stack = (stack_t){.ss_sp = spare_stack, .ss_size = sizeof spare_stack};
      sigaltstack(&stack, NULL);
    }
  }
  const char *before = present;
  present = notice;
  foreign_board_enter(notice);
  return before;
}
