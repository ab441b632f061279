// Markers and regions of files: lists are drawn, set, and read again from the closed file, beside what was set; of WAVE files the
// positions are compared with the bytes of the cue chunk too.
#include "drawn.h"

enum { most_points = 6, frames = 500 };
typedef struct Point {
  SInt64 position, length;
  char name[16];
} Point;
typedef struct Points {
  UInt32 count;
  Point list[most_points];
} Points;

// Points at rising places, with and without names.
static Points drawn_points(UInt32 most, int are_regions) {
  Points points = {.count = draw(most + 1)};
  for (UInt32 at = 0; at < points.count; ++at) {
    Point *point = &points.list[at];
    point->position = 80 * at + draw(80);
    point->length = are_regions ? 1 + draw(frames - 80 * at - 79) : 0;
    if (!once_in(3)) snprintf(point->name, sizeof point->name, once_in(2) ? "Nr. %u" : "Größe %u", (unsigned)draw(1000));
  }
  return points;
}

static AudioFileMarker marker_at(SInt64 position, const char *name) {
  AudioFileMarker marker = {0};
  marker.mFramePosition = (Float64)position;
  marker.mName = name ? text_of(name) : NULL;
  return marker;
}

static OSStatus set_points(AudioFileID file, const Points *points, int are_regions) {
  static char room[4096];
  memset(room, 0, sizeof room);
  memcpy(room + 4, &points->count, 4);
  size_t end = offsetof(AudioFileMarkerList, mMarkers);
  for (UInt32 at = 0; at < points->count; ++at) {
    const Point *point = &points->list[at];
    if (are_regions) {
      AudioFileRegion region = {.mRegionID = at, .mName = text_of(point->name), .mFlags = kAudioFileRegionFlag_PlayForward, .mNumberMarkers = 2};
      memcpy(room + end, &region, offsetof(AudioFileRegion, mMarkers));
      end += offsetof(AudioFileRegion, mMarkers);
    }
    for (int side = 0; side <= are_regions; ++side) {
      AudioFileMarker marker = marker_at(point->position + side * point->length, are_regions ? NULL : point->name);
      memcpy(room + end, &marker, sizeof marker);
      end += sizeof marker;
    }
  }
  // A list may not be cut off.
  const UInt32 property = are_regions ? kAudioFilePropertyRegionList : kAudioFilePropertyMarkerList;
  if (points->count > 0 && AudioFileSetProperty(file, property, (UInt32)end - 1, room) != kAudioFileBadPropertySizeError) return -1;
  return AudioFileSetProperty(file, property, (UInt32)end, room);
}

static int has_name(CFStringRef name, const char *expected) {
  char text[64] = "null";
  if (name) CFStringGetCString(name, text, sizeof text, utf8), CFRelease(name);
  return strcmp(text, expected) == 0;
}

// True where a file has these points or regions.
static int has_points(AudioFileID file, const Points *points, int are_regions) {
  static char room[4096];
  const UInt32 property = are_regions ? kAudioFilePropertyRegionList : kAudioFilePropertyMarkerList;
  UInt32 size = 0, count = 0;
  if (AudioFileGetPropertyInfo(file, property, &size, NULL) != noErr || size > sizeof room) return 0;
  if (AudioFileGetProperty(file, property, &size, room) != noErr) return 0;
  memcpy(&count, room + 4, 4);
  int same = count == points->count;
  if (are_regions) {
    const AudioFileRegion *region = ((AudioFileRegionList *)room)->mRegions;
    for (UInt32 at = 0; same && at < count; ++at, region = NextAudioFileRegion(region)) {
      const Point *point = &points->list[at];
      same = region->mNumberMarkers == 2 && has_name(region->mName, point->name) && region->mMarkers[0].mFramePosition == (Float64)point->position &&
             region->mMarkers[1].mFramePosition == (Float64)(point->position + point->length) && region->mRegionID == at + 1;
    }
    return same && (char *)region - room == (long)size;
  }
  const AudioFileMarker *marker = ((AudioFileMarkerList *)room)->mMarkers;
  for (UInt32 at = 0; same && at < count; ++at) {
    const Point *point = &points->list[at];
    same = marker[at].mFramePosition == (Float64)point->position && has_name(marker[at].mName, point->name) && marker[at].mMarkerID == (SInt32)at + 1;
  }
  return same && size == NumAudioFileMarkersToNumBytes(count);
}

