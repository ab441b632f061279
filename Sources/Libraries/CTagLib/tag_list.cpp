#include "tag_list.h"

#include <taglib/attachedpictureframe.h>
#include <taglib/id3v2tag.h>
#include <taglib/tbytevectorstream.h>
#include <taglib/tfile.h>
#include <taglib/xiphcomment.h>

using namespace TagLib;

namespace {

tag_bytes bytes_of(const std::string &text) { return {text.data(), text.size()}; }

/// The file for reading an ID3 tag, which TagLib requires.
class TagBytes : public File {
 public:
  explicit TagBytes(IOStream *stream) : File(stream) {}
  TagLib::Tag *tag() const override { return nullptr; }
  AudioProperties *audioProperties() const override { return nullptr; }
  bool save() override { return false; }
};

}  // namespace

void tag_list::add(const PropertyMap &properties) {
  for (const auto &entry : properties) {
    for (const auto &value : entry.second) texts.emplace_back(entry.first.to8Bit(true), value.to8Bit(true));
  }
}

void tag_list::add(const FLAC::Picture &picture) {
  const ByteVector data = picture.data();
  pictures.push_back(
      {picture.mimeType().to8Bit(true), picture.description().to8Bit(true), std::string(data.data(), data.size()),
       picture.type(), picture.width(), picture.height(), picture.colorDepth()});
}

void tag_list::put(PropertyMap &properties) const {
  for (const auto &text : texts) properties.erase(string_of(text.first));
  for (const auto &text : texts) properties[string_of(text.first)].append(string_of(text.second));
}

extern "C" {

tag_list *tag_make(void) { return new (std::nothrow) tag_list; }
void tag_free(tag_list *list) { delete list; }

int32_t tag_add_text(tag_list *list, tag_bytes name, tag_bytes text) {
  return guarded([&] {
    list->texts.emplace_back(text_of(name), text_of(text));
    return 0;
  });
}

int32_t tag_add_picture(tag_list *list, tag_picture picture) {
  return guarded([&] {
    list->pictures.push_back(
        {text_of(picture.mime), text_of(picture.description), text_of(picture.data), picture.kind, picture.width,
         picture.height, picture.depth});
    return 0;
  });
}

size_t tag_text_count(const tag_list *list) { return list->texts.size(); }
tag_bytes tag_text_name(const tag_list *list, size_t index) { return bytes_of(list->texts[index].first); }
tag_bytes tag_text(const tag_list *list, size_t index) { return bytes_of(list->texts[index].second); }
size_t tag_picture_count(const tag_list *list) { return list->pictures.size(); }

tag_picture tag_picture_at(const tag_list *list, size_t index) {
  const auto &picture = list->pictures[index];
  return {
      bytes_of(picture.mime), bytes_of(picture.description), bytes_of(picture.data), picture.kind,
      picture.width, picture.height, picture.depth};
}

int32_t tag_parse_comments(tag_list *list, tag_bytes comments) {
  return guarded([&] {
    Ogg::XiphComment comment(vector_of(comments));
    list->add(comment.properties());
    for (const FLAC::Picture *picture : comment.pictureList()) list->add(*picture);
    return 0;
  });
}

int32_t tag_parse_picture(tag_list *list, tag_bytes block) {
  return guarded([&]() -> int32_t {
    FLAC::Picture picture;
    if (!picture.parse(vector_of(block))) return EILSEQ;
    list->add(picture);
    return 0;
  });
}

int32_t tag_parse_id3(tag_list *list, tag_bytes tag) {
  return guarded([&] {
    ByteVectorStream stream(vector_of(tag));
    TagBytes file(&stream);
    const ID3v2::Tag parsed(&file, 0);
    list->add(parsed.properties());
    for (const auto *frame : parsed.frameList("APIC")) {
      const auto *picture = dynamic_cast<const ID3v2::AttachedPictureFrame *>(frame);
      if (picture == nullptr) continue;
      const ByteVector data = picture->picture();
      list->pictures.push_back(
          {picture->mimeType().to8Bit(true), picture->description().to8Bit(true),
           std::string(data.data(), data.size()), picture->type(), 0, 0, 0});
    }
    return 0;
  });
}

int32_t tag_render_id3(tag_list *list, tag_bytes old, tag_bytes *rendered) {
  return guarded([&] {
    ByteVectorStream stream(vector_of(old));
    TagBytes file(&stream);
    const auto tag = old.count > 0 ? std::make_unique<ID3v2::Tag>(&file, 0) : std::make_unique<ID3v2::Tag>();
    PropertyMap properties = tag->properties();
    list->put(properties);
    tag->setProperties(properties);
    for (const auto &picture : list->pictures) {
      auto *frame = new ID3v2::AttachedPictureFrame;
      tag->addFrame(frame);
      // Latin-1 where that holds the description, as most programs write it.
      const String description = string_of(picture.description);
      frame->setTextEncoding(description.isLatin1() ? String::Latin1 : String::UTF8);
      frame->setMimeType(string_of(picture.mime));
      frame->setDescription(description);
      frame->setType(static_cast<ID3v2::AttachedPictureFrame::Type>(picture.kind));
      frame->setPicture(vector_of(picture.data));
    }
    list->rendered = tag->render(ID3v2::v4);
    *rendered = {list->rendered.data(), list->rendered.size()};
    return 0;
  });
}
}
