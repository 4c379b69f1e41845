// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/wav_writer.h"

#include <bit>
#include <cerrno>
#include <cstring>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include "seda/base/error.h"
#include "seda/base/file.h"
#include "seda/base/file_descriptor.h"
#include "seda/base/units.h"

namespace seda::audio {
namespace {

static_assert(std::endian::native == std::endian::little, "wav is written as memory holds it");

constexpr size_t kHeader = 44;
constexpr size_t kMostBytes = 0xffffffff - kHeader;
constexpr uint32_t kNotKnown = 0xffffffff;
constexpr uint16_t kPcm = 1;
constexpr uint16_t kMono = 1;

template <typename T>
void put(std::string& out, T value) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  out.append(bytes, sizeof value);
}

std::string header_of(uint32_t riff_bytes, uint32_t data_bytes, uint32_t rate) {
  std::string out;
  out.reserve(kHeader);
  out += "RIFF";
  put(out, riff_bytes);
  out += "WAVEfmt ";
  put(out, uint32_t{16});
  put(out, kPcm);
  put(out, kMono);
  put(out, rate);
  put(out, static_cast<uint32_t>(rate * sizeof(int16_t)));
  put(out, static_cast<uint16_t>(sizeof(int16_t)));
  put(out, uint16_t{16});
  out += "data";
  put(out, data_bytes);
  return out;
}

void check_rate(int sample_rate) {
  if (sample_rate > 0) return;
  throw_error(ErrorKind::usage, "a wav file has a rate above 0, found {} Hz", sample_rate);
}

/// A file that is removed unless it was renamed.
class Unfinished {
 public:
  explicit Unfinished(std::filesystem::path path) : path_(std::move(path)) {}
  ~Unfinished() {
    if (!path_.empty()) unlink(path_.c_str());
  }
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;

  void rename_to(const std::filesystem::path& target) {
    if (rename(path_.c_str(), target.c_str()) != 0) {
      throw_errno("cannot create", target.native(), errno);
    }
    path_.clear();
  }

 private:
  std::filesystem::path path_;
};

}  // namespace

std::string wav_header(size_t bytes, int sample_rate) {
  check_rate(sample_rate);
  if (bytes > kMostBytes) {
    throw_error(ErrorKind::usage, "a wav file holds at most {}, found {}", format_bytes(kMostBytes),
                format_bytes(bytes));
  }
  return header_of(static_cast<uint32_t>(kHeader - 8 + bytes), static_cast<uint32_t>(bytes),
                   static_cast<uint32_t>(sample_rate));
}

std::string open_wav_header(int sample_rate) {
  check_rate(sample_rate);
  return header_of(kNotKnown, kNotKnown, static_cast<uint32_t>(sample_rate));
}

std::string wav_bytes(std::span<const int16_t> samples, int sample_rate) {
  const size_t bytes = samples.size_bytes();
  std::string out = wav_header(bytes, sample_rate);
  out.reserve(kHeader + bytes);
  out.append(reinterpret_cast<const char*>(samples.data()), bytes);
  return out;
}

void write_wav(const std::filesystem::path& path, std::span<const int16_t> samples,
               int sample_rate) {
  auto temporary = path;
  temporary += ".part";
  const FileDescriptor file = open_file(temporary, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  Unfinished unfinished(temporary);
  write_all(file.get(), wav_bytes(samples, sample_rate), path);
  unfinished.rename_to(path);
}

}  // namespace seda::audio
