#include <taglib/flacfile.h>
#include <taglib/id3v2framefactory.h>
#include <taglib/opusfile.h>
#include <taglib/vorbisfile.h>
#include <taglib/xiphcomment.h>

#include "descriptor_stream.h"
#include "tag_list.h"

using namespace TagLib;

namespace {

/// Adds texts and pictures; the pictures go into `holder`, which is a FLAC file or a comment.
template <typename Holder>
void fill(const tag_list &list, Ogg::XiphComment &comment, Holder &holder) {
  PropertyMap properties = comment.properties();
  list.put(properties);
  comment.setProperties(properties);
  for (const auto &picture : list.pictures) {
    auto *made = new FLAC::Picture;
    made->setType(static_cast<FLAC::Picture::Type>(picture.kind));
    made->setMimeType(string_of(picture.mime));
    made->setDescription(string_of(picture.description));
    made->setWidth(picture.width);
    made->setHeight(picture.height);
    made->setColorDepth(picture.depth);
    made->setData(vector_of(picture.data));
    holder.addPicture(made);
  }
}

template <typename OggFile>
int32_t write_ogg(const tag_list &list, DescriptorStream &stream) {
  OggFile file(&stream, false);
  if (!file.isValid() || file.tag() == nullptr) return EILSEQ;
  fill(list, *file.tag(), *file.tag());
  return file.save() ? 0 : EIO;
}

int32_t write_flac(const tag_list &list, DescriptorStream &stream) {
  FLAC::File file(&stream, ID3v2::FrameFactory::instance(), false);
  if (!file.isValid()) return EILSEQ;
  fill(list, *file.xiphComment(true), file);
  return file.save() ? 0 : EIO;
}

}  // namespace

extern "C" {

int32_t tag_write(const tag_list *list, int32_t descriptor, int32_t kind) {
  return guarded([&]() -> int32_t {
    DescriptorStream stream(descriptor);
    const int32_t status = kind == tag_flac     ? write_flac(*list, stream)
                           : kind == tag_vorbis ? write_ogg<Ogg::Vorbis::File>(*list, stream)
                                                : write_ogg<Ogg::Opus::File>(*list, stream);
    return stream.failure() != 0 ? stream.failure() : status;
  });
}

int32_t tag_splice(int32_t descriptor, int64_t start, int64_t replaced, tag_bytes bytes) {
  return guarded([&] {
    DescriptorStream stream(descriptor);
    stream.splice(static_cast<const char *>(bytes.start), static_cast<int64_t>(bytes.count), start, replaced);
    return stream.failure();
  });
}
}
