// Sound files that are open for reading, for writing or for both, and extended files, asked for what they do not give.
#include "refused.h"

// `reads` and `writes`: what the file is open for.
static void ask_file(AudioFileID file, int reads, int writes) {
  char bytes[1024] = {0};
  UInt32 size, packets, word = 1;
#define READS(status) (reads ? (status) : (OSStatus)'prm?')
#define WRITES(status) (writes ? (status) : (OSStatus)'prm?')
  size = 400;
  ANSWERS(READS(0), AudioFileReadBytes(file, 0, 0, &size, bytes)), HOLDS(size == (reads ? 400 : 0));
  size = 401;
  ANSWERS(READS(-39), AudioFileReadBytes(file, 0, 0, &size, bytes)), HOLDS(size == (reads ? 400 : 0));
  size = 4;
  ANSWERS(READS(-39), AudioFileReadBytes(file, 0, 400, &size, bytes)), HOLDS(size == 0);
  size = 4;
  ANSWERS(READS(-39), AudioFileReadBytes(file, 0, 399, &size, bytes)), HOLDS(size == (reads ? 1 : 0));
  size = 4;
  ANSWERS(READS(-40), AudioFileReadBytes(file, 0, -1, &size, bytes)), HOLDS(size == 0);
  ANSWERS(-50, AudioFileReadBytes(file, 0, 0, (UInt32 *)nothing, bytes));
  size = 4;
  ANSWERS(-50, AudioFileReadBytes(file, 0, 0, &size, nothing));
  size = sizeof bytes, packets = 100;
  ANSWERS(READS(0), AudioFileReadPacketData(file, 0, &size, NULL, 0, &packets, bytes)), HOLDS(packets == (reads ? 100 : 0) && size == packets * 4);
  size = 11, packets = 100;
  ANSWERS(READS(0), AudioFileReadPacketData(file, 0, &size, NULL, 98, &packets, bytes)), HOLDS(packets == (reads ? 2 : 0) && size == packets * 4);
  size = 11, packets = 100;
  ANSWERS(READS(0), AudioFileReadPacketData(file, 0, &size, NULL, 10, &packets, NULL)), HOLDS(packets == (reads ? 2 : 0) && size == packets * 4);
  size = sizeof bytes, packets = 5;
  ANSWERS(READS(0), AudioFileReadPacketData(file, 0, &size, NULL, 100, &packets, bytes)), HOLDS(packets == 0 && size == 0);
  size = sizeof bytes, packets = 5;
  ANSWERS(READS('pck?'), AudioFileReadPacketData(file, 0, &size, NULL, -1, &packets, bytes)), HOLDS(packets == 0 && size == 0);
  packets = 101;
  ANSWERS(READS(0), AudioFileReadPackets(file, 0, &size, NULL, 0, &packets, bytes)), HOLDS(packets == (reads ? 100 : 0) && size == packets * 4);
  packets = 5;
  ANSWERS(READS('pck?'), AudioFileReadPackets(file, 0, &size, NULL, -1, &packets, bytes)), HOLDS(packets == 0);
  ANSWERS(-50, AudioFileReadPacketData(file, 0, (UInt32 *)nothing, NULL, 0, &packets, bytes));
  ANSWERS(-50, AudioFileReadPacketData(file, 0, &size, NULL, 0, (UInt32 *)nothing, bytes));
  ANSWERS(-50, AudioFileReadPackets(file, 0, (UInt32 *)nothing, NULL, 0, &packets, bytes));
  ANSWERS(-50, AudioFileReadPackets(file, 0, &size, NULL, 0, (UInt32 *)nothing, bytes));

  size = 4;
  ANSWERS(WRITES(-40), AudioFileWriteBytes(file, 0, -1, &size, bytes)), HOLDS(size == 0);
  size = 4;
  ANSWERS(WRITES(-40), AudioFileWriteBytes(file, 0, 401, &size, bytes)), HOLDS(size == 0);
  packets = 1;
  ANSWERS(WRITES('pck?'), AudioFileWritePackets(file, 0, 4, NULL, -1, &packets, bytes)), HOLDS(packets == 0);
  packets = 1;
  ANSWERS(WRITES('pck?'), AudioFileWritePackets(file, 0, 4, NULL, 101, &packets, bytes)), HOLDS(packets == 0);
  ANSWERS(-50, AudioFileWriteBytes(file, 0, 0, (UInt32 *)nothing, bytes));
  size = 4;
  ANSWERS(-50, AudioFileWriteBytes(file, 0, 0, &size, nothing));
  ANSWERS(-50, AudioFileWritePackets(file, 0, 4, NULL, 0, (UInt32 *)nothing, bytes));
  packets = 1;
  ANSWERS(-50, AudioFileWritePackets(file, 0, 4, NULL, 0, &packets, nothing));
  ANSWERS(WRITES(0), AudioFileOptimize(file));
  ANSWERS(WRITES(0), AudioFileSetProperty(file, 'dszu', 4, &word));
  ANSWERS('!siz', AudioFileSetProperty(file, 'dszu', 2, &word));
  const Float64 seconds = 1, negative = -1;
  ANSWERS(WRITES(0), AudioFileSetProperty(file, 'rsrv', 8, &seconds));
  ANSWERS(WRITES(-50), AudioFileSetProperty(file, 'rsrv', 8, &negative));
  ANSWERS('!siz', AudioFileSetProperty(file, 'rsrv', 4, &seconds));
  const AudioChannelLayout mono = {.mChannelLayoutTag = kAudioChannelLayoutTag_Mono}, stereo = {.mChannelLayoutTag = kAudioChannelLayoutTag_Stereo}, mid = {.mChannelLayoutTag = kAudioChannelLayoutTag_MidSide};
  ANSWERS(WRITES(-50), AudioFileSetProperty(file, 'cmap', sizeof mono, &mono));
  // WAVE without an extensible header has no place for another layout than the one that goes without saying.
  ANSWERS(WRITES(unsupported), AudioFileSetProperty(file, 'cmap', sizeof mid, &mid));
  ANSWERS(WRITES(0), AudioFileSetProperty(file, 'cmap', sizeof stereo, &stereo));
  ANSWERS('!siz', AudioFileSetProperty(file, 'cmap', 3, &stereo));
  ANSWERS(WRITES('pty?'), AudioFileSetProperty(file, 'mgic', 4, &word));
  ANSWERS(0, AudioFileSetProperty(file, 'uatk', 4, &(UInt32){0}));
  ANSWERS(-50, AudioFileSetProperty(file, 'uatk', 4, &word));
  ANSWERS('!siz', AudioFileSetProperty(file, 'uatk', 8, &seconds));
  static const char *const read_only[] = {"ffmt", "dfmt", "optm", "bcnt", "pcnt", "psze", "pkub", "doff", "rrap", "chid", "info", "flst", "edur", "brat", "id3t", "id3o", "sbtd", "atct", "pkfr", "frpk", "pkby", "bypk", "zzzz"};
  for (size_t at = 0; at < sizeof read_only / sizeof read_only[0]; ++at) ANSWERS('pty?', AudioFileSetProperty(file, four(read_only[at]), 8, bytes));
  // Properties that a plain WAVE file does not have, with and without room.
  static const char *const absent[] = {"mgic", "pnfo", "id3t", "id3o", "aart", "uatk", "zzzz"};
  for (size_t at = 0; at < sizeof absent / sizeof absent[0]; ++at) {
    size = sizeof bytes;
    ANSWERS('pty?', AudioFileGetProperty(file, four(absent[at]), &size, bytes));
  }
  // A byte too few.
  static const struct {
    const char *id;
    UInt32 size;
  } sizes[] = {{"ffmt", 4}, {"dfmt", 40}, {"optm", 4}, {"bcnt", 8}, {"pcnt", 8}, {"psze", 4}, {"pkub", 4}, {"doff", 8}, {"dszu", 4}, {"rrap", 4}, {"chid", 8}, {"info", 8}, {"flst", sizeof(AudioFormatListItem)}, {"rsrv", 8}, {"edur", 8}, {"brat", 4}, {"sbtd", 4}, {"atct", 4}, {"pkfr", 24}, {"frpk", 24}, {"pkby", 24}, {"bypk", 24}};
  for (size_t at = 0; at < sizeof sizes / sizeof sizes[0]; ++at) {
    const UInt32 id = four(sizes[at].id);
    char text[64];
    snprintf(text, sizeof text, "%s with %u bytes of %u", sizes[at].id, (unsigned)sizes[at].size - 1, (unsigned)sizes[at].size);
    size = sizes[at].size - 1;
    judge(text, AudioFileGetProperty(file, id, &size, bytes), '!siz');
    size = 0, word = 9;
    snprintf(text, sizeof text, "size of %s", sizes[at].id);
    judge(text, AudioFileGetPropertyInfo(file, id, &size, &word), 0);
    const int is_set = id == 'dszu' || id == 'rsrv';
    judge(text, (OSStatus)size, (OSStatus)sizes[at].size);
    snprintf(text, sizeof text, "%s can be set", sizes[at].id);
    judge(text, (OSStatus)word, is_set && writes);
  }
  size = 4;
  ANSWERS(-50, AudioFileGetProperty(file, 'ffmt', (UInt32 *)nothing, bytes));
  ANSWERS(-50, AudioFileGetProperty(file, 'ffmt', &size, nothing));
  ANSWERS(-50, AudioFileSetProperty(file, 'dszu', 4, nothing));
  ANSWERS(0, AudioFileGetPropertyInfo(file, 'ffmt', NULL, NULL));
  ANSWERS('pty?', AudioFileGetPropertyInfo(file, 'zzzz', &size, &word));
  // Chunks.
  ANSWERS(WRITES(0), AudioFileSetUserData(file, 'abcd', 0, 5, "hello"));
  ANSWERS(WRITES('chk?'), AudioFileSetUserData(file, 'abcd', 2, 5, "hello"));
  size = 0;
  ANSWERS(0, AudioFileCountUserData(file, 'abcd', &size)), HOLDS(size == (UInt32)writes);
  size = sizeof bytes;
  ANSWERS('chk?', AudioFileGetUserData(file, 'abcd', 1, &size, bytes));
  ANSWERS(writes ? 0 : 'chk?', AudioFileGetUserDataSize(file, 'abcd', 0, &size));
  ANSWERS('chk?', AudioFileGetUserDataSize(file, 'abcd', 1, &size));
  ANSWERS(WRITES('chk?'), AudioFileRemoveUserData(file, 'abcd', 1));
  ANSWERS(WRITES(0), AudioFileRemoveUserData(file, 'abcd', 0));
  ANSWERS(WRITES('chk?'), AudioFileRemoveUserData(file, 'abcd', 0));
  ANSWERS(0, AudioFileCountUserData(file, 'abcd', &size)), HOLDS(size == 0);
#undef READS
#undef WRITES
}

