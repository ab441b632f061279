// An open file as TagLib reads and writes it. It needs no name, and keeps the number of the first error, which TagLib's
// own stream does not tell.
#ifndef DESCRIPTOR_STREAM_H
#define DESCRIPTOR_STREAM_H

#include <taglib/tiostream.h>

#include <cstdint>

class DescriptorStream : public TagLib::IOStream {
 public:
  /// The descriptor stays open.
  explicit DescriptorStream(int descriptor);

  /// The errno of the first call that failed, 0 while all is well. From then on nothing is written.
  int failure() const { return failure_; }

  TagLib::FileName name() const override { return ""; }
  TagLib::ByteVector readBlock(unsigned long count) override;
  void writeBlock(const TagLib::ByteVector &data) override;
  void insert(const TagLib::ByteVector &data, unsigned long start = 0, unsigned long replaced = 0) override;
  void removeBlock(unsigned long start = 0, unsigned long count = 0) override;
  bool readOnly() const override { return false; }
  bool isOpen() const override { return true; }
  void seek(long offset, Position from = Beginning) override;
  long tell() const override { return static_cast<long>(position_); }
  long length() override;
  void truncate(long length) override;

  /// Puts bytes in place of `replaced` bytes from `start` on; what lies behind them moves.
  void splice(const char *bytes, int64_t count, int64_t start, int64_t replaced);

 private:
  int64_t read(char *bytes, int64_t count, int64_t offset);
  bool write(const char *bytes, int64_t count, int64_t offset);
  bool move(int64_t from, int64_t to, int64_t count);

  const int descriptor_;
  int64_t position_ = 0;
  int failure_ = 0;
};

#endif
