// SPDX-License-Identifier: Apache-2.0
#include "seda/config/detail/bytes.h"

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "seda/base/error.h"
#include "seda/base/utf8.h"
#include "seda/config/detail/lines.h"

namespace seda::config::detail {
namespace {

constexpr std::string_view kBom = "\xef\xbb\xbf";

class FileDescriptor {
 public:
  explicit FileDescriptor(const std::filesystem::path& file)
      // Without O_NONBLOCK, opening a pipe waits for a writer.
      : descriptor_(open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {}
  ~FileDescriptor() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;

  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

[[noreturn]] void refuse_file(const std::filesystem::path& file, std::string_view reason) {
  throw_error(ErrorKind::config, "{}: expected a YAML file, {}; name another with --config",
              file.string(), reason);
}

[[noreturn]] void refuse_errno(const std::filesystem::path& file, int code) {
  refuse_file(file,
              fmt::format("but it cannot be read: {}", std::generic_category().message(code)));
}

void require_regular(const std::filesystem::path& file, int descriptor) {
  struct stat status{};
  if (fstat(descriptor, &status) != 0) refuse_errno(file, errno);
  if (S_ISDIR(status.st_mode)) refuse_file(file, "found a folder");
  if (S_ISFIFO(status.st_mode)) refuse_file(file, "found a pipe");
  if (!S_ISREG(status.st_mode)) refuse_file(file, "found a device or socket");
}

[[noreturn]] void refuse_byte(std::string_view bytes, size_t at, const std::string& name,
                              std::string_view message) {
  const size_t start = bom_length(bytes);
  const std::string_view text = bytes.substr(start);
  const Place place = place_of(text, Lines(text), at - start, name);
  throw_error(ErrorKind::config, "{}: {}", place.text(), message);
}

void check_encoding(std::string_view bytes, const std::string& name) {
  const std::string_view head = bytes.substr(0, 2);
  if (head == "\xff\xfe" || head == "\xfe\xff") {
    throw_error(ErrorKind::config, "{}: expected UTF-8, found UTF-16; save the file as UTF-8",
                name);
  }
  for (size_t at = 0; at < bytes.size();) {
    const size_t length = utf8_length(bytes, at);
    if (length == 0) {
      refuse_byte(bytes, at, name,
                  fmt::format("expected UTF-8, found the byte 0x{:02x}; save the file as UTF-8",
                              static_cast<unsigned char>(bytes[at])));
    }
    at += length;
  }
}

void check_controls(std::string_view bytes, const std::string& name) {
  for (size_t at = 0; at < bytes.size(); ++at) {
    const auto byte = static_cast<unsigned char>(bytes[at]);
    if (byte == 0)
      refuse_byte(bytes, at, name, "expected text, found a NUL byte; is it UTF-16 or binary?");
    if (byte == '\r' && bytes.substr(at + 1, 1) != "\n")
      refuse_byte(bytes, at, name, "found a carriage return alone; end lines with a line feed");
    const bool control = byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r';
    if (control || byte == 0x7f) {
      refuse_byte(bytes, at, name,
                  fmt::format("found the control character 0x{:02x}; remove it", byte));
    }
  }
}

void check_tabs(std::string_view bytes, const std::string& name) {
  size_t begin = bom_length(bytes);
  while (begin < bytes.size()) {
    const size_t word = std::min(bytes.find_first_not_of(" \t", begin), bytes.size());
    const size_t tab = bytes.substr(0, word).find('\t', begin);
    if (tab != std::string_view::npos)
      refuse_byte(bytes, tab, name, "found a tab before the first word; YAML indents with spaces");
    const size_t end = bytes.find('\n', word);
    begin = end == std::string_view::npos ? bytes.size() : end + 1;
  }
}

}  // namespace

std::string read_bytes(const std::filesystem::path& file) {
  const FileDescriptor descriptor(file);
  if (descriptor.get() < 0) refuse_errno(file, errno);
  require_regular(file, descriptor.get());
  std::string bytes(kLargestFile + 1, '\0');
  size_t size = 0;
  while (size < bytes.size()) {
    const ssize_t count = read(descriptor.get(), bytes.data() + size, bytes.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) refuse_errno(file, errno);
    if (count == 0) break;
    size += static_cast<size_t>(count);
  }
  bytes.resize(size);
  return bytes;
}

size_t bom_length(std::string_view bytes) {
  return bytes.starts_with(kBom) ? kBom.size() : 0;
}

void check_bytes(std::string_view bytes, const std::string& name) {
  if (bytes.size() > kLargestFile) {
    throw_error(ErrorKind::config, "{}: expected a configuration of at most 1 MiB, found more",
                name);
  }
  check_encoding(bytes, name);
  check_controls(bytes, name);
  check_tabs(bytes, name);
}

}  // namespace seda::config::detail
