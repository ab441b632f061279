// The little of CoreFoundation that the interface speaks of, and the marks that every header here uses.
//
// In C and C++ CoreFoundation itself is included when it can be found, as programs call it after including no more than
// the umbrella header; it wants -fblocks. If it is not installed, and in Swift (which imports it by name), only the
// types are declared, under CoreFoundation's own struct names.
#ifndef COREAUDIOTYPES_COREFOUNDATIONTYPES_H
#define COREAUDIOTYPES_COREFOUNDATIONTYPES_H
#pragma GCC system_header

#include <TargetConditionals.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef __has_include
#define __has_include(x) 0
#endif
#ifndef __has_feature
#define __has_feature(x) 0
#endif
#ifndef __has_attribute
#define __has_attribute(x) 0
#endif
#ifndef __has_extension
#define __has_extension(x) 0
#endif

#if !defined(__swift__) && defined(__clang__) && defined(__BLOCKS__)
// Not <CoreFoundation/CoreFoundation.h>, of which there is one beside this file.
#if __has_include(<CoreFoundation/CFBase.h>)
#define CA_HAS_COREFOUNDATION 1
#endif
#endif
#ifndef CA_HAS_COREFOUNDATION
#define CA_HAS_COREFOUNDATION 0
#endif

#if CA_HAS_COREFOUNDATION
// It warns a lot, and in strict C it misses two declarations that only its inline functions want.
//
// The toolchain's CFRuntime.h pushes the diagnostics and does not pop them. It is kept out by its own guard: nothing
// that CoreFoundation.h declares needs it, and programs may still include it themselves. Should another toolchain's
// leave one or two pushes behind, the state after the pops is still the one before the pushes.
#pragma clang diagnostic push
#pragma clang diagnostic push
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Weverything"
#ifndef __COREFOUNDATION_CFRUNTIME__
#define __COREFOUNDATION_CFRUNTIME__
#define CA_KEEPS_OUT_CFRUNTIME
#endif
#define CA_INCLUDES_COREFOUNDATION
#include <alloca.h>
#include <CoreFoundation/CoreFoundation.h>
#undef CA_INCLUDES_COREFOUNDATION
#ifdef CA_KEEPS_OUT_CFRUNTIME
#undef __COREFOUNDATION_CFRUNTIME__
#undef CA_KEEPS_OUT_CFRUNTIME
#endif
#pragma clang diagnostic pop
#pragma clang diagnostic pop
#pragma clang diagnostic pop

#include <aubench/ConstantStrings.h>
#endif

#if !__has_feature(nullability) && !defined(__clang__)
#define _Nullable
#define _Nonnull
#define _Null_unspecified
#endif

// Every header is wrapped in these two: C linkage, pointers not null unless said otherwise, and silence
// about the two extensions used (nullability, and enumerations with a stated type before C23).
#if defined(__clang__)
#define CA_PRAGMAS_BEGIN                                                                             \
  _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wunknown-warning-option\"")   \
      _Pragma("clang diagnostic ignored \"-Wnullability-extension\"")                                \
          _Pragma("clang diagnostic ignored \"-Wfixed-enum-extension\"")                             \
              _Pragma("clang diagnostic ignored \"-Wc23-extensions\"")                               \
                  _Pragma("clang diagnostic ignored \"-Wfour-char-constants\"")                      \
                      _Pragma("clang diagnostic ignored \"-Wtypedef-redefinition\"")                 \
                          _Pragma("clang assume_nonnull begin")
#define CA_PRAGMAS_END _Pragma("clang assume_nonnull end") _Pragma("clang diagnostic pop")
#else
#define CA_PRAGMAS_BEGIN
#define CA_PRAGMAS_END
#endif
#ifdef __cplusplus
#define CA_HEADER_BEGIN extern "C" { CA_PRAGMAS_BEGIN
#define CA_HEADER_END CA_PRAGMAS_END }
#else
#define CA_HEADER_BEGIN CA_PRAGMAS_BEGIN
#define CA_HEADER_END CA_PRAGMAS_END
#endif

