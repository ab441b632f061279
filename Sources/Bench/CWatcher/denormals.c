// Handles instructions of SSE and AVX whose operands or results are denormal: the processor raises a signal at each, if
// enabled.
#define _GNU_SOURCE
#include "watcher.h"

#if defined(__x86_64__)

#include <immintrin.h>

// The bits of MXCSR: bit 6 and 15 take denormals for zero, 8 and 11 keep denormal operands and underflow from raising a
// signal, and 1 and 4 report that there were such.
enum { FLUSHES = 0x8040, MASKS = 0x0900, FLAGS = 0x0012 };
// In each node and slice; further ones say nothing new, and a signal takes its time.
enum { MOST = 64 };

PER_THREAD int left = 0;
PER_THREAD uint32_t former = 0;
PER_THREAD _Bool armed = 0;

void denormals_arm(void) {
  if (!armed) former = _mm_getcsr();
  armed = 1;
  left = MOST;
  _mm_setcsr(former & ~(FLUSHES | MASKS | FLAGS));
}

void denormals_disarm(void) {
  if (armed) _mm_setcsr(former);
  armed = 0;
}

// The instruction is done again, with the signal off; the step behind it turns it on.
static void met(int signal, siginfo_t *info, void *context) {
  (void)signal;
  // Another one, as of a division by zero, is what it would be without us.
  if (!armed || info->si_code != FPE_FLTUND) {
    struct sigaction usual = {.sa_handler = SIG_DFL};
    sigaction(SIGFPE, &usual, NULL);
    return;
  }
  ucontext_t *state = context;
  greg_t *r = state->uc_mcontext.gregs;
  if (watched & RENDER_WATCH_DENORMAL) note(RENDER_WATCH_DENORMAL, NULL, 0, 0, (void *)r[REG_RIP]);
  state->uc_mcontext.fpregs->mxcsr = (state->uc_mcontext.fpregs->mxcsr | MASKS) & ~FLAGS;
  if (--left > 0) r[REG_EFL] |= 0x100;
}

static void stepped(int signal, siginfo_t *info, void *context) {
  (void)signal, (void)info;
  ucontext_t *state = context;
  state->uc_mcontext.gregs[REG_EFL] &= ~0x100;
  if (armed) state->uc_mcontext.fpregs->mxcsr &= ~(uint32_t)(MASKS | FLAGS);
}

_Bool watch_denormals(void) { return handle_signal(SIGFPE, met) && handle_signal(SIGTRAP, stepped); }

#else

void denormals_arm(void) {}
void denormals_disarm(void) {}
_Bool watch_denormals(void) { return 0; }

#endif
