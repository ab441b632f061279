#include "descriptor_stream.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

using TagLib::ByteVector;

DescriptorStream::DescriptorStream(int descriptor) : descriptor_(descriptor) {}

int64_t DescriptorStream::read(char *bytes, int64_t count, int64_t offset) {
  int64_t done = 0;
  while (done < count) {
    const ssize_t got = pread(descriptor_, bytes + done, count - done, offset + done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && failure_ == 0) failure_ = errno;
    if (got <= 0) break;
    done += got;
  }
  return done;
}

bool DescriptorStream::write(const char *bytes, int64_t count, int64_t offset) {
  int64_t done = 0;
  while (done < count && failure_ == 0) {
    const ssize_t put = pwrite(descriptor_, bytes + done, count - done, offset + done);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) failure_ = put < 0 ? errno : ENOSPC;
    done += std::max<ssize_t>(put, 0);
  }
  return failure_ == 0;
}

ByteVector DescriptorStream::readBlock(unsigned long count) {
  // No more memory than there are bytes, whatever a length in the file says.
  const int64_t left = std::max<int64_t>(0, length() - position_);
  ByteVector data(static_cast<unsigned int>(std::min<int64_t>({left, static_cast<int64_t>(count), INT32_MAX})), 0);
  if (data.isEmpty()) return data;
  const int64_t got = read(data.data(), data.size(), position_);
  data.resize(static_cast<unsigned int>(got));
  position_ += got;
  return data;
}

void DescriptorStream::writeBlock(const ByteVector &data) {
  if (data.isEmpty()) return;
  write(data.data(), data.size(), position_);
  position_ += data.size();
}

bool DescriptorStream::move(int64_t from, int64_t to, int64_t count) {
  std::vector<char> block(static_cast<size_t>(std::min<int64_t>(count, 1 << 20)));
  const int64_t size = static_cast<int64_t>(block.size());
  for (int64_t done = 0; done < count; done += size) {
    const int64_t part = std::min(size, count - done);
    // Upward from the end, downward from the beginning: nothing is written over before it is read.
    const int64_t offset = to > from ? count - done - part : done;
    if (read(block.data(), part, from + offset) != part) {
      if (failure_ == 0) failure_ = EIO;
      return false;
    }
    if (!write(block.data(), part, to + offset)) return false;
  }
  return true;
}

void DescriptorStream::splice(const char *bytes, int64_t count, int64_t start, int64_t replaced) {
  const int64_t end = length();
  start = std::min(start, end);
  replaced = std::min(replaced, end - start);
  if (count != replaced && !move(start + replaced, start + count, end - start - replaced)) return;
  if (!write(bytes, count, start)) return;
  if (count < replaced) truncate(static_cast<long>(end - replaced + count));
}

void DescriptorStream::insert(const ByteVector &data, unsigned long start, unsigned long replaced) {
  splice(data.data(), data.size(), static_cast<int64_t>(start), static_cast<int64_t>(replaced));
}

void DescriptorStream::removeBlock(unsigned long start, unsigned long count) {
  splice("", 0, static_cast<int64_t>(start), static_cast<int64_t>(count));
}

void DescriptorStream::seek(long offset, Position from) {
  const int64_t base = from == Beginning ? 0 : from == Current ? position_ : length();
  position_ = std::max<int64_t>(0, base + offset);
}

long DescriptorStream::length() {
  struct stat status;
  if (fstat(descriptor_, &status) == 0) return status.st_size;
  if (failure_ == 0) failure_ = errno;
  return 0;
}

void DescriptorStream::truncate(long length) {
  if (failure_ == 0 && ftruncate(descriptor_, length) != 0) failure_ = errno;
}
