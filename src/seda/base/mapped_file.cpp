// SPDX-License-Identifier: Apache-2.0
#include "seda/base/mapped_file.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include <sys/mman.h>
#include <unistd.h>

#include "seda/base/error.h"
#include "seda/base/file_descriptor.h"

namespace seda {
namespace {

int to_advice(Access access) {
  switch (access) {
    case Access::normal:
      return MADV_NORMAL;
    case Access::sequential:
      return MADV_SEQUENTIAL;
    case Access::random:
      return MADV_RANDOM;
    case Access::soon:
      return MADV_WILLNEED;
  }
  return MADV_NORMAL;
}

/// madvise takes pointers to bytes it will not write as void*.
void* address_of(std::span<const std::byte> bytes) {
  return const_cast<std::byte*>(bytes.data());
}

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path) {
  struct stat status{};
  const FileDescriptor file = open_regular_file(path, status);
  const auto size = static_cast<size_t>(status.st_size);
  if (size == 0) return;  // the system refuses to map nothing
  void* address = mmap(nullptr, size, PROT_READ, MAP_SHARED, file.get(), 0);
  if (address == MAP_FAILED) throw_errno("cannot map", path.native(), errno);
  bytes_ = {static_cast<const std::byte*>(address), size};
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) munmap(address_of(bytes_), bytes_.size());
}

MappedFile::MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  return *this;
}

void MappedFile::advise(Access access, uint64_t offset, uint64_t length) const noexcept {
  if (offset >= bytes_.size()) return;
  const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  const uint64_t first = offset / page * page;
  const uint64_t last = offset + std::min<uint64_t>(length, bytes_.size() - offset);
  madvise(address_of(bytes_.subspan(first)), last - first, to_advice(access));
}

}  // namespace seda
