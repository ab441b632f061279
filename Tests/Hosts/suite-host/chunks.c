// Sound files by their properties and chunks: each asked and set on files that may be read, written or both; user data;
// bytes; the catalogue of kinds.
#include "host.h"

static const char *const properties[] = {"ffmt", "dfmt", "optm", "mgic", "bcnt", "pcnt", "psze", "pkub", "doff", "cmap", "dszu", "mkls", "rgls", "pkfr", "frpk", "pkby", "bypk", "rrap", "pkrl",
                                         "pind", "nind", "pkdp", "chid", "pnfo", "flst", "prub", "rsrv", "edur", "brat", "id3t", "id3o", "sbtd", "aart", "atct", "uatk", "fnme", "none"};
enum { property_count = sizeof properties / sizeof properties[0] };

static void ask(AudioFileID file) {
  for (int which = 0; which < property_count; ++which) {
    const UInt32 id = four(properties[which]);
    UInt32 size = 0, writable = 9;
    const OSStatus info = AudioFileGetPropertyInfo(file, id, &size, &writable);
    printf("  %s %s %u %u", properties[which], status_text(info), info == noErr ? (unsigned)size : 0, (unsigned)(info == noErr ? writable : 0));
    unsigned char room[2048];
    memset(room, 0, sizeof room);
    // The input of a translation: packet or frame 3, byte 100.
    const SInt64 asked = strcmp(properties[which], "bypk") == 0 ? 100 : 3;
    memcpy(room, &asked, 8);
    if (strcmp(properties[which], "frpk") == 0 || strcmp(properties[which], "pkby") == 0) memcpy(room + 8, &asked, 8);
    size = info == noErr && size > 0 && size < sizeof room ? size : sizeof room;
    const OSStatus got = AudioFileGetProperty(file, id, &size, room);
    printf(" %s", status_text(got));
    if (got == noErr && strstr("fnme mkls rgls", properties[which]) == NULL) printf(" %u %016llx", (unsigned)size, digest(0, room, size));
    for (UInt32 less = 0; less < 2; ++less) {
      UInt32 bytes = less ? 1 : 4;
      printf(" %s", status_text(AudioFileGetProperty(file, id, &bytes, room + 1024)));
    }
    // Back again, and what is too short.
    if (got == noErr && strstr("fnme mkls rgls", properties[which]) == NULL) {
      printf(" set %s %s", status_text(AudioFileSetProperty(file, id, size, room)), status_text(AudioFileSetProperty(file, id, 3, room)));
    }
    printf("\n");
  }
  const Float64 durations[] = {2.5, -1};
  const UInt32 words[] = {0, 1};
  const unsigned char cookie[] = "a cookie";
  const AudioChannelLayout layouts[2] = {{.mChannelLayoutTag = kAudioChannelLayoutTag_Stereo}, {.mChannelLayoutTag = kAudioChannelLayoutTag_MPEG_5_1_A}};
  for (int at = 0; at < 2; ++at) {
    printf("  set %s", status_text(AudioFileSetProperty(file, four("rsrv"), 8, &durations[at])));
    printf(" %s %s", status_text(AudioFileSetProperty(file, four("dszu"), 4, &words[at])), status_text(AudioFileSetProperty(file, four("uatk"), 4, &words[at])));
    printf(" %s %s", status_text(AudioFileSetProperty(file, four("mgic"), at ? 0 : sizeof cookie, cookie)), status_text(AudioFileSetProperty(file, four("cmap"), offsetof(AudioChannelLayout, mChannelDescriptions), &layouts[at])));
    printf(" %s\n", status_text(AudioFileSetProperty(file, four("bcnt"), 4, &words[at])));
  }
}

