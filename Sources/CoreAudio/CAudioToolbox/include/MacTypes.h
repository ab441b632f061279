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
    dirFulErr = -33,
    dskFulErr = -34,
    nsvErr = -35,
    ioErr = -36,
    bdNamErr = -37,
    fnOpnErr = -38,
    eofErr = -39,
    posErr = -40,
    mFulErr = -41,
    tmfoErr = -42,
    fnfErr = -43,
    wPrErr = -44,
    fLckdErr = -45,
    vLckdErr = -46,
    fBsyErr = -47,
    dupFNErr = -48,
    opWrErr = -49,
    paramErr = -50,
    rfNumErr = -51,
    gfpErr = -52,
    volOffLinErr = -53,
    permErr = -54,
    volOnLinErr = -55,
    nsDrvErr = -56,
    noMacDskErr = -57,
    extFSErr = -58,
    fsRnErr = -59,
    badMDBErr = -60,
    wrPermErr = -61,
    memROZErr = -99,
    noTypeErr = -102,
    memFullErr = -108,
    nilHandleErr = -109,
    memAdrErr = -110,
    memWZErr = -111,
    memPurErr = -112,
    memAZErr = -113,
    memPCErr = -114,
    memBCErr = -115,
    memSCErr = -116,
    memLockedErr = -117,
    tmwdoErr = -121,
    badMovErr = -122,
    wrgVolTypErr = -123,
    volGoneErr = -124,
    userCanceledErr = -128,
    resNotFound = -192,
    resFNotFound = -193,
    noHardwareErr = -200,
    notEnoughHardwareErr = -201,
    queueFull = -203,
    resProblem = -204,
    badChannel = -205,
    badFormat = -206,
    notEnoughBufferSpace = -207,
    badFileFormat = -208,
    channelBusy = -209,
    buffersTooSmall = -210,
    channelNotBusy = -211,
    noMoreRealTime = -212,
    siInvalidCompression = -223,
    siUnknownQuality = -232,
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
