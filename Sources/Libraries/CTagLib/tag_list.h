// The type behind `tag_list`, and declarations that its functions share.
#ifndef TAG_LIST_H
#define TAG_LIST_H

#include <taglib/flacpicture.h>
#include <taglib/tpropertymap.h>

#include <cerrno>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "CTagLib.h"

struct tag_list {
  struct Picture {
    std::string mime, description, data;
    int32_t kind, width, height, depth;
  };
  std::vector<std::pair<std::string, std::string>> texts;
  std::vector<Picture> pictures;
  TagLib::ByteVector rendered;

  void add(const TagLib::PropertyMap &properties);
  void add(const TagLib::FLAC::Picture &picture);
  /// The texts, in place of those of the same names in `properties`.
  void put(TagLib::PropertyMap &properties) const;
};

inline std::string text_of(tag_bytes bytes) {
  return bytes.count == 0 ? std::string() : std::string(static_cast<const char *>(bytes.start), bytes.count);
}

inline TagLib::ByteVector vector_of(tag_bytes bytes) {
  return TagLib::ByteVector(static_cast<const char *>(bytes.start), static_cast<unsigned int>(bytes.count));
}

inline TagLib::ByteVector vector_of(const std::string &bytes) {
  return TagLib::ByteVector(bytes.data(), static_cast<unsigned int>(bytes.size()));
}

inline TagLib::String string_of(const std::string &text) { return TagLib::String(text, TagLib::String::UTF8); }

/// TagLib fills tables of its own when it first needs them, without a lock: two threads at once could end the process.
inline std::mutex taglib_calls;

/// No exception runs through the frames of another language.
template <typename Body>
int32_t guarded(Body body) {
  const std::lock_guard<std::mutex> lock(taglib_calls);
  try {
    return body();
  } catch (const std::bad_alloc &) {
    return ENOMEM;
  } catch (...) {
    return EILSEQ;
  }
}

#endif