// Enumerations of a stated type: `CF_ENUM(UInt32) { … };` gives constants of that type to Swift too,
// `typedef CF_OPTIONS(UInt32, Name) { … };` a set of bits (in C++ a plain integer, so that |= works).
#if defined(__clang__) || defined(__cplusplus) || (defined(__STDC_VERSION__) && __STDC_VERSION__ > 201710L)
#define CA_FIXED_ENUM(type) : type
#else
#define CA_FIXED_ENUM(type)
#endif
#if __has_attribute(enum_extensibility)
#define CA_OPEN_ENUM __attribute__((enum_extensibility(open)))
#else
#define CA_OPEN_ENUM
#endif
#if __has_attribute(flag_enum)
#define CA_FLAG_ENUM __attribute__((flag_enum)) CA_OPEN_ENUM
#else
#define CA_FLAG_ENUM
#endif

#if defined(__clang__) && !defined(__cplusplus)
#define CA_DECLARE_ENUM(attributes, type, name)                                                      \
  int CA_ENUM_OF_##name;                                                                             \
  enum attributes name : type;                                                                       \
  typedef enum name name;                                                                            \
  enum name : type
#else
#define CA_DECLARE_ENUM(attributes, type, name)                                                      \
  type name;                                                                                         \
  enum CA_FIXED_ENUM(type)
#endif

// A named enumeration of this project's headers: in C and Swift a type of its own, in C++ an integer, as
// old sources assign literals to it.
#define CA_NAMED_ENUM(type, name) CA_DECLARE_ENUM(CA_OPEN_ENUM, type, name)

#ifndef CF_ENUM
#define CA_ANONYMOUS_ENUM(type) enum CA_FIXED_ENUM(type)
#define CA_CHOOSE_ENUM(first, second, chosen, ...) chosen
#define CF_ENUM(...) CA_CHOOSE_ENUM(__VA_ARGS__, CA_NAMED_ENUM, CA_ANONYMOUS_ENUM, )(__VA_ARGS__)
#endif
#ifndef CF_OPTIONS
#define CF_OPTIONS(type, name) CA_DECLARE_ENUM(CA_FLAG_ENUM, type, name)
#endif

#if !CA_HAS_COREFOUNDATION

CA_HEADER_BEGIN

#ifndef __OBJC__
typedef bool Boolean;
#endif
typedef unsigned char UInt8;
typedef signed char SInt8;
typedef unsigned short UInt16;
typedef signed short SInt16;
typedef unsigned int UInt32;
typedef signed int SInt32;
typedef uint64_t UInt64;
typedef int64_t SInt64;
typedef SInt32 OSStatus;
typedef float Float32;
typedef double Float64;
typedef unsigned short UniChar;
typedef unsigned long UniCharCount;
typedef unsigned char *StringPtr;
typedef const unsigned char *ConstStringPtr;
typedef unsigned char Str255[256];
typedef const unsigned char *ConstStr255Param;
typedef SInt16 OSErr;
typedef SInt16 RegionCode;
typedef SInt16 LangCode;
typedef SInt16 ScriptCode;
typedef UInt32 FourCharCode;
typedef FourCharCode OSType;
typedef UInt8 Byte;
typedef SInt8 SignedByte;
typedef UInt32 UTF32Char;
typedef UInt16 UTF16Char;
typedef UInt8 UTF8Char;

typedef unsigned long CFTypeID;
typedef unsigned long CFOptionFlags;
typedef unsigned long CFHashCode;
typedef signed long CFIndex;
typedef UInt32 CFStringEncoding;
typedef double CFTimeInterval;
typedef CFTimeInterval CFAbsoluteTime;

typedef const void *CFTypeRef;
typedef CFTypeRef CFPropertyListRef;
typedef const struct __CFString *CFStringRef;
typedef struct __CFString *CFMutableStringRef;
typedef const struct __CFAllocator *CFAllocatorRef;
typedef const struct __CFArray *CFArrayRef;
typedef struct __CFArray *CFMutableArrayRef;
typedef const struct __CFData *CFDataRef;
typedef struct __CFData *CFMutableDataRef;
typedef const struct __CFDictionary *CFDictionaryRef;
typedef struct __CFDictionary *CFMutableDictionaryRef;
typedef const struct __CFNumber *CFNumberRef;
typedef const struct __CFBoolean *CFBooleanRef;
typedef const struct __CFURL *CFURLRef;
typedef const struct __CFUUID *CFUUIDRef;
typedef struct __CFBundle *CFBundleRef;
typedef struct __CFRunLoop *CFRunLoopRef;

CA_HEADER_END

#endif

#endif