void wrong_files(void) {
  for (SInt8 permissions = 1; permissions <= 3; ++permissions) {
    AudioFileID file = open_file("plain.wav", permissions);
    ask_file(file, permissions & 1, permissions >> 1);
    ANSWERS(0, AudioFileClose(file));
    ANSWERS(-38, AudioFileClose(file));
  }
  say_judged("files");
}

// MARK: Extended files

static void ask_sizes(ExtAudioFileRef file, int writes) {
  static const struct {
    const char *id;
    UInt32 size;
    // 2: while a plain file is written.
    int is_set;
  } sizes[] = {{"ffmt", 40, 0}, {"cfmt", 40, 1}, {"cman", 4, 1}, {"afil", 8, 0}, {"fmps", 4, 0}, {"cmps", 4, 0}, {"#frm", 8, 2}, {"iobs", 4, 1}};
  char bytes[64] = {0};
  for (size_t at = 0; at < sizeof sizes / sizeof sizes[0]; ++at) {
    const UInt32 id = four(sizes[at].id);
    UInt32 size = 0;
    Boolean writable = 9;
    char text[64];
    snprintf(text, sizeof text, "%s: size and writability", sizes[at].id);
    judge(text, ExtAudioFileGetPropertyInfo(file, id, &size, &writable), 0);
    judge(text, (OSStatus)(size * 2 + writable), (OSStatus)(sizes[at].size * 2 + (sizes[at].is_set == 1 || (sizes[at].is_set == 2 && writes))));
    snprintf(text, sizeof text, "%s with too little room", sizes[at].id);
    size = sizes[at].size - 1;
    judge(text, ExtAudioFileGetProperty(file, id, &size, bytes), -66562);
    snprintf(text, sizeof text, "%s set with a byte too few", sizes[at].id);
    judge(text, ExtAudioFileSetProperty(file, id, sizes[at].size - 1, bytes), sizes[at].is_set ? -66562 : -66561);
    snprintf(text, sizeof text, "%s set with a byte too many", sizes[at].id);
    judge(text, ExtAudioFileSetProperty(file, id, sizes[at].size + 1, bytes), sizes[at].is_set ? -66562 : -66561);
  }
  UInt32 size = 64;
  ANSWERS(-66561, ExtAudioFileGetProperty(file, 'zzzz', &size, bytes));
  ANSWERS(-66561, ExtAudioFileSetProperty(file, 'zzzz', 4, bytes));
  ANSWERS(-66561, ExtAudioFileGetPropertyInfo(file, 'zzzz', &size, NULL));
  ANSWERS(-66561, ExtAudioFileGetProperty(file, 'accf', &size, bytes));
  ANSWERS(-66561, ExtAudioFileGetProperty(file, 'iobf', &size, bytes));
  ANSWERS(-66561, ExtAudioFileGetProperty(file, 'xpti', &size, bytes));
  ANSWERS(-66562, ExtAudioFileSetProperty(file, 'accf', 4, bytes));
  ANSWERS(-66562, ExtAudioFileSetProperty(file, 'iobf', 4, bytes));
  ANSWERS(-66562, ExtAudioFileSetProperty(file, 'xpti', 15, bytes));
  ANSWERS(-66562, ExtAudioFileSetProperty(file, 'fclo', 3, bytes));
  ANSWERS(-50, ExtAudioFileGetProperty(file, 'ffmt', (UInt32 *)nothing, bytes));
  ANSWERS(-50, ExtAudioFileGetProperty(file, 'ffmt', &size, nothing));
  ANSWERS(-50, ExtAudioFileSetProperty(file, 'cfmt', 40, nothing));
  AudioStreamBasicDescription coded = {48000, 'ulaw', 0, 2, 1, 2, 2, 8, 0}, odd = planar(-1, 2);
  ANSWERS(-66563, ExtAudioFileSetProperty(file, 'cfmt', sizeof coded, &coded));
  ANSWERS(-66566, ExtAudioFileSetProperty(file, 'cfmt', sizeof odd, &odd));
  const AudioChannelLayout mono = {.mChannelLayoutTag = kAudioChannelLayoutTag_Mono}, stereo = {.mChannelLayoutTag = kAudioChannelLayoutTag_Stereo};
  ANSWERS(-66564, ExtAudioFileSetProperty(file, 'fclo', sizeof mono, &mono));
  // The client's layout comes behind its format, everything of the file before it.
  ANSWERS(-66565, ExtAudioFileSetProperty(file, 'cclo', sizeof stereo, &stereo));
  ANSWERS(0, ExtAudioFileSetProperty(file, 'fclo', sizeof stereo, &stereo));
  ANSWERS(0, ExtAudioFileSetProperty(file, 'cman', 4, "appl"));
  const AudioStreamBasicDescription client = planar(48000, 2);
  ANSWERS(0, ExtAudioFileSetProperty(file, 'cfmt', sizeof client, &client));
  ANSWERS(-66565, ExtAudioFileSetProperty(file, 'fclo', sizeof stereo, &stereo));
  ANSWERS(-66565, ExtAudioFileSetProperty(file, 'cman', 4, "appl"));
  ANSWERS(-66564, ExtAudioFileSetProperty(file, 'cclo', sizeof mono, &mono));
  ANSWERS(-66562, ExtAudioFileSetProperty(file, 'cclo', 3, &stereo));
  ANSWERS(0, ExtAudioFileSetProperty(file, 'cclo', sizeof stereo, &stereo));
  ANSWERS(0, ExtAudioFileSetProperty(file, 'iobs', 4, &(UInt32){1234}));
  size = 4;
  ANSWERS(0, ExtAudioFileGetProperty(file, 'iobs', &size, bytes)), HOLDS(*(UInt32 *)bytes == 1234);
  ANSWERS(0, ExtAudioFileSetProperty(file, 'accf', 0, bytes)), ANSWERS(0, ExtAudioFileSetProperty(file, 'accf', 8, &(void *){NULL}));
}

