// References to files from before URLs: what interfaces that take an FSRef need. The bytes of a reference mean
// something to this library alone, and only in the process that made them.
#ifndef CORESERVICES_FILES_H
#define CORESERVICES_FILES_H
#pragma GCC system_header

#include <AudioToolbox/AudioFile.h>
#include <MacTypes.h>

CA_HEADER_BEGIN

typedef struct FSRef {
  UInt8 hidden[80];
} FSRef;
typedef FSRef *FSRefPtr;
typedef struct FSSpec *FSSpecPtr;

typedef struct HFSUniStr255 {
  UInt16 length;
  UniChar unicode[255];
} HFSUniStr255;
typedef const HFSUniStr255 *ConstHFSUniStr255Param;

// A time: 48 bits of seconds since 1904, and 1/65536 of them.
#pragma pack(push, 2)
typedef struct UTCDateTime {
  UInt16 highSeconds;
  UInt32 lowSeconds;
  UInt16 fraction;
} UTCDateTime;
#pragma pack(pop)

typedef UInt32 FSCatalogInfoBitmap;
typedef UInt32 TextEncoding;

// Beside the permissions of AudioFile.h.
CF_ENUM(SInt8) { fsCurPerm = 0, fsRdWrShPerm = 4 };

CF_ENUM(OSErr) {
  dirNFErr = -120,
  diffVolErr = -1303,
  errFSBadFSRef = -1401,
  errFSRefsDifferent = -1420,
  pathTooLongErr = -2110
};

// The fields to get from FSGetCatalogInfo.
CF_ENUM(FSCatalogInfoBitmap) {
  kFSCatInfoNone = 0,
  kFSCatInfoTextEncoding = 0x1,
  kFSCatInfoNodeFlags = 0x2,
  kFSCatInfoVolume = 0x4,
  kFSCatInfoParentDirID = 0x8,
  kFSCatInfoNodeID = 0x10,
  kFSCatInfoCreateDate = 0x20,
  kFSCatInfoContentMod = 0x40,
  kFSCatInfoAttrMod = 0x80,
  kFSCatInfoAccessDate = 0x100,
  kFSCatInfoBackupDate = 0x200,
  kFSCatInfoPermissions = 0x400,
  kFSCatInfoFinderInfo = 0x800,
  kFSCatInfoFinderXInfo = 0x1000,
  kFSCatInfoValence = 0x2000,
  kFSCatInfoDataSizes = 0x4000,
  kFSCatInfoRsrcSizes = 0x8000,
  kFSCatInfoSharingFlags = 0x10000,
  kFSCatInfoUserPrivs = 0x20000,
  kFSCatInfoUserAccess = 0x80000,
  kFSCatInfoAllDates = 0x3E0,
  kFSCatInfoGettableInfo = 0x3FFFF
};

// Bits of nodeFlags.
CF_ENUM(UInt16) { kFSNodeLockedMask = 0x1, kFSNodeIsDirectoryMask = 0x10 };

// The facts about a file from FSGetCatalogInfo: flags, numbers, times, permissions (owner, group, mode), sizes in
// bytes, and the number of entries of a folder. The rest is 0.
typedef struct FSCatalogInfo {
  UInt16 nodeFlags;
  SInt16 volume;
  UInt32 parentDirID;
  UInt32 nodeID;
  UInt8 sharingFlags;
  UInt8 userPrivileges;
  UInt8 reserved1;
  UInt8 reserved2;
  UTCDateTime createDate;
  UTCDateTime contentModDate;
  UTCDateTime attributeModDate;
  UTCDateTime accessDate;
  UTCDateTime backupDate;
  UInt32 permissions[4];
  UInt8 finderInfo[16];
  UInt8 extFinderInfo[16];
  UInt64 dataLogicalSize;
  UInt64 dataPhysicalSize;
  UInt64 rsrcLogicalSize;
  UInt64 rsrcPhysicalSize;
  UInt32 valence;
  TextEncoding textEncodingHint;
} FSCatalogInfo;

// The path of something that exists, as the file system has it.
extern OSStatus FSPathMakeRef(const UInt8 *path, FSRef *ref, Boolean *_Nullable isDirectory);
extern OSStatus FSRefMakePath(const FSRef *ref, UInt8 *path, UInt32 pathBufferSize);
// 0 where both are the same file, errFSRefsDifferent where not.
extern OSErr FSCompareFSRefs(const FSRef *ref1, const FSRef *ref2);
extern OSErr FSMakeFSRefUnicode(
    const FSRef *parentRef, UniCharCount nameLength, const UniChar *name, TextEncoding textEncodingHint,
    FSRef *newRef);
extern OSErr FSGetCatalogInfo(
    const FSRef *ref, FSCatalogInfoBitmap whichInfo, FSCatalogInfo *_Nullable catalogInfo,
    HFSUniStr255 *_Nullable outName, FSSpecPtr _Nullable fsSpec, FSRef *_Nullable parentRef);
extern OSErr FSDeleteObject(const FSRef *ref);

extern Boolean CFURLGetFSRef(CFURLRef url, FSRef *fsRef);
extern CFURLRef _Nullable CFURLCreateFromFSRef(CFAllocatorRef _Nullable allocator, const FSRef *fsRef);

CA_HEADER_END

#endif
