// The functions that sources from a Mac use without an include of their own, built with the porting prelude. Compiled
// as C and, by porting.cpp, as C++.
#include <AudioToolbox/AudioToolbox.h>
#include <Block.h>
#include <MacErrors.h>
#include <_ctype.h>
#include <sys/sysctl.h>

#if !TARGET_OS_MAC || TARGET_OS_IPHONE || TARGET_OS_WIN32
#error "sources ask for TARGET_OS_MAC"
#endif
#if !TARGET_API_MAC_OSX
#error "and older ones for TARGET_API_MAC_OSX"
#endif

// Names that a Mac's checking macros may have too, and that sources have for things of their own.
struct Named {
  int (*check)(int);
  int (*verify)(int), (*require)(int), (*nrequire)(int);
};
static int check(int value) { return value + 1; }
static int verify(int value) { return value + 2; }
static int require(int value) { return value + 3; }
static int debug_string(int value) { return value + 4; }
extern int replaced(int value) __deprecated_msg("there is another");

static void names(void) {
  const struct Named named = {check, verify, require, debug_string};
  printf("names %d %d %d %d\n", named.check(10), named.verify(10), named.require(10), named.nrequire(10));
}

static void text(void) {
  char small[6];
  printf("copied %zu", strlcpy(small, "overlong", sizeof(small)));
  printf(" \"%s\"", small);
  strlcpy(small, "ab", sizeof(small));
  printf(", appended %zu", strlcat(small, "cdefg", sizeof(small)));
  printf(" \"%s\"", small);
  printf(", none %zu", strlcat(small, "x", 3));
  printf(" \"%s\"\n", small);
  printf("program %s\n", getprogname());
  char *grown = (char *)reallocf(malloc(4), 4000);
  grown[3999] = 1;
  printf("grown %d\n", grown[3999]);
  free(grown);
}

static void byteOrder(void) {
  const UInt32 chunk = EndianU32_NtoB(0x52494646);
  printf("%.4s %x %llx\n", (const char *)&chunk, (unsigned)EndianU16_BtoN(0x1234),
         (unsigned long long)EndianU64_Swap(0x0102030405060708ull));
  printf("%d %d\n", EndianS16_LtoN(-2) == -2, EndianS32_BtoN(EndianS32_NtoB(-100000)));
}

static void machine(void) {
  int processors = 0;
  uint64_t memory = 0;
  char name[64];
  size_t size = sizeof(processors);
  int mib[2] = {CTL_HW, HW_NCPU}, same = 0;
  printf("processors %d", sysctlbyname("hw.ncpu", &processors, &size, NULL, 0));
  printf(" %d, ", processors > 0 && size == sizeof(processors));
  printf("by number %d", sysctl(mib, 2, &same, &size, NULL, 0));
  printf(" %d\n", same == processors);
  size = sizeof(memory);
  printf("memory %d", sysctlbyname("hw.memsize", &memory, &size, NULL, 0));
  printf(" %d\n", memory > 1 << 24);
  size = sizeof(name);
  printf("system %d", sysctlbyname("kern.ostype", name, &size, NULL, 0));
  printf(" %s, too long %d", name, sysctlbyname("kern.ostype", name, (size = 2, &size), NULL, 0));
  printf(", unknown %d\n", sysctlbyname("hw.nothing", NULL, &size, NULL, 0));
  int process[4] = {CTL_KERN, KERN_PROC, KERN_PROC_PID, getpid()};
  struct kinfo_proc info;
  size = sizeof(info);
  printf("process %d, debugged %d\n", sysctl(process, 4, &info, &size, NULL, 0), (info.kp_proc.p_flag & P_TRACED) != 0);
}

