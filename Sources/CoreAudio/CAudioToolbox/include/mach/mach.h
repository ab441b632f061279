// The little of Mach that audio code asks for: the names of threads and how they are scheduled, memory by pages, and
// results. A port is a number of Linux: that of a thread or of the process.
#ifndef MACH_MACH_H
#define MACH_MACH_H
#pragma GCC system_header

#include <mach/mach_time.h>

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

// Strict C hides these.
#ifdef MAP_ANONYMOUS
#define CA_MAP_ANONYMOUS MAP_ANONYMOUS
#else
#define CA_MAP_ANONYMOUS 0x20
#endif
#ifdef MAP_FIXED_NOREPLACE
#define CA_MAP_FIXED_NOREPLACE MAP_FIXED_NOREPLACE
#else
#define CA_MAP_FIXED_NOREPLACE 0x100000
#endif
#ifdef MREMAP_FIXED
#define CA_MREMAP_MAYMOVE MREMAP_MAYMOVE
#define CA_MREMAP_FIXED MREMAP_FIXED
#else
#define CA_MREMAP_MAYMOVE 1
#define CA_MREMAP_FIXED 2
extern void *mremap(void *, size_t, size_t, int, ...);
#endif
#ifndef __cplusplus
extern long syscall(long number, ...);
#endif

typedef int boolean_t;
typedef int integer_t;
typedef unsigned int natural_t;
typedef int kern_return_t;
typedef kern_return_t mach_error_t;
typedef natural_t mach_port_t;
typedef mach_port_t mach_port_name_t;
typedef mach_port_t task_t;
typedef mach_port_t thread_t;
typedef mach_port_t thread_act_t;
typedef mach_port_t thread_port_t;
typedef mach_port_t vm_map_t;
typedef mach_port_t host_t;
typedef uintptr_t vm_address_t;
typedef uintptr_t vm_offset_t;
typedef uintptr_t vm_size_t;
typedef int vm_prot_t;
typedef unsigned int vm_inherit_t;
typedef natural_t mach_msg_type_number_t;
typedef natural_t thread_policy_flavor_t;
typedef integer_t *thread_policy_t;

#define MACH_PORT_NULL ((mach_port_t)0)

enum {
  KERN_INVALID_ADDRESS = 1,
  KERN_PROTECTION_FAILURE = 2,
  KERN_NO_SPACE = 3,
  KERN_INVALID_ARGUMENT = 4,
  KERN_FAILURE = 5,
  KERN_RESOURCE_SHORTAGE = 6,
  KERN_NOT_SUPPORTED = 46
};

#define ERR_SUCCESS ((mach_error_t)0)

enum { VM_INHERIT_SHARE = 0, VM_INHERIT_COPY = 1, VM_INHERIT_NONE = 2, VM_INHERIT_DEFAULT = VM_INHERIT_COPY };
enum { VM_FLAGS_FIXED = 0, VM_FLAGS_ANYWHERE = 1 };
enum { VM_PROT_NONE = 0, VM_PROT_READ = 1, VM_PROT_WRITE = 2, VM_PROT_EXECUTE = 4, VM_PROT_DEFAULT = 3 };

static inline mach_port_t mach_task_self(void) { return (mach_port_t)getpid(); }
static inline mach_port_t mach_host_self(void) { return 1; }
static inline mach_port_t mach_thread_self(void) { return (mach_port_t)syscall(SYS_gettid); }
static inline kern_return_t mach_port_deallocate(task_t task, mach_port_name_t name) {
  (void)task, (void)name;
  return KERN_SUCCESS;
}
// Only for the calling thread: Linux does not give another one's number, so the result is MACH_PORT_NULL.
static inline mach_port_t pthread_mach_thread_np(pthread_t thread) {
  return pthread_equal(thread, pthread_self()) ? mach_thread_self() : MACH_PORT_NULL;
}

