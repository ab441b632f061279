// The base types and classic result codes of the Audio Unit interface.
//
// If CoreFoundation is available in C or C++, the types are its own; else they are declared here, the same to the
// letter, so that both may meet in one program in either order.
#ifndef AUDIOTOOLBOX_MACTYPES_H
#define AUDIOTOOLBOX_MACTYPES_H
#pragma GCC system_header

#include <CoreAudioTypes/CoreFoundationTypes.h>

CA_HEADER_BEGIN

// Sizes, counts, raw memory.
typedef SInt32 Fixed;  // 16.16
typedef Fixed *FixedPtr;
typedef SInt32 Fract;  // 2.30
typedef UInt32 UnsignedFixed;
typedef short ShortFixed;  // 8.8
typedef unsigned long ItemCount;
typedef unsigned long ByteCount;
typedef unsigned long ByteOffset;
typedef unsigned long PBVersion;
typedef UInt32 OptionBits;
typedef SInt32 Duration;
typedef char *Ptr;
typedef Ptr _Nullable *Handle;
typedef void *LogicalAddress;
typedef UInt8 *BytePtr;
typedef UInt32 ResType;
typedef UInt32 UnicodeScalarValue;
typedef unsigned char Str31[32];
typedef unsigned char Str63[64];
typedef long (*ProcPtr)(void);
typedef ProcPtr UniversalProcPtr;

// 64 bits in two halves, low half first as on every little-endian machine.
typedef struct UnsignedWide {
  UInt32 lo;
  UInt32 hi;
} UnsignedWide;
typedef struct wide {
  UInt32 lo;
  SInt32 hi;
} wide;
typedef UnsignedWide AbsoluteTime;
typedef UnsignedWide Nanoseconds;

// Success. In C++ a constant, as enumerations may not be mixed there: `failed ? paramErr : noErr`.
#ifdef __cplusplus
static const OSStatus noErr = 0;
#else
CF_ENUM(OSStatus){noErr = 0};
#endif

CF_ENUM(UInt32){
    kNilOptions = 0,
    kVariableLengthArray = 1,
    kUnknownType = 0x3F3F3F3F,  // '????'
};

// Classic result codes that this interface answers or that its clients test for.
CF_ENUM(OSStatus){
    unimpErr = -4,
    dskFulErr = -34,
    nsvErr = -35,
    ioErr = -36,
    bdNamErr = -37,
    fnOpnErr = -38,
    eofErr = -39,
    posErr = -40,
    tmfoErr = -42,
    fnfErr = -43,
    wPrErr = -44,
    fLckdErr = -45,
    fBsyErr = -47,
    dupFNErr = -48,
    opWrErr = -49,
    paramErr = -50,
    rfNumErr = -51,
    permErr = -54,
    wrPermErr = -61,
    memFullErr = -108,
    nilHandleErr = -109,
    userCanceledErr = -128,
    badComponentInstance = (SInt32)0x80008001,
    badComponentSelector = (SInt32)0x80008002,
    invalidComponentID = -3000,
    validInstancesExist = -3001,
    componentNotCaptured = -3002,
    kMPInsufficientResourcesErr = -29298,
    kMPTimeoutErr = -29296,
};

CA_HEADER_END

#if !defined(nil) && !defined(__OBJC__) && !defined(__swift__)
#define nil NULL
#endif

#endif
