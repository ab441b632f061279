// The values that audio code reads from a Mac's kernel: processors, memory, versions, and whether a debugger is
// attached. Read from Linux's own places; a name that is not among them fails with ENOENT, as there.
#ifndef SYS_SYSCTL_H
#define SYS_SYSCTL_H
#pragma GCC system_header

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { CTL_KERN = 1, CTL_HW = 6 };
enum { KERN_OSTYPE = 1, KERN_OSRELEASE = 2, KERN_VERSION = 4, KERN_HOSTNAME = 10, KERN_PROC = 14 };
enum { KERN_PROC_ALL = 0, KERN_PROC_PID = 1 };
enum {
  HW_MACHINE = 1,
  HW_MODEL = 2,
  HW_NCPU = 3,
  HW_BYTEORDER = 4,
  HW_PHYSMEM = 5,
  HW_PAGESIZE = 7,
  HW_VECTORUNIT = 13,
  HW_MEMSIZE = 24,
  HW_AVAILCPU = 25
};
enum { CTL_MAXNAME = 12 };

// The state of a process: whether it is traced, which is what a debugger does.
#define P_TRACED 0x00000800
struct extern_proc {
  int p_flag;
  pid_t p_pid;
};
struct kinfo_proc {
  struct extern_proc kp_proc;
};

// Gives bytes out as sysctl does: the size alone without a place; -1 and ENOMEM where there is too little room.
static inline int ca_sysctl_give_(void *old, size_t *size, const void *bytes, size_t count) {
  size_t room = size != NULL ? *size : 0;
  if (size != NULL) { *size = count; }
  if (old == NULL) { return 0; }
  memcpy(old, bytes, count < room ? count : room);
  if (count <= room) { return 0; }
  errno = ENOMEM;
  return -1;
}

// A number, in the 4 or 8 bytes that the caller has room for.
static inline int ca_sysctl_number_(void *old, size_t *size, int64_t value, size_t width) {
  int32_t small = (int32_t)value;
  if (old != NULL && size != NULL && *size == 8) { width = 8; }
  if (old != NULL && size != NULL && *size == 4) { width = 4; }
  return width == 4 ? ca_sysctl_give_(old, size, &small, 4) : ca_sysctl_give_(old, size, &value, 8);
}

static inline int ca_sysctl_text_(void *old, size_t *size, const char *text) {
  return ca_sysctl_give_(old, size, text, strlen(text) + 1);
}

static inline int ca_sysctl_traced_(void) {
  char line[128];
  int tracer = 0;
  FILE *file = fopen("/proc/self/status", "re");
  if (file == NULL) { return 0; }
  while (fgets(line, sizeof(line), file) != NULL && sscanf(line, "TracerPid: %d", &tracer) != 1) {}
  fclose(file);
  return tracer != 0;
}