// True where each position stands once in the cue chunk of a WAVE file.
static int has_cues(const char *path, const Points *points, const Points *regions) {
  static unsigned char whole[16384];
  FILE *file = fopen(path, "rb");
  const size_t bytes = file ? fread(whole, 1, sizeof whole, file) : 0;
  if (file) fclose(file);
  for (size_t at = 12; at + 12 <= bytes;) {
    UInt32 size, count, position;
    memcpy(&size, whole + at + 4, 4), memcpy(&count, whole + at + 8, 4);
    if (memcmp(whole + at, "cue ", 4) == 0) {
      SInt64 difference = 0;
      for (UInt32 cue = 0; cue < count && at + 36 + 24 * cue <= bytes; ++cue) memcpy(&position, whole + at + 12 + 24 * cue + 20, 4), difference += position;
      for (UInt32 point = 0; point < points->count; ++point) difference -= points->list[point].position;
      for (UInt32 region = 0; region < regions->count; ++region) difference -= regions->list[region].position;
      return count == points->count + regions->count && difference == 0;
    }
    at += 8 + size + size % 2;
  }
  return points->count + regions->count == 0;
}

static void one(UInt32 seed) {
  draw_from(seed);
  const char *types[] = {"WAVE", "AIFF", "caff", "RF64", "BW64", "AIFC"}, *type = types[draw(6)];
  const int is_aiff = type[0] == 'A', begins = once_in(2);
  const char *path = temporary("markers"), *wrong = NULL;
  CFURLRef url = url_of(path);
  AudioFileID file = NULL;
  need(AudioFileCreateWithURL(url, four(type), &(AudioStreamBasicDescription){48000, kAudioFormatLinearPCM, kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked | (is_aiff ? kAudioFormatFlagIsBigEndian : 0), 2, 1, 2, 1, 16, 0}, kAudioFileFlags_EraseFile, &file), "create");
  UInt16 sound[frames], back[frames] = {0};
  for (UInt32 at = 0; at < frames; ++at) sound[at] = (UInt16)noise(at + seed);
  UInt32 packets = frames, size = sizeof back;
  const Points older = drawn_points(most_points, 0), points = drawn_points(most_points, 0), regions = drawn_points(most_points - 1, 1);
  const Points none = {0}, *kept = is_aiff ? &none : &regions;
  if (begins) need(AudioFileWritePackets(file, false, sizeof sound, NULL, 0, &packets, sound), "write");
  for (int step = 0; step < 3; ++step) {
    // Regions between two lists of points, of which the second takes the place of the first.
    const OSStatus status = step == 1 ? set_points(file, &regions, 1) : set_points(file, step == 0 ? &older : &points, 0);
    const OSStatus expected = step == 1 && is_aiff && regions.count > 0 ? kAudioFileOperationNotSupportedError : noErr;
    if (status != expected) wrong = "the status of a list";
  }
  packets = frames;
  if (!begins) need(AudioFileWritePackets(file, false, sizeof sound, NULL, 0, &packets, sound), "write");
  need(AudioFileClose(file), "close");
  if (strcmp(type, "WAVE") == 0 && !has_cues(path, &points, kept)) wrong = "the cue chunk";
  need(AudioFileOpenURL(url, kAudioFileReadPermission, 0, &file), "open");
  if (!has_points(file, &points, 0)) wrong = "the markers";
  if (!has_points(file, kept, 1)) wrong = "the regions";
  packets = frames;
  if (AudioFileReadPacketData(file, false, &size, NULL, 0, &packets, back) != noErr || memcmp(sound, back, sizeof back) != 0) wrong = "the sound";
  if (set_points(file, &points, 0) == noErr) wrong = "a file that is read";
  AudioFileClose(file);
  CFRelease(url);
  remove(path);
  printf("seed %u: %s, %u points, %u regions: %s\n", (unsigned)seed, type, (unsigned)points.count, (unsigned)kept->count, wrong ? wrong : "ok");
}

void file_markers(void) { for_seeds(24, one); }
