// SPDX-License-Identifier: Apache-2.0
#include "seda/base/file.h"

#include <algorithm>
#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include "seda/base/atomic_file.h"
#include "seda/base/error.h"
#include "seda/base/file_descriptor.h"
#include "seda/base/units.h"

namespace seda {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void throw_too_large(const fs::path& path, uint64_t limit) {
  throw_error(ErrorKind::io, "cannot read {}: expected at most {}, found more", path.native(),
              format_bytes(limit));
}

/// Bytes read, 0 at the end.
size_t read_some(int descriptor, char* target, size_t size, const fs::path& path) {
  for (;;) {
    const ssize_t got = read(descriptor, target, size);
    if (got >= 0) return static_cast<size_t>(got);
    if (errno != EINTR) throw_errno("cannot read", path.native(), errno);
  }
}

bool has_nothing_to_sync(int code) {
  return code == EINVAL || code == EROFS || code == ENOTSUP;
}

}  // namespace

std::string read_file(const fs::path& path, uint64_t size_limit) {
  struct stat status{};
  const FileDescriptor file = open_regular_file(path, status);
  const auto expected = static_cast<uint64_t>(status.st_size);
  if (expected > size_limit) throw_too_large(path, size_limit);
  std::string content;
  size_t filled = 0;
  // Files under /proc claim no size, others may grow: read until there is no more.
  for (;;) {
    if (filled == content.size()) content.resize(std::max<size_t>(expected, 2 * filled) + 4096);
    const size_t got = read_some(file.get(), &content[filled], content.size() - filled, path);
    filled += got;
    if (filled > size_limit) throw_too_large(path, size_limit);
    if (got == 0) break;
  }
  content.resize(filled);
  return content;
}

void write_file(const fs::path& path, std::string_view content) {
  AtomicFile file(path);
  file.append(content);
  file.commit();
}

void create_folders(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw_errno("cannot create folder", path.native(), error.value());
}

void sync_file(int descriptor, const fs::path& path) {
  while (fsync(descriptor) != 0) {
    if (errno == EINTR) continue;
    if (has_nothing_to_sync(errno)) return;
    throw_errno("cannot sync", path.native(), errno);
  }
}

void sync_folder(const fs::path& path) {
  sync_file(open_file(path, O_RDONLY | O_DIRECTORY).get(), path);
}

void sync_file_system(const fs::path& folder) {
  const FileDescriptor opened = open_file(folder, O_RDONLY | O_DIRECTORY);
  if (syncfs(opened.get()) != 0) throw_errno("cannot sync", folder.native(), errno);
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

void write_all(int descriptor, std::string_view content, const fs::path& path) {
  while (!content.empty()) {
    const ssize_t written = write(descriptor, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw_errno("cannot write", path.native(), errno);
    content.remove_prefix(static_cast<size_t>(written));
  }
}

}  // namespace seda