static inline const char *mach_error_string(mach_error_t error) {
  switch (error) {
    case KERN_SUCCESS: return "no error";
    case KERN_INVALID_ADDRESS: return "invalid address";
    case KERN_PROTECTION_FAILURE: return "protection failure";
    case KERN_NO_SPACE: return "no space";
    case KERN_INVALID_ARGUMENT: return "invalid argument";
    case KERN_RESOURCE_SHORTAGE: return "resource shortage";
    case KERN_NOT_SUPPORTED: return "not supported";
    default: return "failure";
  }
}

// MARK: How threads are scheduled

enum {
  THREAD_STANDARD_POLICY = 1,
  THREAD_EXTENDED_POLICY = 1,
  THREAD_TIME_CONSTRAINT_POLICY = 2,
  THREAD_PRECEDENCE_POLICY = 3
};

typedef struct thread_extended_policy {
  boolean_t timeshare;
} thread_extended_policy_data_t;
typedef struct thread_time_constraint_policy {
  uint32_t period;
  uint32_t computation;
  uint32_t constraint;
  boolean_t preemptible;
} thread_time_constraint_policy_data_t;
typedef struct thread_precedence_policy {
  integer_t importance;
} thread_precedence_policy_data_t;

#define CA_COUNT_OF_INTEGERS(type) ((mach_msg_type_number_t)(sizeof(type) / sizeof(integer_t)))
#define THREAD_EXTENDED_POLICY_COUNT CA_COUNT_OF_INTEGERS(thread_extended_policy_data_t)
#define THREAD_TIME_CONSTRAINT_POLICY_COUNT CA_COUNT_OF_INTEGERS(thread_time_constraint_policy_data_t)
#define THREAD_PRECEDENCE_POLICY_COUNT CA_COUNT_OF_INTEGERS(thread_precedence_policy_data_t)

// A time constraint asks for Linux's SCHED_RR, everything else for SCHED_OTHER. If the system refuses (it lets few
// processes have SCHED_RR), the thread stays as it is and the result is KERN_SUCCESS all the same: the program's sound
// is the same, and it need not run as root.
static inline kern_return_t thread_policy_set(
    thread_act_t thread, thread_policy_flavor_t flavor, thread_policy_t policy, mach_msg_type_number_t count) {
  struct sched_param parameters;
  if (policy == NULL || count == 0 || flavor < 1 || flavor > 3) { return KERN_INVALID_ARGUMENT; }
  // To Linux 0 is the calling thread, and not one whose number is not known.
  if (thread == MACH_PORT_NULL) { return KERN_SUCCESS; }
  memset(&parameters, 0, sizeof(parameters));
  if (flavor == THREAD_TIME_CONSTRAINT_POLICY) { parameters.sched_priority = sched_get_priority_min(SCHED_RR) + 10; }
  (void)sched_setscheduler(
      (pid_t)thread, flavor == THREAD_TIME_CONSTRAINT_POLICY ? SCHED_RR : SCHED_OTHER, &parameters);
  return KERN_SUCCESS;
}

// The defaults: no time constraint, shared time, importance 0.
static inline kern_return_t thread_policy_get(
    thread_act_t thread, thread_policy_flavor_t flavor, thread_policy_t policy, mach_msg_type_number_t *count,
    boolean_t *get_default) {
  (void)thread;
  if (policy == NULL || count == NULL || *count == 0 || flavor < 1 || flavor > 3) { return KERN_INVALID_ARGUMENT; }
  memset(policy, 0, *count * sizeof(integer_t));
  if (flavor == THREAD_EXTENDED_POLICY) { policy[0] = 1; }
  if (get_default != NULL) { *get_default = 1; }
  return KERN_SUCCESS;
}

// MARK: Thread information

