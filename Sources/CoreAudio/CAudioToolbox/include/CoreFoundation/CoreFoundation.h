// The toolchain's CoreFoundation, for programs that include it themselves: with the same care, and the same CFSTR, as
// where the headers here include it, so that neither depends on which comes first.
#pragma GCC system_header

// CoreFoundationTypes.h defines this one while it includes CoreFoundation.
#if !defined(CA_INCLUDES_COREFOUNDATION) && !defined(__swift__)
#include <CoreAudioTypes/CoreFoundationTypes.h>
#endif

// As on a Mac, blocks are copied and released behind it.
#if defined(__BLOCKS__) && !defined(__swift__)
#include <Block.h>
#endif

#ifdef __has_include_next
#if __has_include_next(<CoreFoundation/CoreFoundation.h>)
#include_next <CoreFoundation/CoreFoundation.h>
#endif
#endif
