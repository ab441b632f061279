// Atomic operations by their names on Apple's systems. All are full barriers here, also those without Barrier in the
// name.
#ifndef LIBKERN_OSATOMIC_H
#define LIBKERN_OSATOMIC_H
#pragma GCC system_header

// CoreFoundation, where it can be found, has a spin lock of the same name: let it come first.
#include <CoreAudioTypes/CoreFoundationTypes.h>

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline void OSMemoryBarrier(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

// MARK: Arithmetic; the new value is the answer

#define OS_ATOMIC_ADD(bits, suffix)                                                                           \
  static inline int##bits##_t OSAtomicAdd##bits##suffix(int##bits##_t amount, volatile int##bits##_t *value) { \
    return __atomic_add_fetch(value, amount, __ATOMIC_SEQ_CST);                                               \
  }                                                                                                           \
  static inline int##bits##_t OSAtomicIncrement##bits##suffix(volatile int##bits##_t *value) {                \
    return __atomic_add_fetch(value, 1, __ATOMIC_SEQ_CST);                                                    \
  }                                                                                                           \
  static inline int##bits##_t OSAtomicDecrement##bits##suffix(volatile int##bits##_t *value) {                \
    return __atomic_sub_fetch(value, 1, __ATOMIC_SEQ_CST);                                                    \
  }
OS_ATOMIC_ADD(32, )
OS_ATOMIC_ADD(32, Barrier)
OS_ATOMIC_ADD(64, )
OS_ATOMIC_ADD(64, Barrier)
#undef OS_ATOMIC_ADD

// MARK: Bits; the new value is the answer, or with Orig the old one

#define OS_ATOMIC_BITS(name, operation, suffix)                                                        \
  static inline int32_t OSAtomic##name##32##suffix(uint32_t mask, volatile uint32_t *value) {          \
    return (int32_t)__atomic_##operation##_fetch(value, mask, __ATOMIC_SEQ_CST);                       \
  }                                                                                                    \
  static inline int32_t OSAtomic##name##32Orig##suffix(uint32_t mask, volatile uint32_t *value) {      \
    return (int32_t)__atomic_fetch_##operation(value, mask, __ATOMIC_SEQ_CST);                         \
  }
OS_ATOMIC_BITS(Or, or, )
OS_ATOMIC_BITS(Or, or, Barrier)
OS_ATOMIC_BITS(And, and, )
OS_ATOMIC_BITS(And, and, Barrier)
OS_ATOMIC_BITS(Xor, xor, )
OS_ATOMIC_BITS(Xor, xor, Barrier)
#undef OS_ATOMIC_BITS

// MARK: Compare and swap

#define OS_ATOMIC_SWAP(name, type, pointer)                                                            \
  static inline bool OSAtomicCompareAndSwap##name(type oldValue, type newValue, pointer value) {       \
    return __atomic_compare_exchange_n(value, &oldValue, newValue, false, __ATOMIC_SEQ_CST,            \
                                       __ATOMIC_SEQ_CST);                                              \
  }
OS_ATOMIC_SWAP(32, int32_t, volatile int32_t *)
OS_ATOMIC_SWAP(32Barrier, int32_t, volatile int32_t *)
OS_ATOMIC_SWAP(64, int64_t, volatile int64_t *)
OS_ATOMIC_SWAP(64Barrier, int64_t, volatile int64_t *)
OS_ATOMIC_SWAP(Int, int, volatile int *)
OS_ATOMIC_SWAP(IntBarrier, int, volatile int *)
OS_ATOMIC_SWAP(Long, long, volatile long *)
OS_ATOMIC_SWAP(LongBarrier, long, volatile long *)
OS_ATOMIC_SWAP(Ptr, void *, void *volatile *)
OS_ATOMIC_SWAP(PtrBarrier, void *, void *volatile *)
#undef OS_ATOMIC_SWAP

// MARK: Single bits, counted from the high bit of each byte; the old value of the bit is the answer

static inline bool OSAtomicTestAndSet(uint32_t bit, volatile void *address) {
  const uint8_t mask = (uint8_t)(0x80u >> (bit & 7u));
  return (__atomic_fetch_or((volatile uint8_t *)address + (bit >> 3), mask, __ATOMIC_SEQ_CST) & mask) != 0;
}

static inline bool OSAtomicTestAndSetBarrier(uint32_t bit, volatile void *address) {
  return OSAtomicTestAndSet(bit, address);
}

static inline bool OSAtomicTestAndClear(uint32_t bit, volatile void *address) {
  const uint8_t mask = (uint8_t)(0x80u >> (bit & 7u));
  return (__atomic_fetch_and((volatile uint8_t *)address + (bit >> 3), (uint8_t)~mask, __ATOMIC_SEQ_CST) & mask) != 0;
}

static inline bool OSAtomicTestAndClearBarrier(uint32_t bit, volatile void *address) {
  return OSAtomicTestAndClear(bit, address);
}

// MARK: Spin lock

#ifndef OS_SPINLOCK_INIT
typedef int32_t OSSpinLock;
#define OS_SPINLOCK_INIT 0

static inline void OSSpinLockLock(volatile OSSpinLock *lock) {
  int32_t expected = 0;
  while (!__atomic_compare_exchange_n(lock, &expected, -1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
    expected = 0;
    sched_yield();
  }
}

static inline void OSSpinLockUnlock(volatile OSSpinLock *lock) { __atomic_store_n(lock, 0, __ATOMIC_RELEASE); }
#endif

static inline bool OSSpinLockTry(volatile OSSpinLock *lock) {
  int32_t expected = 0;
  return __atomic_compare_exchange_n(lock, &expected, -1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

// MARK: Queue: last in, first out. Each item holds the pointer to the next at the given offset

// A lock guards the head for the few instructions of each call: a bare compare and swap would mistake an item that left
// and came back for one that stayed.
typedef struct OSQueueHead {
  void *opaque1;
  long opaque2;
} __attribute__((aligned(16))) OSQueueHead;

#ifdef __cplusplus
#define OS_ATOMIC_QUEUE_INIT OSQueueHead{NULL, 0}
#else
#define OS_ATOMIC_QUEUE_INIT {NULL, 0}
#endif

static inline void OSAtomicQueueHold_(OSQueueHead *list) {
  while (__atomic_exchange_n(&list->opaque2, 1L, __ATOMIC_ACQUIRE) != 0) sched_yield();
}

static inline void OSAtomicEnqueue(OSQueueHead *list, void *item, size_t offset) {
  OSAtomicQueueHold_(list);
  *(void **)(void *)((char *)item + offset) = list->opaque1;
  list->opaque1 = item;
  __atomic_store_n(&list->opaque2, 0L, __ATOMIC_RELEASE);
}

static inline void *OSAtomicDequeue(OSQueueHead *list, size_t offset) {
  OSAtomicQueueHold_(list);
  void *const item = list->opaque1;
  if (item != NULL) list->opaque1 = *(void **)(void *)((char *)item + offset);
  __atomic_store_n(&list->opaque2, 0L, __ATOMIC_RELEASE);
  return item;
}

#endif