enum {
  THREAD_BASIC_INFO = 3,
  THREAD_SCHED_TIMESHARE_INFO = 10,
  THREAD_SCHED_RR_INFO = 11,
  THREAD_SCHED_FIFO_INFO = 12
};
enum { POLICY_NULL = 0, POLICY_TIMESHARE = 1, POLICY_RR = 2, POLICY_FIFO = 4 };
enum { TH_STATE_RUNNING = 1, TH_USAGE_SCALE = 1000 };

typedef integer_t *thread_info_t;
typedef natural_t thread_flavor_t;
typedef struct time_value {
  integer_t seconds;
  integer_t microseconds;
} time_value_t;
typedef struct thread_basic_info {
  time_value_t user_time;
  time_value_t system_time;
  integer_t cpu_usage;
  integer_t policy;
  integer_t run_state;
  integer_t flags;
  integer_t suspend_count;
  integer_t sleep_time;
} thread_basic_info_data_t;
typedef struct policy_timeshare_info {
  integer_t max_priority;
  integer_t base_priority;
  integer_t cur_priority;
  boolean_t depressed;
  integer_t depress_priority;
} policy_timeshare_info_data_t;
typedef struct policy_rr_info {
  integer_t max_priority;
  integer_t base_priority;
  integer_t quantum;
  boolean_t depressed;
  integer_t depress_priority;
} policy_rr_info_data_t;
typedef struct policy_fifo_info {
  integer_t max_priority;
  integer_t base_priority;
  boolean_t depressed;
  integer_t depress_priority;
} policy_fifo_info_data_t;
typedef union policy_info_data {
  policy_timeshare_info_data_t ts;
  policy_rr_info_data_t rr;
  policy_fifo_info_data_t fifo;
} policy_info_data_t;

#define THREAD_BASIC_INFO_COUNT CA_COUNT_OF_INTEGERS(thread_basic_info_data_t)
#define POLICY_TIMESHARE_INFO_COUNT CA_COUNT_OF_INTEGERS(policy_timeshare_info_data_t)
#define POLICY_RR_INFO_COUNT CA_COUNT_OF_INTEGERS(policy_rr_info_data_t)
#define POLICY_FIFO_INFO_COUNT CA_COUNT_OF_INTEGERS(policy_fifo_info_data_t)

// A Mac's priorities are counted from 0 to 63, and a thread has 31 by default: that is what is answered of one that
// shares its time, and of the others 31 and Linux's own priority. Times and usage are 0.
static inline kern_return_t thread_info(
    thread_act_t thread, thread_flavor_t flavor, thread_info_t info, mach_msg_type_number_t *count) {
  const int policy = sched_getscheduler((pid_t)thread);
  struct sched_param parameters;
  integer_t base = 31, wanted = flavor == THREAD_BASIC_INFO ? 10 : flavor == THREAD_SCHED_FIFO_INFO ? 4 : 5;
  if (info == NULL || count == NULL || (flavor != THREAD_BASIC_INFO && (flavor < 10 || flavor > 12)) ||
      *count < (mach_msg_type_number_t)wanted) {
    return KERN_INVALID_ARGUMENT;
  }
  memset(info, 0, (size_t)wanted * sizeof(integer_t));
  *count = (mach_msg_type_number_t)wanted;
  if (flavor == THREAD_BASIC_INFO) {
    // Behind two times and the usage.
    info[5] = policy == SCHED_FIFO ? POLICY_FIFO : policy == SCHED_RR ? POLICY_RR : POLICY_TIMESHARE;
    info[6] = TH_STATE_RUNNING;
    return KERN_SUCCESS;
  }
  if ((policy == SCHED_FIFO || policy == SCHED_RR) && sched_getparam((pid_t)thread, &parameters) == 0) {
    base += parameters.sched_priority;
  }
  info[0] = base > 63 ? base : 63;
  info[1] = base;
  if (flavor == THREAD_SCHED_TIMESHARE_INFO) { info[2] = base; }
  return KERN_SUCCESS;
}

// MARK: Memory by pages

