// Texts of ID3 tags as AudioFormat makes a dictionary of them: each frame's name of the versions 2.2, 2.3 and 2.4, in each of the encodings that the
// version has, built byte by byte; comments with their language and title; frames that are compressed, cut off, empty or there twice.
#include "refused.h"

extern const void *CFDictionaryGetValue(const void *table, const void *key);
extern long CFDictionaryGetCount(const void *table);

static unsigned char tag[4096];
static UInt32 length;

// G r ü n, and Ж where the encoding has it.
static const UInt16 letters[] = {'G', 'r', 0xFC, 'n', 0x416};
static const char *const in_utf8[] = {"Gr\xC3\xBCn", "Gr\xC3\xBCn\xD0\x96"};

static void put_text(int encoding, int is_big) {
  const int count = encoding == 0 ? 4 : 5;
  if (encoding == 1) tag[length++] = is_big ? 0xFE : 0xFF, tag[length++] = is_big ? 0xFF : 0xFE;
  if (encoding == 3) memcpy(tag + length, in_utf8[1], strlen(in_utf8[1])), length += (UInt32)strlen(in_utf8[1]);
  for (int at = 0; at < count && encoding < 3; ++at) {
    const int big = encoding == 2 || (encoding == 1 && is_big);
    if (encoding == 0) tag[length++] = (unsigned char)letters[at];
    else tag[length++] = (unsigned char)(big ? letters[at] >> 8 : letters[at]), tag[length++] = (unsigned char)(big ? letters[at] : letters[at] >> 8);
  }
}
static void begin_tag(int version) { length = 10, memset(tag, 0, sizeof tag), memcpy(tag, "ID3", 3), tag[3] = (unsigned char)version; }
static void end_tag(void) {
  // Zeros behind the last frame.
  length += 20;
  const UInt32 body = length - 10;
  for (int at = 0; at < 4; ++at) tag[6 + at] = body >> 7 * (3 - at) & 0x7F;
}
static UInt32 begin_frame(int version, const char *name, unsigned char flags) {
  memcpy(tag + length, name, strlen(name));
  length += version == 2 ? 6 : 10;
  if (version > 2) tag[length - 1] = flags;
  return length;
}
static void end_frame(int version, UInt32 start) {
  const UInt32 size = length - start;
  if (version == 2) tag[start - 3] = (unsigned char)(size >> 16), tag[start - 2] = (unsigned char)(size >> 8), tag[start - 1] = (unsigned char)size;
  else for (int at = 0; at < 4; ++at) tag[start - 6 + (UInt32)at] = version == 4 ? size >> 7 * (3 - at) & 0x7F : (unsigned char)(size >> 8 * (3 - at));
}

static const void *dictionary(void) {
  const void *made = NULL;
  UInt32 size = sizeof made;
  const OSStatus status = AudioFormatGetProperty('id3d', length, tag, &size, &made);
  HOLDS(status == noErr && made);
  return made;
}
static void judge_entry(const void *made, const char *key, const char *expected, const char *text) {
  CFStringRef name = text_of(key);
  const void *value = made ? CFDictionaryGetValue(made, name) : NULL;
  char found[128] = "";
  if (value) CFStringGetCString(value, found, sizeof found, utf8);
  judge(text, strcmp(found, expected), 0);
  CFRelease(name);
}

void tag_texts(void) {
  static const struct {
    const char *names[3], *key;
  } rows[] = {{{"TT2", "TIT2", "TIT2"}, kAFInfoDictionary_Title}, {{"TP1", "TPE1", "TPE1"}, kAFInfoDictionary_Artist}, {{"TAL", "TALB", "TALB"}, kAFInfoDictionary_Album}, {{"TCO", "TCON", "TCON"}, kAFInfoDictionary_Genre}, {{"TRK", "TRCK", "TRCK"}, kAFInfoDictionary_TrackNumber}, {{"TYE", "TYER", "TDRC"}, kAFInfoDictionary_Year}, {{"TCM", "TCOM", "TCOM"}, kAFInfoDictionary_Composer}, {{"TXT", "TEXT", "TEXT"}, kAFInfoDictionary_Lyricist}, {{"TCR", "TCOP", "TCOP"}, kAFInfoDictionary_Copyright}, {{"TBP", "TBPM", "TBPM"}, kAFInfoDictionary_Tempo}, {{"TKE", "TKEY", "TKEY"}, kAFInfoDictionary_KeySignature}, {{"TSS", "TSSE", "TSSE"}, kAFInfoDictionary_EncodingApplication}, {{"COM", "COMM", "COMM"}, kAFInfoDictionary_Comments}};
  for (int version = 2; version <= 4; ++version)
    for (int encoding = 0; encoding < (version == 4 ? 4 : 2); ++encoding)
      for (int is_big = 0; is_big < (encoding == 1 ? 2 : 1); ++is_big) {
        begin_tag(version);
        for (size_t row = 0; row < sizeof rows / sizeof rows[0]; ++row) {
          const UInt32 start = begin_frame(version, rows[row].names[version - 2], 0);
          tag[length++] = (unsigned char)encoding;
          if (rows[row].names[0][0] == 'C') {
            memcpy(tag + length, "eng", 3), length += 3;
            put_text(encoding, is_big), length += encoding == 1 || encoding == 2 ? 2 : 1;
          }
          put_text(encoding, is_big), end_frame(version, start);
        }
        end_tag();
        const void *made = dictionary();
        HOLDS(made && CFDictionaryGetCount(made) == sizeof rows / sizeof rows[0]);
        for (size_t row = 0; row < sizeof rows / sizeof rows[0]; ++row) {
          char text[96];
          snprintf(text, sizeof text, "version 2.%d, encoding %d%s: %s", version, encoding, is_big ? ", big-endian" : "", rows[row].names[version - 2]);
          judge_entry(made, rows[row].key, in_utf8[encoding > 0], text);
        }
        if (made) CFRelease(made);
      }
  // The first of two counts; what is compressed or empty is none; one that is cut off ends the tag.
  begin_tag(3);
  const char *const words[] = {"one", "two"};
  for (int at = 0; at < 2; ++at) {
    const UInt32 start = begin_frame(3, "TIT2", 0);
    tag[length++] = 0, memcpy(tag + length, words[at], 3), length += 3, end_frame(3, start);
  }
  UInt32 start = begin_frame(3, "TPE1", 0x80);
  tag[length++] = 0, memcpy(tag + length, "packed", 6), length += 6, end_frame(3, start);
  start = begin_frame(3, "TALB", 0), tag[length++] = 0, end_frame(3, start);
  start = begin_frame(3, "TCON", 0), tag[length++] = 0, memcpy(tag + length, "cut", 3), length += 3, end_frame(3, start), tag[start - 3] = 0x7F;
  end_tag();
  const void *made = dictionary();
  HOLDS(made && CFDictionaryGetCount(made) == 1), judge_entry(made, kAFInfoDictionary_Title, "one", "the first title");
  if (made) CFRelease(made);
  UInt32 size = 8, bytes = 0;
  size = 4;
  ANSWERS(0, AudioFormatGetProperty('id3s', length, tag, &size, &bytes)), HOLDS(bytes == length);
  say_judged("texts of tags");
}
