// SPDX-License-Identifier: Apache-2.0
#include "seda/cache/detail/part_source.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

namespace seda::cache::detail {

PartSource::PartSource(const std::filesystem::path& path, bool map) {
  if (map) {
    map_ = MappedFile(path);
    size_ = map_.size();
    return;
  }
  struct stat status{};
  file_ = open_regular_file(path, status);
  size_ = static_cast<uint64_t>(status.st_size);
}

bool PartSource::read(uint64_t offset, std::span<std::byte> target) const {
  if (offset > size_ || target.size() > size_ - offset) return false;
  if (is_mapped()) {
    if (!target.empty()) std::memcpy(target.data(), map_.bytes().data() + offset, target.size());
    return true;
  }
  while (!target.empty()) {
    const ssize_t got =
        pread(file_.get(), target.data(), target.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    offset += static_cast<uint64_t>(got);
    target = target.subspan(static_cast<size_t>(got));
  }
  return true;
}

std::optional<Block> PartSource::block(uint64_t offset) const {
  Block block;
  if (!read(offset, block)) return {};
  return block;
}

void PartSource::prefetch(uint64_t offset, uint64_t size) const noexcept {
  if (is_mapped()) {
    map_.advise(Access::soon, offset, size);
  } else {
    posix_fadvise(file_.get(), static_cast<off_t>(offset), static_cast<off_t>(size),
                  POSIX_FADV_WILLNEED);
  }
}

}  // namespace seda::cache::detail
