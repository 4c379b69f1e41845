// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/detail/clip_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "seda/base/error.h"

namespace seda::audio::detail {
namespace {

/// Nothing about the file: no other would open either.
bool is_of_the_machine(int code) {
  return code == EMFILE || code == ENFILE || code == ENOMEM;
}

const char* code_of(int error) {
  switch (error) {
    case ENOENT:
    case ENOTDIR:
    case ENAMETOOLONG:
    case EINVAL:
      return "audio_missing";
    case ELOOP:
    case ENXIO:
    case ENODEV:
    case EISDIR:
      return "audio_not_a_file";
    default:
      return "audio_unreadable";
  }
}

std::string_view kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "folder";
  if (S_ISFIFO(mode)) return "pipe";
  if (S_ISSOCK(mode)) return "socket";
  return "device";
}

int open_without_waiting(const std::filesystem::path& path) {
  int number = -1;
  do {
    number = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  } while (number < 0 && errno == EINTR);
  return number;
}

}  // namespace

std::optional<Fault> ClipFile::open(const std::filesystem::path& path) {
  name_ = path.native();
  size_ = begin_ = filled_ = 0;
  error_ = 0;
  file_ = FileDescriptor(open_without_waiting(path));
  struct stat status{};
  if (!file_ || fstat(file_.get(), &status) != 0) {
    const int error = errno;
    if (is_of_the_machine(error)) throw_errno("cannot open", name_, error);
    return fault(code_of(error), fmt::format("cannot open: {}", std::strerror(error)));
  }
  if (!S_ISREG(status.st_mode)) {
    return fault("audio_not_a_file",
                 fmt::format("expected a regular file, found a {}", kind_of(status.st_mode)));
  }
  size_ = static_cast<uint64_t>(status.st_size);
  return std::nullopt;
}

std::span<const std::byte> ClipFile::bytes(uint64_t offset, size_t count) {
  if (offset >= size_) return {};
  count = static_cast<size_t>(std::min<uint64_t>(count, size_ - offset));
  const bool there = offset >= begin_ && offset + count <= begin_ + filled_;
  if (!there) fill(offset, count);
  const auto skip = static_cast<size_t>(offset - begin_);
  return std::span(buffer_).first(filled_).subspan(skip, std::min(count, filled_ - skip));
}

void ClipFile::fill(uint64_t offset, size_t count) {
  const uint64_t wanted = std::min<uint64_t>(std::max(count, window_), size_ - offset);
  if (buffer_.size() < wanted) buffer_.resize(static_cast<size_t>(wanted));
  begin_ = offset;
  filled_ = 0;
  while (filled_ < wanted) {
    const ssize_t got = pread(file_.get(), buffer_.data() + filled_, wanted - filled_,
                              static_cast<off_t>(offset + filled_));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && error_ == 0) error_ = errno;
    if (got <= 0) return;
    filled_ += static_cast<size_t>(got);
  }
}

std::optional<Fault> ClipFile::read_fault() const {
  if (error_ == 0) return std::nullopt;
  return fault("audio_unreadable", fmt::format("cannot read: {}", std::strerror(error_)));
}

}  // namespace seda::audio::detail
