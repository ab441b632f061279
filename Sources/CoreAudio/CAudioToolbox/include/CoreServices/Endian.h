// Byte order, by the names of Carbon: EndianU32_NtoB turns a number of this machine (N) into one whose bytes lie big
// end first (B); L is little end first, _Swap turns without asking.
#ifndef CORESERVICES_ENDIAN_H
#define CORESERVICES_ENDIAN_H
#pragma GCC system_header

#include <MacTypes.h>

#if TARGET_RT_BIG_ENDIAN
#define CA_ENDIAN_BIG_(bits, value) (value)
#define CA_ENDIAN_LITTLE_(bits, value) __builtin_bswap##bits(value)
#else
#define CA_ENDIAN_BIG_(bits, value) __builtin_bswap##bits(value)
#define CA_ENDIAN_LITTLE_(bits, value) (value)
#endif

#define CA_ENDIAN_TO_(kind, type, unsigned_type, bits)                                                     \
  static inline type Endian##kind##bits##_Swap(type value) {                                               \
    return (type)__builtin_bswap##bits((unsigned_type)value);                                              \
  }                                                                                                        \
  static inline type Endian##kind##bits##_BtoN(type value) {                                               \
    return (type)CA_ENDIAN_BIG_(bits, (unsigned_type)value);                                               \
  }                                                                                                        \
  static inline type Endian##kind##bits##_NtoB(type value) { return Endian##kind##bits##_BtoN(value); }    \
  static inline type Endian##kind##bits##_LtoN(type value) {                                               \
    return (type)CA_ENDIAN_LITTLE_(bits, (unsigned_type)value);                                            \
  }                                                                                                        \
  static inline type Endian##kind##bits##_NtoL(type value) { return Endian##kind##bits##_LtoN(value); }    \
  static inline type Endian##kind##bits##_LtoB(type value) { return Endian##kind##bits##_Swap(value); }    \
  static inline type Endian##kind##bits##_BtoL(type value) { return Endian##kind##bits##_Swap(value); }

CA_HEADER_BEGIN

CA_ENDIAN_TO_(U, UInt16, UInt16, 16)
CA_ENDIAN_TO_(U, UInt32, UInt32, 32)
CA_ENDIAN_TO_(U, UInt64, UInt64, 64)
CA_ENDIAN_TO_(S, SInt16, UInt16, 16)
CA_ENDIAN_TO_(S, SInt32, UInt32, 32)
CA_ENDIAN_TO_(S, SInt64, UInt64, 64)

CA_HEADER_END

#undef CA_ENDIAN_TO_

#endif
