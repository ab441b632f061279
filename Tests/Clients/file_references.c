// Files by references to them (FSRef), as programs from before URLs have them: a file is created in a folder, found,
// asked about, read and removed. The folder is the program's argument.
#include "client.h"

#include <CoreServices/CoreServices.h>
#include <sys/stat.h>
#include <unistd.h>

static AudioStreamBasicDescription format(void) {
  AudioStreamBasicDescription format = {44100, kAudioFormatLinearPCM, kLinearPCMFormatFlagIsSignedInteger |
                                        kLinearPCMFormatFlagIsPacked, 4, 1, 4, 2, 16, 0};
  return format;
}

static void createAndRead(const FSRef *folder) {
  const AudioStreamBasicDescription wanted = format();
  const SInt16 samples[6] = {1, -1, 2, -2, 3, -3};
  SInt16 read[6] = {0};
  UInt32 bytes = sizeof(samples), packets = 3;
  AudioFileID file = NULL;
  FSRef made, found;
  UInt8 path[1024];
  REPORT("create", AudioFileCreate(folder, CFSTR("tone.wav"), kAudioFileWAVEType, &wanted, 0, &made, &file));
  REPORT("write", AudioFileWritePackets(file, false, bytes, NULL, 0, &packets, samples));
  REPORT("close", AudioFileClose(file));
  REPORT("create again", AudioFileCreate(folder, CFSTR("tone.wav"), kAudioFileWAVEType, &wanted, 0, &made, &file) != 0);
  REPORT("path", FSRefMakePath(&made, path, sizeof(path)));
  printf("called %s\n", strrchr((const char *)path, '/') + 1);
  REPORT("short", FSRefMakePath(&made, path, 4));
  REPORT("find", FSMakeFSRefUnicode(folder, 8, (const UniChar *)u"tone.wav", 0, &found));
  REPORT("compare", FSCompareFSRefs(&made, &found));
  REPORT("compare with the folder", FSCompareFSRefs(&made, folder));
  REPORT("open", AudioFileOpen(&found, fsRdPerm, 0, &file));
  packets = 3;
  REPORT("read", AudioFileReadPackets(file, false, &bytes, NULL, 0, &packets, read));
  printf("%u packets, the same %d\n", packets, memcmp(samples, read, sizeof(samples)) == 0);
  AudioFileClose(file);
  REPORT("initialize", AudioFileInitialize(&found, kAudioFileAIFFType, &wanted, 0, &file) != 0);
  AudioStreamBasicDescription big = wanted;
  big.mFormatFlags |= kLinearPCMFormatFlagIsBigEndian;
  REPORT("initialize as AIFF", AudioFileInitialize(&found, kAudioFileAIFFType, &big, 0, &file));
  AudioFileClose(file);
}

static void extended(const FSRef *folder) {
  const AudioStreamBasicDescription wanted = format();
  SInt16 samples[4] = {10, 20, 30, 40};
  AudioBufferList list = {1, {{2, sizeof(samples), samples}}};
  UInt32 frames = 2;
  ExtAudioFileRef file = NULL;
  FSRef found;
  REPORT("new", ExtAudioFileCreateNew(folder, CFSTR("slash/inside.wav"), kAudioFileWAVEType, &wanted, NULL, &file));
  REPORT("write", ExtAudioFileWrite(file, 2, &list));
  REPORT("dispose", ExtAudioFileDispose(file));
  REPORT("find", FSMakeFSRefUnicode(folder, 16, (const UniChar *)u"slash/inside.wav", 0, &found));
  REPORT("open", ExtAudioFileOpen(&found, &file));
  memset(samples, 0, sizeof(samples));
  REPORT("format", ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, sizeof(wanted), &wanted));
  REPORT("read", ExtAudioFileRead(file, &frames, &list));
  printf("%u frames, %d %d %d %d\n", frames, samples[0], samples[1], samples[2], samples[3]);
  ExtAudioFileDispose(file);
  REPORT("delete", FSDeleteObject(&found));
  REPORT("open what is gone", ExtAudioFileOpen(&found, &file) != 0);
}

static void catalogue(const FSRef *folder, const char *path) {
  FSCatalogInfo info;
  HFSUniStr255 name;
  FSRef file, parent;
  CFURLRef url;
  char text[1200];
  Boolean isFolder = true;
  snprintf(text, sizeof(text), "%s/five", path);
  FILE *stream = fopen(text, "w");
  fputs("12345", stream);
  fclose(stream);
  REPORT("make", FSPathMakeRef((const UInt8 *)text, &file, &isFolder));
  printf("folder %d\n", isFolder);
  REPORT("info", FSGetCatalogInfo(&file, kFSCatInfoGettableInfo, &info, &name, NULL, &parent));
  printf("%llu bytes, %u letters, folder %d, parent %d\n", (unsigned long long)info.dataLogicalSize, name.length,
         (info.nodeFlags & kFSNodeIsDirectoryMask) != 0, FSCompareFSRefs(&parent, folder));
  // 48 bits of seconds since 1904: later than 2020, and earlier than 2100.
  const UInt64 seconds = (UInt64)info.contentModDate.highSeconds << 32 | info.contentModDate.lowSeconds;
  printf("time %d\n", seconds > 3660000000u && seconds < 6200000000u);
  REPORT("info of the folder", FSGetCatalogInfo(folder, kFSCatInfoValence, &info, NULL, NULL, NULL));
  printf("folder %d, %u things\n", (info.nodeFlags & kFSNodeIsDirectoryMask) != 0, info.valence);
  url = CFURLCreateFromFSRef(NULL, &file);
  printf("url %d, ", CFURLGetFileSystemRepresentation(url, true, (UInt8 *)text, sizeof(text)));
  printf("back %d, same %d\n", CFURLGetFSRef(url, &parent), FSCompareFSRefs(&parent, &file));
  CFRelease(url);
  REPORT("delete", FSDeleteObject(&file));
  REPORT("nothing there", FSPathMakeRef((const UInt8 *)text, &file, NULL));
}

int main(int count, char **arguments) {
  FSRef folder, nothing;
  Boolean isFolder = false;
  if (count < 2) return 2;
  memset(&nothing, 0x5A, sizeof(nothing));
  REPORT("folder", FSPathMakeRef((const UInt8 *)arguments[1], &folder, &isFolder));
  printf("folder %d\n", isFolder);
  createAndRead(&folder);
  extended(&folder);
  catalogue(&folder, arguments[1]);
  AudioFileID file;
  REPORT("a reference that is none", AudioFileOpen(&nothing, fsRdPerm, 0, &file));
  return 0;
}