static void mach(void) {
  thread_time_constraint_policy_data_t policy = {1000000, 500000, 900000, 1};
  vm_address_t pages = 0;
  printf("policy %d", thread_policy_set(mach_thread_self(), THREAD_TIME_CONSTRAINT_POLICY, (thread_policy_t)&policy,
                                        THREAD_TIME_CONSTRAINT_POLICY_COUNT));
  printf(", nothing %d\n", thread_policy_set(mach_thread_self(), THREAD_TIME_CONSTRAINT_POLICY, NULL, 0));
  // A helper class's query of a thread's priority.
  thread_basic_info_data_t basic;
  policy_info_data_t priority;
  unsigned int count = THREAD_BASIC_INFO_COUNT;
  printf("thread %d", thread_info(pthread_mach_thread_np(pthread_self()), THREAD_BASIC_INFO, (thread_info_t)&basic, &count));
  count = POLICY_TIMESHARE_INFO_COUNT;
  printf(" %d", thread_info(mach_thread_self(), THREAD_SCHED_TIMESHARE_INFO, (thread_info_t)&priority.ts, &count));
  printf(" %d, named %d", priority.ts.base_priority >= 31, pthread_setname_np("a name that is too long"));
  char name[16];
  pthread_getname_np(pthread_self(), name, sizeof(name));
  printf(" \"%s\"", name);
  printf(" %d\n", pthread_setname_np(pthread_self(), "short"));
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  struct timespec little = {0, 1000000};
  pthread_mutex_lock(&mutex);
  printf("waited %d, main %d\n", pthread_cond_timedwait_relative_np(&condition, &mutex, &little) == ETIMEDOUT,
         pthread_main_np());
  pthread_mutex_unlock(&mutex);
  printf("allocate %d", vm_allocate(mach_task_self(), &pages, 3 * vm_page_size, VM_FLAGS_ANYWHERE));
  ((char *)pages)[3 * vm_page_size - 1] = 7;
  printf(" %d, free %d\n", ((char *)pages)[3 * vm_page_size - 1], vm_deallocate(mach_task_self(), pages, 3 * vm_page_size));
  // A ring whose end is followed by its beginning.
  vm_address_t ring = 0, second, copy = 0;
  const vm_size_t length = round_page(10000);
  vm_prot_t present, most;
  kern_return_t result = vm_allocate(mach_task_self(), &ring, 2 * length, VM_FLAGS_ANYWHERE);
  if (result == ERR_SUCCESS) { result = vm_deallocate(mach_task_self(), ring + length, length); }
  second = ring + length;
  if (result == ERR_SUCCESS) {
    result = vm_remap(mach_task_self(), &second, length, 0, VM_FLAGS_FIXED, mach_task_self(), ring, 0, &present, &most,
                      VM_INHERIT_DEFAULT);
  }
  ((char *)ring)[5] = 7;
  printf("ring %d %d %d", result, second == ring + length, ((char *)second)[5]);
  printf(", taken %d", vm_remap(mach_task_self(), &second, length, 0, VM_FLAGS_FIXED, mach_task_self(), ring, 0, &present,
                                &most, VM_INHERIT_DEFAULT));
  result = vm_remap(mach_task_self(), &copy, length, 0, VM_FLAGS_ANYWHERE, mach_task_self(), ring, 1, &present, &most,
                    VM_INHERIT_DEFAULT);
  ((char *)ring)[5] = 8;
  printf(", copy %d %d, freed %d", result, ((char *)copy)[5], vm_deallocate(mach_task_self(), ring, 2 * length));
  printf(" %d\n", vm_deallocate(mach_task_self(), copy, length));
  int (^block)(void) = Block_copy(^{ return isupper('A') ? dirFulErr : 0; });
  printf("block %d\n", block());
  Block_release(block);
  printf("error \"%s\", clock %d\n", mach_error_string(KERN_INVALID_ARGUMENT), mach_absolute_time() > 0);
}

// As a helper of Apple's samples finds the folder and the name of a file that is to be made: by a path from where it
// runs.
static void places(const char *path) {
  CFStringRef full = CFStringCreateWithCString(NULL, path, kCFStringEncodingUTF8);
  CFURLRef url = CFURLCreateWithFileSystemPath(NULL, full, kCFURLPOSIXPathStyle, false);
  CFURLRef folder = CFURLCreateCopyDeletingLastPathComponent(NULL, url);
  CFStringRef name = CFURLCopyLastPathComponent(url);
  FSRef parent, here;
  char text[64];
  printf("parent %d", CFURLGetFSRef(folder, &parent));
  FSPathMakeRef((const UInt8 *)".", &here, NULL);
  CFStringGetCString(name, text, sizeof(text), kCFStringEncodingUTF8);
  printf(", here %d, name %s\n", FSCompareFSRefs(&parent, &here), text);
  CFRelease(full);
  CFRelease(url);
  CFRelease(folder);
  CFRelease(name);
}

static void services(void) {
  AudioObjectPropertyAddress address = {kAudioHardwarePropertyDefaultOutputDevice, kAudioObjectPropertyScopeGlobal, 0};
  AudioDeviceID device = 0;
  UInt32 size = 0;
  printf("has %d, ", AudioHardwareServiceHasProperty(kAudioObjectSystemObject, &address));
  printf("size %d %u, ", (int)AudioHardwareServiceGetPropertyDataSize(kAudioObjectSystemObject, &address, 0, NULL, &size), size);
  printf("get %d, ", (int)AudioHardwareServiceGetPropertyData(kAudioObjectSystemObject, &address, 0, NULL, &size, &device));
  address.mSelector = kAudioHardwareServiceDeviceProperty_VirtualMainVolume;
  address.mScope = kAudioDevicePropertyScopeOutput;
  printf("volume %d\n", AudioHardwareServiceHasProperty(device, &address));
  FSRef folder;
  printf("reference %d\n", (int)FSPathMakeRef((const UInt8 *)"/", &folder, NULL));
  verify_noerr(noErr);
}

int main(void) {
  names();
  text();
  byteOrder();
  machine();
  mach();
  services();
  places("made.aiff");
  return 0;
}