static void user_data(AudioFileID file) {
  const char *ids[] = {"note", "LIST", "data", "fmt ", "INFO", "chan", "none"};
  for (size_t which = 0; which < sizeof ids / sizeof ids[0]; ++which) {
    const UInt32 id = four(ids[which]);
    printf("  %s", ids[which]);
    for (UInt32 index = 0; index < 3; ++index) {
      char text[40];
      const int bytes = snprintf(text, sizeof text, "item %u of %s%.*s", (unsigned)index, ids[which], (int)index * 3, "......");
      printf(" set %s", status_text(AudioFileSetUserData(file, id, index, (UInt32)bytes, text)));
    }
    UInt32 count = 99, size = 0;
    UInt64 wide = 0;
    const OSStatus counted = AudioFileCountUserData(file, id, &count);
    printf(" count %s %u", status_text(counted), counted == noErr ? (unsigned)count : 0);
    for (UInt32 index = 0; index < 4; ++index) {
      const OSStatus sized = AudioFileGetUserDataSize(file, id, index, &size), large = AudioFileGetUserDataSize64(file, id, index, &wide);
      char room[100] = "";
      UInt32 bytes = sizeof room;
      const OSStatus got = AudioFileGetUserData(file, id, index, &bytes, room);
      printf(" [%s %u %s %u %s %016llx", status_text(sized), sized == noErr ? (unsigned)size : 0, status_text(large), large == noErr ? (unsigned)wide : 0, status_text(got), got == noErr ? digest(0, room, bytes) : 0);
      bytes = 5;
      const OSStatus part = AudioFileGetUserDataAtOffset(file, id, index, 3, &bytes, room);
      printf(" %s %u %.*s", status_text(part), part == noErr ? (unsigned)bytes : 0, part == noErr && id == four("note") ? (int)bytes : 0, room);
      bytes = 5;
      printf(" %s %s]", status_text(AudioFileGetUserDataAtOffset(file, id, index, 1000, &bytes, room)), status_text(AudioFileGetUserDataAtOffset(file, id, index, -1, &bytes, room)));
    }
    printf(" remove %s", status_text(AudioFileRemoveUserData(file, id, 1)));
    printf(" again %s %s", status_text(AudioFileRemoveUserData(file, id, 1)), status_text(AudioFileRemoveUserData(file, id, 7)));
    count = 99, AudioFileCountUserData(file, id, &count);
    printf(" left %u\n", (unsigned)count);
  }
}

static void bytes_of(AudioFileID file) {
  unsigned char room[300];
  for (UInt32 at = 0; at < sizeof room; ++at) room[at] = (unsigned char)noise(at + 99);
  const SInt64 places[] = {0, 2, 3, 400, 1000000, -1};
  for (size_t at = 0; at < sizeof places / sizeof places[0]; ++at) {
    UInt32 bytes = 100;
    const OSStatus written = AudioFileWriteBytes(file, 0, places[at], &bytes, room);
    printf("  bytes at %lld: %s %u", (long long)places[at], status_text(written), (unsigned)bytes);
    unsigned char back[300] = {0};
    bytes = sizeof back;
    const OSStatus read = AudioFileReadBytes(file, 0, places[at], &bytes, back);
    printf(" back %s %u %016llx\n", status_text(read), (unsigned)bytes, digest(0, back, sizeof back));
    if (places[at] == 400) printf("  optimize %s\n", status_text(AudioFileOptimize(file)));
  }
}

static void file_of(const char *type, AudioStreamBasicDescription format) {
  static int number;
  char name[40];
  snprintf(name, sizeof name, "chunks-%d", ++number);
  const char *path = temporary(name);
  CFURLRef url = url_of(path);
  AudioFileID file = NULL;
  OSStatus status = AudioFileCreateWithURL(url, four(type), &format, kAudioFileFlags_EraseFile, &file);
  printf("%s ", type), say_format(&format), printf(": %s\n", status_text(status));
  if (status == noErr) {
    bytes_of(file), ask(file), user_data(file), bytes_of(file);
    printf("  closed %s", status_text(AudioFileClose(file)));
    printf(" %s\n", status_text(AudioFileClose(file)));
    long bytes = 0;
    for (SInt8 permissions = 1; permissions <= 3; ++permissions) {
      const Digest before = file_digest(path, &bytes);
      status = AudioFileOpenURL(url, permissions, 0, &file);
      printf("%s opened as %d: %s, %ld bytes %016llx\n", type, permissions, status_text(status), bytes, before);
      if (status != noErr) continue;
      ask(file), user_data(file), bytes_of(file);
      printf("  closed %s\n", status_text(AudioFileClose(file)));
    }
    const Digest after = file_digest(path, &bytes);
    printf("at last %ld bytes %016llx\n", bytes, after);
  }
  CFRelease(url);
  remove(path);
}

