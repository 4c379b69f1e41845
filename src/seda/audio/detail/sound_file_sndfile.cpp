// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string_view>

#include <sndfile.h>

#include "seda/audio/detail/sound_file.h"

namespace seda::audio::detail {
namespace {

/// The clip's file as the library wants to see it.
struct Cursor {
  ClipFile* file = nullptr;
  int64_t at = 0;
};

Cursor& cursor_of(void* user) {
  return *static_cast<Cursor*>(user);
}

sf_count_t file_length(void* user) {
  return static_cast<sf_count_t>(cursor_of(user).file->size());
}

sf_count_t seek(sf_count_t offset, int whence, void* user) {
  Cursor& cursor = cursor_of(user);
  int64_t base = 0;
  if (whence == SEEK_CUR) base = cursor.at;
  if (whence == SEEK_END) base = file_length(user);
  int64_t target = 0;
  if (__builtin_add_overflow(base, offset, &target) || target < 0) return -1;
  return cursor.at = target;
}

sf_count_t read(void* target, sf_count_t count, void* user) {
  Cursor& cursor = cursor_of(user);
  if (count <= 0) return 0;
  const auto bytes =
      cursor.file->bytes(static_cast<uint64_t>(cursor.at), static_cast<size_t>(count));
  std::ranges::copy(bytes, static_cast<std::byte*>(target));
  cursor.at += static_cast<int64_t>(bytes.size());
  return static_cast<sf_count_t>(bytes.size());
}

sf_count_t write(const void* /*source*/, sf_count_t /*count*/, void* /*user*/) {
  return 0;
}

sf_count_t tell(void* user) {
  return cursor_of(user).at;
}

constexpr SF_VIRTUAL_IO kAccess = {file_length, seek, read, write, tell};

const char* name_of_encoding(int format) {
  switch (format & SF_FORMAT_SUBMASK) {
    case SF_FORMAT_ULAW:
      return "wav ulaw";
    case SF_FORMAT_ALAW:
      return "wav alaw";
    default:
      return "wav";
  }
}

/// Empty for a kind that is not wanted here.
const char* name_of(int format) {
  switch (format & SF_FORMAT_TYPEMASK) {
    case SF_FORMAT_WAV:
    case SF_FORMAT_WAVEX:
    case SF_FORMAT_RF64:
      return name_of_encoding(format);
    case SF_FORMAT_FLAC:
      return "flac";
    case SF_FORMAT_OGG:
      return (format & SF_FORMAT_SUBMASK) == SF_FORMAT_OPUS ? "opus" : "ogg";
    case SF_FORMAT_MPEG:
      return "mp3";
    default:
      return "";
  }
}

/// The library's largest number stands for "not known".
int64_t known_frames(const SF_INFO& info) {
  return info.frames == SF_COUNT_MAX ? 0 : std::max<int64_t>(0, info.frames);
}

bool begins(std::span<const std::byte> head, size_t at, std::string_view word) {
  return head.size() >= at + word.size() &&
         std::memcmp(head.data() + at, word.data(), word.size()) == 0;
}

}  // namespace

struct SoundFile::State {
  explicit State(ClipFile& file) : cursor{&file} {
    SF_INFO found{};
    sound = sf_open_virtual(const_cast<SF_VIRTUAL_IO*>(&kAccess), SFM_READ, &found, &cursor);
    if (sound != nullptr) info = found;
  }
  ~State() {
    if (sound != nullptr) sf_close(sound);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  Cursor cursor;
  SNDFILE* sound = nullptr;
  SF_INFO info{};
};

SoundFile::SoundFile(ClipFile& file) : state_(std::make_unique<State>(file)) {
  const SF_INFO& found = state_->info;
  info_ = {name_of(found.format), found.samplerate, found.channels, known_frames(found)};
}
SoundFile::~SoundFile() = default;

std::string SoundFile::problem() const {
  if (state_->sound == nullptr) return sf_strerror(nullptr);
  if (info_.format.empty()) return "another kind of file";
  return sf_error(state_->sound) == SF_ERR_NO_ERROR ? "" : sf_strerror(state_->sound);
}

size_t SoundFile::read(std::span<float> out) {
  const auto frames = static_cast<sf_count_t>(out.size()) / info_.channels;
  return static_cast<size_t>(
      std::max<sf_count_t>(0, sf_readf_float(state_->sound, out.data(), frames)));
}

bool is_wav(std::span<const std::byte> head) {
  return (begins(head, 0, "RIFF") || begins(head, 0, "RF64")) && begins(head, 8, "WAVE");
}

bool is_sound(std::span<const std::byte> head) {
  const bool mpeg = head.size() >= 2 && head[0] == std::byte{0xff} &&
                    (head[1] & std::byte{0xe0}) == std::byte{0xe0};
  return is_wav(head) || mpeg || begins(head, 0, "fLaC") || begins(head, 0, "OggS") ||
         begins(head, 0, "ID3");
}

}  // namespace seda::audio::detail
