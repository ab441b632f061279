// The target of the compilation. CoreFoundation's own header is not used if this one is on the path, so every macro
// that it would have defined is defined here.
#pragma GCC system_header
#ifndef __TARGETCONDITIONALS__
#define __TARGETCONDITIONALS__

// Operating system: Linux, and nothing of Apple's.
#define TARGET_OS_DARWIN 0
#define TARGET_OS_LINUX 1
#define TARGET_OS_UNIX 0
#define TARGET_OS_WINDOWS 0
#define TARGET_OS_WIN32 0
#define TARGET_OS_BSD 0
#define TARGET_OS_ANDROID 0
#define TARGET_OS_CYGWIN 0
#define TARGET_OS_WASI 0
#define TARGET_OS_MAC 0
#define TARGET_OS_OSX 0
#define TARGET_OS_IPHONE 0
#define TARGET_OS_IOS 0
#define TARGET_OS_WATCH 0
#define TARGET_OS_TV 0
#define TARGET_OS_VISION 0
#define TARGET_OS_BRIDGE 0
#define TARGET_OS_SIMULATOR 0
#define TARGET_OS_EMBEDDED 0
#define TARGET_OS_NANO 0
#define TARGET_OS_MACCATALYST 0
#define TARGET_OS_UIKITFORMAC 0
#define TARGET_OS_DRIVERKIT 0
#define TARGET_IPHONE_SIMULATOR 0

// Processor: exactly one of these is 1.
#if defined(__x86_64__)
#define TARGET_CPU_X86_64 1
#else
#define TARGET_CPU_X86_64 0
#endif
#if defined(__i386__)
#define TARGET_CPU_X86 1
#else
#define TARGET_CPU_X86 0
#endif
#if defined(__aarch64__)
#define TARGET_CPU_ARM64 1
#else
#define TARGET_CPU_ARM64 0
#endif
#if defined(__arm__)
#define TARGET_CPU_ARM 1
#else
#define TARGET_CPU_ARM 0
#endif
#if defined(__powerpc64__)
#define TARGET_CPU_PPC64 1
#define TARGET_CPU_PPC 0
#elif defined(__powerpc__)
#define TARGET_CPU_PPC64 0
#define TARGET_CPU_PPC 1
#else
#define TARGET_CPU_PPC64 0
#define TARGET_CPU_PPC 0
#endif
#if defined(__mips64)
#define TARGET_CPU_MIPS64 1
#define TARGET_CPU_MIPS 0
#elif defined(__mips__)
#define TARGET_CPU_MIPS64 0
#define TARGET_CPU_MIPS 1
#else
#define TARGET_CPU_MIPS64 0
#define TARGET_CPU_MIPS 0
#endif
#if defined(__s390x__)
#define TARGET_CPU_S390X 1
#else
#define TARGET_CPU_S390X 0
#endif
#define TARGET_CPU_WASM32 0
#define TARGET_CPU_68K 0
#define TARGET_CPU_SPARC 0
#define TARGET_CPU_ALPHA 0

// Byte order, pointer width, run time.
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define TARGET_RT_LITTLE_ENDIAN 0
#define TARGET_RT_BIG_ENDIAN 1
#ifndef __BIG_ENDIAN__
#define __BIG_ENDIAN__ 1
#endif
#else
#define TARGET_RT_LITTLE_ENDIAN 1
#define TARGET_RT_BIG_ENDIAN 0
#ifndef __LITTLE_ENDIAN__
#define __LITTLE_ENDIAN__ 1
#endif
#endif
#if defined(__LP64__)
#define TARGET_RT_64_BIT 1
#else
#define TARGET_RT_64_BIT 0
#endif
#define TARGET_RT_MAC_CFM 0
#define TARGET_RT_MAC_MACHO 0

#endif
