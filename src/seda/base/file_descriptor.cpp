// SPDX-License-Identifier: Apache-2.0
#include "seda/base/file_descriptor.h"

#include <cerrno>
#include <string_view>

#include <fcntl.h>
#include <unistd.h>

#include "seda/base/error.h"

namespace seda {
namespace {

std::string_view kind_of_file(mode_t mode) {
  if (S_ISDIR(mode)) return "folder";
  if (S_ISFIFO(mode)) return "pipe";
  if (S_ISSOCK(mode)) return "socket";
  return "device";
}

}  // namespace

void FileDescriptor::reset() noexcept {
  if (number_ >= 0) close(std::exchange(number_, -1));
}

FileDescriptor open_file(const std::filesystem::path& path, int flags, mode_t mode) {
  int number = -1;
  do {
    number = open(path.c_str(), flags | O_CLOEXEC, mode);
  } while (number < 0 && errno == EINTR);
  if (number < 0) throw_errno("cannot open", path.native(), errno);
  return FileDescriptor(number);
}

FileDescriptor open_regular_file(const std::filesystem::path& path, struct stat& status) {
  FileDescriptor file = open_file(path, O_RDONLY | O_NONBLOCK);
  if (fstat(file.get(), &status) != 0) throw_errno("cannot examine", path.native(), errno);
  if (!S_ISREG(status.st_mode)) {
    throw_error(ErrorKind::io, "cannot read {}: expected a regular file, found a {}", path.native(),
                kind_of_file(status.st_mode));
  }
  return file;
}

}  // namespace seda
