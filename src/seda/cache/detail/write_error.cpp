// SPDX-License-Identifier: Apache-2.0
#include "seda/cache/detail/write_error.h"

#include <cerrno>
#include <cstdio>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "seda/base/error.h"
#include "seda/base/file.h"
#include "seda/base/units.h"

namespace seda::cache::detail {
namespace {

namespace fs = std::filesystem;

std::string space_text(const fs::path& path, uint64_t needed_bytes) {
  std::error_code error;
  const fs::space_info space = fs::space(folder_of(path), error);
  const std::string needed = needed_bytes > 0 ? format_bytes(needed_bytes) + " more needed" : "";
  if (error) return needed.empty() ? "" : fmt::format(" ({})", needed);
  return fmt::format(" ({}{}{} free there)", needed, needed.empty() ? "" : ", ",
                     format_bytes(space.available));
}

std::string_view advice_for(int code) {
  switch (code) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return "free some space, or choose another folder with --cache-dir";
    case EACCES:
    case EPERM:
    case EROFS:
      return "make the folder writable, or choose another with --cache-dir";
    case ENOENT:
    case ENOTDIR:
      return "the folder was removed or replaced meanwhile; run this again";
    default:
      return "check the disk, or choose another folder with --cache-dir";
  }
}

}  // namespace

void throw_write_error(const fs::path& path, int code, uint64_t needed_bytes) {
  const bool space = code == ENOSPC || code == EDQUOT || code == EFBIG;
  throw_error(ErrorKind::io, "cannot write {}: {}{}; {}. What was sealed before is whole",
              path.native(), std::generic_category().message(code),
              space ? space_text(path, needed_bytes) : "", advice_for(code));
}

FileDescriptor open_for_writing(const fs::path& path) {
  for (;;) {
    FileDescriptor file(
        open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666));
    if (file) return file;
    if (errno != EINTR) throw_write_error(path, errno);
  }
}

void write_or_explain(int descriptor, std::span<const std::byte> bytes, const fs::path& path) {
  while (!bytes.empty()) {
    const ssize_t written = write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw_write_error(path, errno, bytes.size());
    bytes = bytes.subspan(static_cast<size_t>(written));
  }
}

void sync_or_explain(int descriptor, const fs::path& path) {
  while (fsync(descriptor) != 0) {
    if (errno == EINTR) continue;
    if (errno == EINVAL || errno == ENOTSUP) return;  // a file system that has nothing to sync
    throw_write_error(path, errno);
  }
}

void rename_or_explain(const fs::path& from, const fs::path& to) {
  if (rename(from.c_str(), to.c_str()) != 0) throw_write_error(to, errno);
}

RemovedUnlessKept::~RemovedUnlessKept() {
  if (!path_.empty()) unlink(path_.c_str());
}

}  // namespace seda::cache::detail