#define vm_page_size ((vm_size_t)sysconf(_SC_PAGESIZE))
#define round_page(bytes) (((vm_size_t)(bytes) + vm_page_size - 1) & ~(vm_page_size - 1))
#define trunc_page(bytes) ((vm_size_t)(bytes) & ~(vm_page_size - 1))

// Memory of vm_allocate is shared, so that vm_remap can show it at a second place: a ring whose end is followed by its
// beginning. A child of fork shares it too, where a Mac's gets a copy.
static inline kern_return_t vm_allocate(vm_map_t task, vm_address_t *address, vm_size_t size, int flags) {
  void *memory;
  (void)task;
  if (address == NULL || size == 0) { return KERN_INVALID_ARGUMENT; }
  memory = mmap(
      (flags & VM_FLAGS_ANYWHERE) ? NULL : (void *)*address, size, PROT_READ | PROT_WRITE,
      MAP_SHARED | CA_MAP_ANONYMOUS | ((flags & VM_FLAGS_ANYWHERE) ? 0 : CA_MAP_FIXED_NOREPLACE), -1, 0);
  if (memory == MAP_FAILED) {
    return errno == EEXIST ? KERN_NO_SPACE : errno == EINVAL ? KERN_INVALID_ADDRESS : KERN_RESOURCE_SHORTAGE;
  }
  *address = (vm_address_t)memory;
  return KERN_SUCCESS;
}
static inline kern_return_t vm_deallocate(vm_map_t task, vm_address_t address, vm_size_t size) {
  (void)task;
  if (size == 0) { return KERN_SUCCESS; }
  return munmap((void *)address, size) == 0 ? KERN_SUCCESS : KERN_INVALID_ADDRESS;
}
static inline kern_return_t vm_protect(
    vm_map_t task, vm_address_t address, vm_size_t size, boolean_t set_maximum, vm_prot_t new_protection) {
  (void)task, (void)set_maximum;
  return mprotect((void *)address, size, new_protection) == 0 ? KERN_SUCCESS : KERN_PROTECTION_FAILURE;
}
// Shows memory of vm_allocate at a second place: at *address, which must be free, or anywhere (flags). A copy has bytes
// of its own. Memory that is not shared (of malloc, of a file) cannot be shown twice: KERN_INVALID_ARGUMENT.
static inline kern_return_t vm_remap(
    vm_map_t task, vm_address_t *address, vm_size_t size, vm_address_t mask, int flags, vm_map_t source_task,
    vm_address_t source, boolean_t copy, vm_prot_t *cur_protection, vm_prot_t *max_protection,
    vm_inherit_t inheritance) {
  const vm_size_t bytes = round_page(size);
  vm_address_t place;
  kern_return_t result;
  (void)mask, (void)source_task, (void)inheritance;
  if (address == NULL || size == 0 || bytes < size) { return KERN_INVALID_ARGUMENT; }
  // The place is taken first: what another thread has mapped there meanwhile is left alone.
  place = *address;
  result = vm_allocate(task, &place, bytes, flags);
  if (result != KERN_SUCCESS) { return result; }
  if (copy) {
    memcpy((void *)place, (const void *)source, size);
  } else if (mremap((void *)source, 0, bytes, CA_MREMAP_MAYMOVE | CA_MREMAP_FIXED, (void *)place) == MAP_FAILED) {
    munmap((void *)place, bytes);
    return errno == ENOMEM ? KERN_NO_SPACE : KERN_INVALID_ARGUMENT;
  }
  if (cur_protection != NULL) { *cur_protection = VM_PROT_READ | VM_PROT_WRITE; }
  if (max_protection != NULL) { *max_protection = VM_PROT_READ | VM_PROT_WRITE; }
  *address = place;
  return KERN_SUCCESS;
}
static inline kern_return_t vm_copy(vm_map_t task, vm_address_t source, vm_size_t size, vm_address_t destination) {
  (void)task;
  memmove((void *)destination, (const void *)source, size);
  return KERN_SUCCESS;
}

#endif
