// Tags of sound files by TagLib, whose interface is C++: texts and pictures as a list, parsed from and written into the
// forms that sound files have. Whoever calls finds these forms in a file; TagLib reads no file that others have made.
#ifndef CTAGLIB_H
#define CTAGLIB_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Texts by name, several of one name in order, and pictures.
typedef struct tag_list tag_list;

/// Bytes that belong to a list, as long as it is there and not changed.
typedef struct {
  const void *start;
  size_t count;
} tag_bytes;

typedef struct {
  tag_bytes mime;
  tag_bytes description;
  tag_bytes data;
  /// The kind of picture, as ID3 numbers it: 3 is the front cover.
  int32_t kind;
  /// Pixels, bits of a pixel; 0 where that is not known.
  int32_t width, height, depth;
} tag_picture;

// Functions that answer with a number: 0, or an errno. ENOMEM for want of memory, EILSEQ for what is no such tag.

tag_list *tag_make(void);
void tag_free(tag_list *list);

/// Names and texts are UTF-8.
int32_t tag_add_text(tag_list *list, tag_bytes name, tag_bytes text);
int32_t tag_add_picture(tag_list *list, tag_picture picture);
size_t tag_text_count(const tag_list *list);
tag_bytes tag_text_name(const tag_list *list, size_t index);
tag_bytes tag_text(const tag_list *list, size_t index);
size_t tag_picture_count(const tag_list *list);
tag_picture tag_picture_at(const tag_list *list, size_t index);

/// Adds what a block of Vorbis comments holds, as it stands in FLAC and, behind its first bytes, in Ogg.
int32_t tag_parse_comments(tag_list *list, tag_bytes comments);
/// Adds the picture of a FLAC block.
int32_t tag_parse_picture(tag_list *list, tag_bytes block);
/// Adds what an ID3 tag of version 2 holds. No frame of it may be compressed, or hold other frames: TagLib would take
/// as much memory, or stack, as these say.
int32_t tag_parse_id3(tag_list *list, tag_bytes tag);

/// An ID3 tag of version 2.4 with all that `old` has (an ID3 tag as in `tag_parse_id3`, or nothing) and the list
/// besides, in place of texts of the same names. It belongs to the list.
int32_t tag_render_id3(tag_list *list, tag_bytes old, tag_bytes *rendered);

enum { tag_flac, tag_vorbis, tag_opus };
/// Adds the list to a whole file of ours, in place of texts of the same names. EILSEQ, and the file as it was, where it
/// is no such file: libsndfile makes none of no sound.
int32_t tag_write(const tag_list *list, int32_t descriptor, int32_t kind);
/// Puts bytes in place of `replaced` bytes from `start` on; what lies behind them moves.
int32_t tag_splice(int32_t descriptor, int64_t start, int64_t replaced, tag_bytes bytes);

#ifdef __cplusplus
}
#endif

#endif