static void catalogue(void) {
  const char *questions[] = {"afrf", "afwf", "ftnm", "sdid", "fmid", "alxt", "ahfs", "auti", "amim", "fext", "fhfs", "futi", "fmim", "tmim", "tuti", "thfs", "text", "none"};
  const char *types[] = {"WAVE", "AIFF", "AIFC", "caff", "NeXT", "MPG3", "mp4f", "m4af", "flac", "RF64", "W64f", "BW64", "Sd2f", "nope"};
  const char *words[] = {"wav", "aif", "caf", "mp3", "flac", "audio/wav", "audio/x-flac", "com.microsoft.waveform-audio", "public.aiff-audio", ""};
  for (size_t which = 0; which < sizeof questions / sizeof questions[0]; ++which) {
    const UInt32 id = four(questions[which]);
    for (size_t at = 0; at < sizeof types / sizeof types[0] + sizeof words / sizeof words[0] + 1; ++at) {
      UInt32 word = at < sizeof types / sizeof types[0] ? four(types[at]) : 0, specifier_size = 0;
      AudioFileTypeAndFormatID pair = {word, kAudioFormatLinearPCM};
      CFStringRef text = NULL;
      void *specifier = NULL;
      if (at < sizeof types / sizeof types[0]) {
        specifier = strcmp(questions[which], "sdid") == 0 ? (void *)&pair : (void *)&word;
        specifier_size = strcmp(questions[which], "sdid") == 0 ? sizeof pair : sizeof word;
      } else if (at < sizeof types / sizeof types[0] + sizeof words / sizeof words[0]) {
        // Texts are for questions that are about texts.
        if (strstr("tmim tuti text", questions[which]) == NULL) continue;
        text = text_of(words[at - sizeof types / sizeof types[0]]), specifier = &text, specifier_size = sizeof text;
      }
      if (specifier != NULL && text == NULL && strstr("tmim tuti text", questions[which])) continue;
      UInt32 size = 0, room[2048] = {0};
      const OSStatus sized = AudioFileGetGlobalInfoSize(id, specifier_size, specifier, &size);
      UInt32 bytes = sizeof room;
      const OSStatus got = AudioFileGetGlobalInfo(id, specifier_size, specifier, &bytes, room);
      printf("%s %s: %s %u %s", questions[which], text ? words[at - sizeof types / sizeof types[0]] : specifier ? types[at] : "", status_text(sized), sized == noErr ? (unsigned)size : 0, status_text(got));
      const int is_object = strstr("ftnm alxt auti amim fext futi fmim", questions[which]) != NULL;
      if (got == noErr && !is_object) printf(" %u %016llx", (unsigned)bytes, digest(0, room, bytes));
      if (got == noErr && is_object) {
        const void *object;
        memcpy(&object, room, sizeof object);
        char name[100] = "";
        if (strcmp(questions[which], "ftnm") == 0) CFStringGetCString(object, name, sizeof name, utf8), printf(" \"%s\"", name);
        else printf(" of %ld", CFArrayGetCount(object));
        CFRelease(object);
      }
      bytes = 2;
      printf(" %s\n", status_text(AudioFileGetGlobalInfo(id, specifier_size, specifier, &bytes, room)));
      if (text) CFRelease(text);
    }
  }
}

void chunks(void) {
  const UInt32 floats = kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked, words = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, big = kAudioFormatFlagIsBigEndian;
  catalogue();
  file_of("WAVE", pcm(44100, 2, 16, 2, words)), file_of("AIFF", pcm(48000, 1, 24, 3, words | big)), file_of("caff", pcm(22050, 2, 32, 4, floats));
  file_of("AIFC", pcm(44100, 2, 32, 4, floats | big)), file_of("RF64", pcm(44100, 6, 24, 3, words)), file_of("NeXT", pcm(8000, 1, 16, 2, words | big));
  file_of("W64f", pcm(96000, 2, 32, 4, words)), file_of("BW64", pcm(44100, 2, 16, 2, words));
  const char *names[] = {"../audio/drums.flac", "../audio/tabla-48000.flac"};
  for (int at = 0; at < 2; ++at) {
    CFURLRef url = url_of(names[at]);
    AudioFileID file = NULL;
    const OSStatus status = AudioFileOpenURL(url, kAudioFileReadPermission, 0, &file);
    printf("%s: %s\n", strrchr(names[at], '/') + 1, status_text(status));
    if (status == noErr) ask(file), bytes_of(file), AudioFileClose(file);
    CFRelease(url);
  }
}
