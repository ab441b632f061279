// AudioFormat: every layout of channels there is, its names and bitmap, how each mixes into others, and where panning
// goes.
#include "host.h"

enum { most_labels = 64 };
typedef union Layout {
  AudioChannelLayout layout;
  unsigned char bytes[sizeof(AudioChannelLayout) + most_labels * sizeof(AudioChannelDescription)];
} Layout;

// A group of lines is held by its digest, where it would be long.
static char text[1 << 20];
static size_t length;

#define put(...) (length += (size_t)snprintf(text + length, sizeof text - length, __VA_ARGS__))

static void flush(const char *group, UInt32 number) {
  if (group) printf("%s %x: %016llx\n", group, (unsigned)number, digest(0, text, length));
  else fwrite(text, 1, length, stdout);
  length = 0;
}

// The result of a property: words in hexadecimal, a text, or the error. 0 if there is none.
static int say(UInt32 property, UInt32 size, const void *about, char kind) {
  UInt32 room[4096], bytes = sizeof room;
  OSStatus status = AudioFormatGetProperty(property, size, about, &bytes, room);
  if (status != noErr) return put(" %s", status_text(status)), 0;
  if (kind == 't') {
    char name[256] = "?";
    CFStringRef string;
    memcpy(&string, room, sizeof string);
    CFStringGetCString(string, name, sizeof name, utf8);
    CFRelease(string);
    put(" \"%s\"", name);
    return 1;
  }
  for (UInt32 index = 0; index < bytes / 4; ++index) {
    Float32 number;
    memcpy(&number, &room[index], 4);
    if (kind == 'f') put(" %.5f", fabs(number) < 5e-6 ? 0 : number);
    if (kind == 'd') put(" %d", (int)room[index]);
    if (kind == 'x') put(" %x", (unsigned)room[index]);
  }
  return 1;
}

// The layout of a tag with its channels spelt out.
static int spelt(UInt32 tag, Layout *into) {
  UInt32 bytes = sizeof *into;
  return AudioFormatGetProperty(kAudioFormatProperty_ChannelLayoutForTag, 4, &tag, &bytes, into) == noErr;
}

static UInt32 layout_size(const Layout *layout) {
  return (UInt32)(offsetof(AudioChannelLayout, mChannelDescriptions) + layout->layout.mNumberChannelDescriptions * sizeof(AudioChannelDescription));
}

static void describe(UInt32 tag) {
  Layout layout;
  if (!spelt(tag, &layout)) return;
  put("tag %x:", (unsigned)tag);
  for (UInt32 index = 0; index < layout.layout.mNumberChannelDescriptions; ++index) put(" %u", (unsigned)layout.layout.mChannelDescriptions[index].mChannelLabel);
  say(kAudioFormatProperty_ChannelLayoutName, layout_size(&layout), &layout, 't');
  say(kAudioFormatProperty_ChannelLayoutSimpleName, layout_size(&layout), &layout, 't');
  say(kAudioFormatProperty_TagForChannelLayout, layout_size(&layout), &layout, 'x');
  say(kAudioFormatProperty_BitmapForLayoutTag, 4, &tag, 'x');
  say(kAudioFormatProperty_ChannelLayoutHash, layout_size(&layout), &layout, 'x');
  say(kAudioFormatProperty_NumberOfChannelsForLayout, layout_size(&layout), &layout, 'd');
  const Layout plain = {.layout = {.mChannelLayoutTag = tag}};
  say(kAudioFormatProperty_NumberOfChannelsForLayout, sizeof(AudioChannelLayout), &plain, 'd');
  say(kAudioFormatProperty_ValidateChannelLayout, sizeof(AudioChannelLayout), &plain, 'x');
  put("\n"), flush(NULL, 0);
}

static void mix(UInt32 from, UInt32 to) {
  Layout first, second;
  if (!spelt(from, &first) || !spelt(to, &second)) return;
  const void *pair[2] = {&first, &second};
  put("%x into %x:", (unsigned)from, (unsigned)to);
  say(kAudioFormatProperty_ChannelMap, sizeof pair, pair, 'd');
  put(";");
  say(kAudioFormatProperty_MatrixMixMap, sizeof pair, pair, 'f');
  put(";");
  say(kAudioFormatProperty_AreChannelLayoutsEquivalent, sizeof pair, pair, 'd');
  put("\n");
}

static void pan(const Layout *layout, UInt32 mode, UInt32 flags, Float32 x, Float32 y, Float32 scale) {
  const AudioPanningInfo info = {mode, flags, {x, y, 0.5f}, scale, &layout->layout};
  put("pan %u %u %g %g %g:", (unsigned)mode, (unsigned)flags, x, y, scale);
  say(kAudioFormatProperty_PanningMatrix, sizeof info, &info, 'f');
  put("\n");
}

static void balance(const Layout *layout, Float32 across, Float32 along, UInt32 type) {
  const AudioBalanceFade place = {across, along, type, &layout->layout};
  put("balance %g %g %u:", across, along, (unsigned)type);
  say(kAudioFormatProperty_BalanceFade, sizeof place, &place, 'f');
  put("\n");
}

// A layout that the host lists itself.
static Layout listed(const UInt32 *labels, UInt32 count) {
  Layout layout = {.layout = {.mChannelLayoutTag = kAudioChannelLayoutTag_UseChannelDescriptions, .mNumberChannelDescriptions = count}};
  for (UInt32 index = 0; index < count; ++index) {
    const AudioChannelDescription channel = {.mChannelLabel = labels[index]};
    memcpy(layout.bytes + offsetof(AudioChannelLayout, mChannelDescriptions) + index * sizeof channel, &channel, sizeof channel);
  }
  return layout;
}

