// SPDX-License-Identifier: Apache-2.0
#include "seda/base/file_lock.h"

#include <array>
#include <cerrno>

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "seda/base/clock.h"
#include "seda/base/error.h"
#include "seda/base/file.h"
#include "seda/base/json_object.h"

namespace seda {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kMostRecordBytes = 4096;

LockHolder this_process() {
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  return {.pid = getpid(), .host = host.data(), .since = utc_now()};
}

void write_record(int descriptor, const fs::path& path) {
  const LockHolder self = this_process();
  const Json record = {{"pid", self.pid}, {"host", self.host}, {"since", self.since}};
  if (ftruncate(descriptor, 0) != 0) throw_errno("cannot write", path.native(), errno);
  write_all(descriptor, to_json_text(record, -1) + "\n", path);
}

struct flock whole_file() {
  struct flock range{};
  range.l_type = F_WRLCK;
  range.l_whence = SEEK_SET;
  return range;
}

/// False when held elsewhere. The lock belongs to the open file, not to the process, so two holders
/// in one process are told apart.
bool take(int descriptor, const fs::path& path) {
  struct flock range = whole_file();
  if (fcntl(descriptor, F_OFD_SETLK, &range) == 0) return true;
  if (errno == EAGAIN || errno == EACCES) return false;
  throw_errno("cannot lock", path.native(), errno);
}

bool is_held(const fs::path& path) {
  const FileDescriptor file = open_file(path, O_RDONLY);
  struct flock range = whole_file();
  return fcntl(file.get(), F_OFD_GETLK, &range) == 0 && range.l_type != F_UNLCK;
}

/// Locked and signed, or not open.
FileDescriptor lock_file(const fs::path& path) {
  FileDescriptor file = open_file(path, O_RDWR | O_CREAT, 0666);
  if (!take(file.get(), path)) return {};
  write_record(file.get(), path);
  return file;
}

FileDescriptor lock_or_throw(const fs::path& path) {
  FileDescriptor file = lock_file(path);
  if (file) return file;
  const auto holder = FileLock::holder(path);
  throw LockHeld(
      ErrorKind::unavailable,
      fmt::format("{} is locked by {}; wait for it to end, or stop it, and run this again",
                  path.native(), holder ? describe(*holder) : "another process"));
}

}  // namespace

std::string describe(const LockHolder& holder) {
  return fmt::format("process {} on {} since {}", holder.pid, holder.host, holder.since);
}

FileLock::FileLock(const fs::path& path) : file_(lock_or_throw(path)) {}

FileLock::~FileLock() {
  if (!file_) return;
  [[maybe_unused]] const int ignored = ftruncate(file_.get(), 0);
}

std::optional<FileLock> FileLock::try_lock(const fs::path& path) {
  FileDescriptor file = lock_file(path);
  if (!file) return std::nullopt;
  return FileLock(std::move(file));
}

bool FileLock::is_at(const fs::path& path) const {
  struct stat own{};
  struct stat there{};
  return ::fstat(file_.get(), &own) == 0 && ::stat(path.c_str(), &there) == 0 &&
         own.st_dev == there.st_dev && own.st_ino == there.st_ino;
}

std::optional<LockHolder> FileLock::holder(const fs::path& path) {
  try {
    if (!is_held(path)) return std::nullopt;
    const Json content = parse_json(read_file(path, kMostRecordBytes), path.native());
    const JsonObject record(content, "holder");
    return LockHolder{.pid = record.get<int>("pid"),
                      .host = record.get<std::string>("host"),
                      .since = record.get<std::string>("since")};
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace seda
