// SPDX-License-Identifier: Apache-2.0
#include "seda/base/page_cache.h"

#include <algorithm>
#include <cerrno>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "seda/base/error.h"
#include "seda/base/file.h"
#include "seda/base/file_descriptor.h"
#include "seda/base/mapped_file.h"

namespace seda {

void drop_page_cache(const std::filesystem::path& path) {
  struct stat status{};
  const FileDescriptor file = open_regular_file(path, status);
  sync_file(file.get(), path);
  const int code = posix_fadvise(file.get(), 0, 0, POSIX_FADV_DONTNEED);
  if (code != 0) throw_errno("cannot drop cached pages of", path.native(), code);
}

double resident_share(const std::filesystem::path& path) {
  const MappedFile file(path);
  if (file.size() == 0) return 0;
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  std::vector<unsigned char> pages((file.size() + page - 1) / page);
  void* address = const_cast<std::byte*>(file.bytes().data());
  if (mincore(address, file.size(), pages.data()) != 0)
    throw_errno("cannot examine cached pages of", path.native(), errno);
  const auto resident = std::ranges::count_if(pages, [](unsigned char p) { return (p & 1) != 0; });
  return static_cast<double>(resident) / static_cast<double>(pages.size());
}

}  // namespace seda