void speakers(void) {
  UInt32 tags[300], found = 0;
  for (UInt32 number = 0; number < 256; ++number) {
    for (UInt32 channels = 0; channels < 3; ++channels) {
      const Layout plain = {.layout = {.mChannelLayoutTag = number << 16 | channels}};
      say(kAudioFormatProperty_NumberOfChannelsForLayout, sizeof(AudioChannelLayout), &plain, 'd');
    }
  }
  put("\n"), flush(NULL, 0);
  for (UInt32 number = 0; number < 256; ++number) {
    for (UInt32 channels = 0; channels <= 24; ++channels) {
      Layout layout;
      if (!spelt(number << 16 | channels, &layout)) continue;
      describe(number << 16 | channels);
      // Three of those with any number of channels represent all.
      if (found < 300 && channels <= 9 && (number < 140 || channels == 4)) tags[found++] = number << 16 | channels;
    }
  }
  for (UInt32 channels = 0; channels <= 24; ++channels) {
    put("%u channels:", (unsigned)channels);
    say(kAudioFormatProperty_TagsForNumberOfChannels, 4, &channels, 'x');
    put("\n"), flush(NULL, 0);
  }
  for (UInt32 high = 0; high <= 4; ++high) {
    for (UInt32 low = 0; low < 430; ++low) {
      const UInt32 label = high << 16 | low;
      UInt32 bytes = 8;
      CFStringRef name;
      if (AudioFormatGetProperty(kAudioFormatProperty_ChannelName, 4, &label, &bytes, &name) != noErr) continue;
      CFRelease(name);
      if (low > 45 && high > 0) continue;
      put("label %x:", (unsigned)label);
      say(kAudioFormatProperty_ChannelName, 4, &label, 't');
      say(kAudioFormatProperty_ChannelShortName, 4, &label, 't');
      put("\n"), flush(NULL, 0);
    }
  }
  for (UInt32 bit = 0; bit < 32; ++bit) {
    const UInt32 bitmaps[3] = {1u << bit, 3u << bit, 0x60Fu ^ 1u << bit};
    for (int which = 0; which < 3; ++which) {
      put("bitmap %x:", (unsigned)bitmaps[which]);
      say(kAudioFormatProperty_ChannelLayoutForBitmap, 4, &bitmaps[which], 'x');
      put("\n"), flush(NULL, 0);
    }
  }
  for (UInt32 first = 0; first < found; ++first) {
    for (UInt32 second = 0; second < found; ++second) mix(tags[first], tags[second]);
    flush("mixes of", tags[first]);
  }
  // Every loudspeaker that there is into those that most have.
  const UInt32 usual[] = {kAudioChannelLayoutTag_Mono, kAudioChannelLayoutTag_Stereo, kAudioChannelLayoutTag_Quadraphonic, kAudioChannelLayoutTag_MPEG_5_1_A, kAudioChannelLayoutTag_MPEG_7_1_C};
  for (UInt32 label = 1; label < 430; ++label) {
    const Layout one = listed(&label, 1);
    for (size_t which = 0; which < sizeof usual / sizeof usual[0]; ++which) {
      Layout other;
      if (!spelt(usual[which], &other)) continue;
      const void *there[2] = {&one, &other}, *back[2] = {&other, &one};
      put("channel %u and %x:", (unsigned)label, (unsigned)usual[which]);
      say(kAudioFormatProperty_MatrixMixMap, sizeof there, there, 'f');
      put(";");
      say(kAudioFormatProperty_MatrixMixMap, sizeof back, back, 'f');
      put("\n");
    }
    balance(&one, 0.25f, -0.5f, 0);
    balance(&one, -0.75f, 0.125f, 1);
    flush("channel", label);
  }
  const UInt32 all[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16, 18, 33, 34, 35, 36};
  const UInt32 arcs[][3] = {{1, 2, 0}, {5, 6, 2}, {3, 9, 1}, {16, 18, 3}, {33, 34, 17}, {10, 11, 3}};
  for (int which = -1; which < (int)(sizeof arcs / sizeof arcs[0]); ++which) {
    const Layout layout = which < 0 ? listed(all, sizeof all / 4) : listed(arcs[which], arcs[which][2] == 0 ? 2 : 3);
    printf("loudspeakers %d\n", which);
    for (UInt32 mode = 2; mode <= 5; ++mode) {
      for (Float32 degrees = -380; degrees <= 380; degrees += mode == 4 && which >= 0 ? 9.5f : 38) pan(&layout, mode, 0, degrees, 0, 1);
      pan(&layout, mode, 1, 1, 0, 0.5f), pan(&layout, mode, 1, 0.3f, -0.7f, 2), pan(&layout, mode, 1, 0, 0, 1), pan(&layout, mode, 1, NAN, 0, 1), pan(&layout, mode, 0, 10, 0, INFINITY);
      flush("panning", mode);
    }
    for (Float32 across = -1.25f; across <= 1.25f; across += 0.25f) balance(&layout, across, 0.5f, 0), balance(&layout, across, -0.25f, 1), balance(&layout, 0, across, 1), balance(&layout, 0.125f, across, 2);
    flush("balance", 0);
  }
  for (UInt32 tag = 99; tag <= 102; ++tag) pan(&(Layout){.layout = {.mChannelLayoutTag = tag << 16 | 2}}, 4, 0, 10, 0, 1);
  flush(NULL, 0);
}