static inline int sysctlbyname(const char *name, void *oldp, size_t *oldlenp, const void *newp, size_t newlen) {
  struct utsname system;
  (void)newlen;
  if (name == NULL) {
    errno = EFAULT;
    return -1;
  }
  if (newp != NULL) {
    errno = EPERM;
    return -1;
  }
  uname(&system);
  if (!strcmp(name, "hw.ncpu") || !strcmp(name, "hw.logicalcpu_max") || !strcmp(name, "hw.physicalcpu_max")) {
    return ca_sysctl_number_(oldp, oldlenp, sysconf(_SC_NPROCESSORS_CONF), 4);
  }
  if (!strcmp(name, "hw.activecpu") || !strcmp(name, "hw.availcpu") || !strcmp(name, "hw.logicalcpu") ||
      !strcmp(name, "hw.physicalcpu")) {
    return ca_sysctl_number_(oldp, oldlenp, sysconf(_SC_NPROCESSORS_ONLN), 4);
  }
  if (!strcmp(name, "hw.memsize") || !strcmp(name, "hw.physmem")) {
    return ca_sysctl_number_(oldp, oldlenp, (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE), 8);
  }
  if (!strcmp(name, "hw.pagesize")) { return ca_sysctl_number_(oldp, oldlenp, sysconf(_SC_PAGESIZE), 4); }
  if (!strcmp(name, "hw.byteorder")) {
    return ca_sysctl_number_(oldp, oldlenp, __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 1234 : 4321, 4);
  }
#if defined(__x86_64__)
  if (!strcmp(name, "hw.optional.mmx") || !strcmp(name, "hw.optional.sse") || !strcmp(name, "hw.optional.sse2") ||
      !strcmp(name, "hw.optional.x86_64")) {
    return ca_sysctl_number_(oldp, oldlenp, 1, 4);
  }
  if (!strcmp(name, "hw.optional.sse3")) { return ca_sysctl_number_(oldp, oldlenp, !!__builtin_cpu_supports("sse3"), 4); }
  if (!strcmp(name, "hw.optional.avx1_0")) { return ca_sysctl_number_(oldp, oldlenp, !!__builtin_cpu_supports("avx"), 4); }
  if (!strcmp(name, "hw.optional.avx2_0")) { return ca_sysctl_number_(oldp, oldlenp, !!__builtin_cpu_supports("avx2"), 4); }
#endif
#if defined(__aarch64__)
  if (!strcmp(name, "hw.optional.neon") || !strcmp(name, "hw.optional.arm64")) {
    return ca_sysctl_number_(oldp, oldlenp, 1, 4);
  }
#endif
  if (!strcmp(name, "hw.vectorunit") || !strcmp(name, "hw.optional.altivec")) {
    // Processors that this is built for have one; AltiVec is that of PowerPC.
    return ca_sysctl_number_(oldp, oldlenp, name[3] == 'v', 4);
  }
  if (!strcmp(name, "hw.machine") || !strcmp(name, "hw.model")) { return ca_sysctl_text_(oldp, oldlenp, system.machine); }
  if (!strcmp(name, "kern.ostype")) { return ca_sysctl_text_(oldp, oldlenp, system.sysname); }
  if (!strcmp(name, "kern.osrelease")) { return ca_sysctl_text_(oldp, oldlenp, system.release); }
  if (!strcmp(name, "kern.version")) { return ca_sysctl_text_(oldp, oldlenp, system.version); }
  if (!strcmp(name, "kern.hostname")) { return ca_sysctl_text_(oldp, oldlenp, system.nodename); }
  errno = ENOENT;
  return -1;
}

static inline int sysctl(const int *name, unsigned count, void *oldp, size_t *oldlenp, const void *newp, size_t newlen) {
  static const struct {
    int first, second;
    const char *name;
  } known[] = {
      {CTL_HW, HW_MACHINE, "hw.machine"},       {CTL_HW, HW_MODEL, "hw.model"},
      {CTL_HW, HW_NCPU, "hw.ncpu"},             {CTL_HW, HW_BYTEORDER, "hw.byteorder"},
      {CTL_HW, HW_PHYSMEM, "hw.physmem"},       {CTL_HW, HW_PAGESIZE, "hw.pagesize"},
      {CTL_HW, HW_MEMSIZE, "hw.memsize"},       {CTL_HW, HW_AVAILCPU, "hw.availcpu"},
      {CTL_HW, HW_VECTORUNIT, "hw.vectorunit"},
      {CTL_KERN, KERN_OSTYPE, "kern.ostype"},   {CTL_KERN, KERN_OSRELEASE, "kern.osrelease"},
      {CTL_KERN, KERN_VERSION, "kern.version"}, {CTL_KERN, KERN_HOSTNAME, "kern.hostname"},
  };
  if (name != NULL && count == 2) {
    for (size_t index = 0; index < sizeof(known) / sizeof(known[0]); index++) {
      if (known[index].first == name[0] && known[index].second == name[1]) {
        return sysctlbyname(known[index].name, oldp, oldlenp, newp, newlen);
      }
    }
  }
  // Only for this process.
  if (name != NULL && count == 4 && name[0] == CTL_KERN && name[1] == KERN_PROC && name[2] == KERN_PROC_PID &&
      name[3] == getpid() && newp == NULL) {
    struct kinfo_proc process;
    memset(&process, 0, sizeof(process));
    process.kp_proc.p_pid = getpid();
    process.kp_proc.p_flag = ca_sysctl_traced_() ? P_TRACED : 0;
    return ca_sysctl_give_(oldp, oldlenp, &process, sizeof(process));
  }
  errno = ENOENT;
  return -1;
}

#endif
