// Byte order by its names on Apple's systems, for values and for unaligned memory.
#ifndef LIBKERN_OSBYTEORDER_H
#define LIBKERN_OSBYTEORDER_H
#pragma GCC system_header

#include <stdint.h>
#include <string.h>

#define OSSwapInt16(x) __builtin_bswap16(x)
#define OSSwapInt32(x) __builtin_bswap32(x)
#define OSSwapInt64(x) __builtin_bswap64(x)
#define OSSwapConstInt16(x) __builtin_bswap16(x)
#define OSSwapConstInt32(x) __builtin_bswap32(x)
#define OSSwapConstInt64(x) __builtin_bswap64(x)

enum { OSUnknownByteOrder = 0, OSLittleEndian = 1, OSBigEndian = 2 };

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define OS_FOREIGN_LITTLE(bits, x) __builtin_bswap##bits(x)
#define OS_FOREIGN_BIG(bits, x) ((uint##bits##_t)(x))
static inline int32_t OSHostByteOrder(void) { return OSBigEndian; }
#else
#define OS_FOREIGN_LITTLE(bits, x) ((uint##bits##_t)(x))
#define OS_FOREIGN_BIG(bits, x) __builtin_bswap##bits(x)
static inline int32_t OSHostByteOrder(void) { return OSLittleEndian; }
#endif

#define OSSwapHostToBigInt16(x) OS_FOREIGN_BIG(16, x)
#define OSSwapHostToBigInt32(x) OS_FOREIGN_BIG(32, x)
#define OSSwapHostToBigInt64(x) OS_FOREIGN_BIG(64, x)
#define OSSwapBigToHostInt16(x) OS_FOREIGN_BIG(16, x)
#define OSSwapBigToHostInt32(x) OS_FOREIGN_BIG(32, x)
#define OSSwapBigToHostInt64(x) OS_FOREIGN_BIG(64, x)
#define OSSwapHostToLittleInt16(x) OS_FOREIGN_LITTLE(16, x)
#define OSSwapHostToLittleInt32(x) OS_FOREIGN_LITTLE(32, x)
#define OSSwapHostToLittleInt64(x) OS_FOREIGN_LITTLE(64, x)
#define OSSwapLittleToHostInt16(x) OS_FOREIGN_LITTLE(16, x)
#define OSSwapLittleToHostInt32(x) OS_FOREIGN_LITTLE(32, x)
#define OSSwapLittleToHostInt64(x) OS_FOREIGN_LITTLE(64, x)

// OSReadBigInt32(base, offset) and its kin; the offset in bytes, any alignment.
#define OS_MEMORY_ACCESS(order, bits)                                                                        \
  static inline uint##bits##_t OSRead##order##Int##bits(const volatile void *base, uintptr_t byteOffset) {  \
    uint##bits##_t value;                                                                                    \
    memcpy(&value, (const char *)(uintptr_t)base + byteOffset, sizeof(value));                               \
    return OSSwap##order##ToHostInt##bits(value);                                                            \
  }                                                                                                          \
  static inline void OSWrite##order##Int##bits(volatile void *base, uintptr_t byteOffset,                    \
                                               uint##bits##_t data) {                                        \
    const uint##bits##_t value = OSSwapHostTo##order##Int##bits(data);                                       \
    memcpy((char *)(uintptr_t)base + byteOffset, &value, sizeof(value));                                     \
  }
OS_MEMORY_ACCESS(Big, 16)
OS_MEMORY_ACCESS(Big, 32)
OS_MEMORY_ACCESS(Big, 64)
OS_MEMORY_ACCESS(Little, 16)
OS_MEMORY_ACCESS(Little, 32)
OS_MEMORY_ACCESS(Little, 64)
#undef OS_MEMORY_ACCESS

#endif