void wrong_extended(void) {
  Planes *planes = planes_of(2, 64);
  UInt32 frames;
  SInt64 at = -1;
  ExtAudioFileRef file = open_extended("plain.wav");
  ask_sizes(file, 0);
  ANSWERS(-66565, ExtAudioFileWrite(file, 64, planes->list));
  ANSWERS(-66565, ExtAudioFileWriteAsync(file, 0, NULL));
  ANSWERS(-66565, ExtAudioFileWriteAsync(file, 64, planes->list));
  ANSWERS(-66565, ExtAudioFileSetProperty(file, '#frm', 8, &at));
  ANSWERS(-66568, ExtAudioFileSeek(file, -1));
  ANSWERS(-66568, ExtAudioFileSeek(file, 101));
  ANSWERS(0, ExtAudioFileSeek(file, 100));
  ANSWERS(0, ExtAudioFileTell(file, &at)), HOLDS(at == 100);
  frames = 64;
  ANSWERS(0, ExtAudioFileRead(file, &frames, planes->list)), HOLDS(frames == 0 && planes->list->mBuffers[0].mDataByteSize == 0);
  ANSWERS(0, ExtAudioFileSeek(file, 0));
  frames = 64;
  ANSWERS(-50, ExtAudioFileRead(file, &frames, planes_of(1, 64)->list)), HOLDS(frames == 0);
  frames = 64;
  ANSWERS(-50, ExtAudioFileRead(file, &frames, planes_of(3, 64)->list));
  frames = 64;
  ANSWERS(-50, ExtAudioFileRead(file, &frames, planes_of(2, 0)->list));
  planes_of(2, 64), planes->list->mBuffers[1].mData = NULL, frames = 64;
  ANSWERS(-50, ExtAudioFileRead(file, &frames, planes->list));
  ANSWERS(-50, ExtAudioFileRead(file, (UInt32 *)nothing, planes_of(2, 64)->list));
  frames = 64;
  ANSWERS(-50, ExtAudioFileRead(file, &frames, (AudioBufferList *)nothing));
  ANSWERS(-50, ExtAudioFileTell(file, (SInt64 *)nothing));
  // The smallest buffer decides.
  planes_of(2, 64), planes->list->mBuffers[1].mDataByteSize = 40, frames = 64;
  ANSWERS(0, ExtAudioFileRead(file, &frames, planes->list)), HOLDS(frames == 10 && planes->list->mBuffers[0].mDataByteSize == 40);
  ANSWERS(0, ExtAudioFileTell(file, &at)), HOLDS(at == 10);
  frames = 200, planes_of(2, 200);
  ANSWERS(0, ExtAudioFileRead(file, &frames, planes->list)), HOLDS(frames == 90);
  ANSWERS(0, ExtAudioFileDispose(file));
  // A coder's file has no format of its own that a client could have.
  file = open_extended("coded.flac");
  frames = 64;
  ANSWERS(-66563, ExtAudioFileRead(file, &frames, planes_of(2, 64)->list));
  UInt32 size = 4;
  ANSWERS(-66567, ExtAudioFileGetProperty(file, 'cmps', &size, &frames));
  ANSWERS(0, ExtAudioFileDispose(file));

  // Writing, at once and by a ring.
  const AudioStreamBasicDescription format = stereo16(), client = planar(48000, 2);
  for (int ring = 0; ring < 2; ++ring) {
    CFURLRef url = new_url("written.wav");
    need(ExtAudioFileCreateWithURL(url, 'WAVE', &format, NULL, 1, &file), "create");
    CFRelease(url);
    ask_sizes(file, 1);
    frames = 64;
    ANSWERS(-66565, ExtAudioFileRead(file, &frames, planes_of(2, 64)->list));
    ANSWERS(-66568, ExtAudioFileSeek(file, 0));
    ANSWERS(-50, ExtAudioFileWrite(file, 64, planes_of(1, 64)->list));
    ANSWERS(-50, ExtAudioFileWrite(file, 64, planes_of(2, 63)->list));
    ANSWERS(-50, ExtAudioFileWrite(file, 64, (const AudioBufferList *)nothing));
    if (ring) {
      ANSWERS(0, ExtAudioFileWriteAsync(file, 0, NULL));
      ANSWERS(-50, ExtAudioFileWriteAsync(file, 64, NULL));
      ANSWERS(-50, ExtAudioFileWriteAsync(file, 64, planes_of(1, 64)->list));
      ANSWERS(-50, ExtAudioFileWriteAsync(file, 64, planes_of(2, 63)->list));
      ANSWERS(-66569, ExtAudioFileWriteAsync(file, 131073, planes_of(2, 64)->list));
      ANSWERS(0, ExtAudioFileWriteAsync(file, 64, planes_of(2, 64)->list));
      ANSWERS(-66565, ExtAudioFileWrite(file, 64, planes_of(2, 64)->list));
    } else {
      ANSWERS(0, ExtAudioFileWrite(file, 64, planes_of(2, 64)->list));
      ANSWERS(0, ExtAudioFileTell(file, &at)), HOLDS(at == 64);
    }
    // Nothing of the conversion changes once frames were written.
    ANSWERS(-66565, ExtAudioFileSetProperty(file, 'cfmt', sizeof client, &client));
    ANSWERS(-66565, ExtAudioFileSetProperty(file, 'accf', 8, &(void *){NULL}));
    const AudioChannelLayout turned = {.mChannelLayoutTag = kAudioChannelLayoutTag_UseChannelDescriptions, .mNumberChannelDescriptions = 1};
    ANSWERS(-66562, ExtAudioFileSetProperty(file, 'cclo', 12, &turned));
    ANSWERS(0, ExtAudioFileDispose(file));
    ANSWERS(-50, ExtAudioFileDispose(file));
  }
  // Wrapped: the file stays the caller's; one for writing around a file that is read is made, and its writes are refused.
  AudioFileID plain = open_file("plain.wav", 1), writable = open_file("plain.wav", 2);
  ANSWERS(-50, ExtAudioFileWrapAudioFileID(plain, 0, (ExtAudioFileRef *)nothing));
  ANSWERS('prm?', ExtAudioFileWrapAudioFileID(writable, 0, &file));
  ANSWERS(0, ExtAudioFileWrapAudioFileID(plain, 1, &file));
  ANSWERS('prm?', ExtAudioFileWrite(file, 64, planes_of(2, 64)->list));
  ANSWERS('prm?', ExtAudioFileWriteAsync(file, 0, NULL));
  ANSWERS('prm?', ExtAudioFileSetProperty(file, '#frm', 8, &(SInt64){10}));
  ANSWERS(0, ExtAudioFileDispose(file));
  ANSWERS(0, ExtAudioFileWrapAudioFileID(plain, 0, &file));
  AudioFileID inside = NULL;
  size = sizeof inside;
  ANSWERS(0, ExtAudioFileGetProperty(file, 'afil', &size, &inside)), HOLDS(inside == plain);
  ANSWERS(0, ExtAudioFileSetProperty(file, 'cfmt', sizeof client, &client));
  frames = 100;
  ANSWERS(0, ExtAudioFileRead(file, &frames, planes_of(2, 100)->list)), HOLDS(frames == 100 && planes->samples[1][99] == (SInt16)(199 * 100 - 10000) / 32768.0f);
  ANSWERS(0, ExtAudioFileDispose(file));
  size = 4;
  ANSWERS(0, AudioFileReadBytes(plain, 0, 0, &size, &frames));
  ANSWERS(0, AudioFileClose(plain)), ANSWERS(0, AudioFileClose(writable));
  // Its length is set while it is written.
  plain = open_file("plain.wav", 3);
  ANSWERS(0, ExtAudioFileWrapAudioFileID(plain, 1, &file));
  ANSWERS(-50, ExtAudioFileSetProperty(file, '#frm', 8, &(SInt64){-1}));
  ANSWERS(0, ExtAudioFileSetProperty(file, '#frm', 8, &(SInt64){50}));
  size = 8;
  ANSWERS(0, ExtAudioFileGetProperty(file, '#frm', &size, &at)), HOLDS(at == 50);
  ANSWERS(0, ExtAudioFileDispose(file)), ANSWERS(0, AudioFileClose(plain));
  say_judged("extended files");
}
