// A process of its own for code that may crash, and what else only GNU's C library says.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <unistd.h>

#include "CForeign.h"

pid_t foreign_start_child(char *const arguments[], char *const environment[], int *report) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return -1;
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 3);
  for (int i = 0; i < 3; i++) posix_spawn_file_actions_addopen(&actions, i, "/dev/null", O_RDWR, 0);
  posix_spawn_file_actions_addclosefrom_np(&actions, 4);
  sigset_t signals;
  sigfillset(&signals);
  posix_spawnattr_setsigdefault(&attributes, &signals);
  sigemptyset(&signals);
  posix_spawnattr_setsigmask(&attributes, &signals);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  pid_t child = -1;
  int failure = posix_spawn(&child, arguments[0], &actions, &attributes, arguments, environment);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(ends[1]);
  if (failure != 0) {
    close(ends[0]);
    return -1;
  }
  *report = ends[0];
  return child;
}

const char *foreign_signal_name(int number) { return sigabbrev_np(number); }

const char *foreign_own_file(void) {
  Dl_info info;
  // Any address in here will do.
  return dladdr((const void *)(uintptr_t)foreign_own_file, &info) ? info.dli_fname : NULL;
}
