// SPDX-License-Identifier: Apache-2.0
#include "seda/base/atomic_file.h"

#include <atomic>
#include <cerrno>
#include <cstdio>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "seda/base/error.h"
#include "seda/base/file.h"

namespace seda {
namespace {

namespace fs = std::filesystem;

constexpr size_t kPendingBytes = size_t{256} << 10;

/// Where a chain of links ends, whether or not anything is there.
fs::path follow_links(fs::path path) {
  constexpr int kMostLinks = 40;
  const fs::path given = path;
  for (int link = 0; link < kMostLinks; ++link) {
    std::error_code error;
    const fs::path next = fs::read_symlink(path, error);
    if (error) return path;  // not a link, or nothing there
    path = next.is_absolute() ? next : path.parent_path() / next;
  }
  throw_errno("cannot write", given.native(), ELOOP);
}

/// A name that no other call in this process uses; O_EXCL settles it with other processes.
fs::path temporary_beside(const fs::path& target) {
  static std::atomic<unsigned> counter{0};
  return folder_of(target) / fmt::format(".seda-{}-{}.tmp", getpid(), counter.fetch_add(1));
}

}  // namespace

AtomicFile::AtomicFile(const fs::path& path) {
  struct stat status{};
  const bool exists = stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) throw_errno("cannot write", path.native(), EISDIR);
  if (exists && !S_ISREG(status.st_mode)) {
    target_ = path;
    file_ = open_file(path, O_WRONLY);
    return;
  }
  target_ = follow_links(path);
  open_temporary();
  if (exists) keep_identity_of_target();
}

AtomicFile::TemporaryName::~TemporaryName() {
  if (!path.empty()) unlink(path.c_str());
}

void AtomicFile::open_temporary() {
  for (;;) {
    const fs::path name = temporary_beside(target_);
    file_ = FileDescriptor(open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (file_) {
      temporary_.path = name;
      return;
    }
    if (errno != EEXIST && errno != EINTR) throw_errno("cannot write", target_.native(), errno);
  }
}

void AtomicFile::keep_identity_of_target() const {
  struct stat status{};
  if (stat(target_.c_str(), &status) != 0) return;
  // Only root may give files away; for others the new file is theirs, as it has to be.
  const bool same_owner = fchown(file_.get(), status.st_uid, status.st_gid) == 0;
  const mode_t kept = same_owner ? 07777 : 0777;  // no set-user-id bit under another user
  if (fchmod(file_.get(), status.st_mode & kept) != 0)
    throw_errno("cannot set permissions of", temporary_.path.native(), errno);
}

void AtomicFile::append(std::string_view content) {
  pending_ += content;
  if (pending_.size() >= kPendingBytes) flush();
}

void AtomicFile::flush() {
  write_all(file_.get(), pending_, target_);
  pending_.clear();
}

void AtomicFile::commit() {
  flush();
  sync_file(file_.get(), target_);
  file_.reset();
  if (temporary_.path.empty()) return;
  if (rename(temporary_.path.c_str(), target_.c_str()) != 0)
    throw_errno("cannot replace", target_.native(), errno);
  temporary_.path.clear();
  sync_folder(folder_of(target_));
}

}  // namespace seda
