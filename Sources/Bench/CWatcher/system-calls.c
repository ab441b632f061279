// System calls of the watched thread: Linux stops it at each by a signal ("syscall user dispatch", Linux 5.11, x86-64),
// and its handler does the call.
#define _GNU_SOURCE
#include "watcher.h"

#include <errno.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#endif

// The byte that Linux reads at each system call of this thread.
static __thread volatile char stops __attribute__((tls_model("initial-exec"))) = 0;

void system_calls_stop(_Bool stop) { stops = stop; }

// The end of a handler is a system call itself: the one here is never stopped. By these bytes unwinders know a signal's
// frame.
extern char handler_end[], handler_end_after[];
__asm__(
    ".text\n.balign 16\nnop\n"
    ".globl handler_end\n.hidden handler_end\n.type handler_end,@function\n"
    "handler_end:\n  mov $15, %rax\n  syscall\n"
    ".globl handler_end_after\n.hidden handler_end_after\n"
    "handler_end_after:\n  nop\n");

struct kernel_action {
  signal_handler handler;
  unsigned long flags;
  void (*end)(void);
  unsigned long mask;
};

_Bool handle_signal(int number, signal_handler handler) {
  struct kernel_action action = {
      .handler = handler,
      // Within the handler the signal may come again, and the mask is that of what was interrupted.
      .flags = SA_SIGINFO | SA_NODEFER | 0x04000000 /* SA_RESTORER */,
      .end = (void (*)(void))handler_end,
  };
  return syscall(SYS_rt_sigaction, number, &action, NULL, sizeof action.mask) == 0;
}

static long call(long number, const greg_t *r, long second) {
  register long r10 __asm__("r10") = r[REG_R10];
  register long r8 __asm__("r8") = r[REG_R8];
  register long r9 __asm__("r9") = r[REG_R9];
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(r[REG_RDI]), "S"(second), "d"(r[REG_RDX]), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

static void stopped(int signal, siginfo_t *info, void *context) {
  (void)signal;
  stops = 0;
  ucontext_t *state = context;
  greg_t *r = state->uc_mcontext.gregs;
  long number = info->si_syscall;
  // The return of another handler is not what its program does.
  if (watched & RENDER_WATCH_SYSTEM_CALL && number != SYS_rt_sigreturn)
    note(RENDER_WATCH_SYSTEM_CALL, system_call_name(number), number, 0, (void *)r[REG_RIP]);
  switch (number) {
    // These must not be done on the stack of a handler: they are done again where they stand, and nothing is stopped
    // from there on until the next render call.
    case SYS_rt_sigreturn:
    case SYS_clone:
    case SYS_clone3:
    case SYS_fork:
    case SYS_vfork:
    case SYS_execve:
    case SYS_exit:
    case SYS_exit_group:
      r[REG_RIP] -= 2;
      r[REG_RAX] = number;
      return;
    // A call that is stopped while the signal is blocked would end the process. The mask after the handler is in the
    // context.
    case SYS_rt_sigprocmask: {
      unsigned long set = 0, present = 0;
      const unsigned long *wanted = (const unsigned long *)r[REG_RSI];
      if (wanted) set = *wanted & ~(1ul << (SIGSYS - 1)) & ~(1ul << (SIGFPE - 1));
      r[REG_RAX] = call(number, r, (long)(wanted ? &set : NULL));
      syscall(SYS_rt_sigprocmask, SIG_SETMASK, NULL, &present, sizeof present);
      memcpy(&state->uc_sigmask, &present, sizeof present);
      break;
    }
    default: r[REG_RAX] = call(number, r, r[REG_RSI]);
  }
  stops = 1;
}

_Bool watch_system_calls(void) {
  if (!handle_signal(SIGSYS, stopped)) return 0;
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, SIGSYS);
  sigprocmask(SIG_UNBLOCK, &one, NULL);
  unsigned long length = (unsigned long)(handler_end_after - handler_end) + 1;
  return prctl(PR_SET_SYSCALL_USER_DISPATCH, 1, handler_end, length, &stops) == 0;
}

#else

void system_calls_stop(_Bool stop) { (void)stop; }
_Bool watch_system_calls(void) { return 0; }

#endif
