// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <string>

#include <sndfile.h>

#include "seda/audio/detail/clip_cursor.h"
#include "seda/audio/detail/sound_file.h"
#include "seda/base/mutex.h"

namespace seda::audio::detail {
namespace {

ClipCursor& cursor_of(void* user) {
  return *static_cast<ClipCursor*>(user);
}

sf_count_t file_length(void* user) {
  return cursor_of(user).size();
}

sf_count_t seek(sf_count_t offset, int whence, void* user) {
  return cursor_of(user).seek(offset, whence);
}

sf_count_t read_bytes(void* target, sf_count_t count, void* user) {
  const auto wanted = static_cast<size_t>(std::max<sf_count_t>(0, count));
  return static_cast<sf_count_t>(cursor_of(user).read(target, wanted));
}

sf_count_t write(const void* /*source*/, sf_count_t /*count*/, void* /*user*/) {
  return 0;
}

sf_count_t tell(void* user) {
  return cursor_of(user).at;
}

const char* name_of_wav(int format) {
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
      return name_of_wav(format);
    case SF_FORMAT_FLAC:
      return "flac";
    case SF_FORMAT_OGG:
      return (format & SF_FORMAT_SUBMASK) == SF_FORMAT_OPUS ? "opus" : "ogg";
    default:
      return "";
  }
}

/// The library's largest number stands for "not known".
int64_t known_frames(const SF_INFO& info) {
  return info.frames == SF_COUNT_MAX ? 0 : std::max<int64_t>(0, info.frames);
}

/// The library keeps the words of an opening that failed in one place for all threads, so they
/// open one after another: microseconds. What is open is a thread's own.
Mutex& opening() {
  static Mutex mutex;
  return mutex;
}

class SndfileSound final : public SoundFile {
 public:
  explicit SndfileSound(ClipFile& file) : cursor_{&file} {
    SF_VIRTUAL_IO access = {file_length, seek, read_bytes, write, tell};
    const MutexLock lock(opening());
    sound_.reset(sf_open_virtual(&access, SFM_READ, &info_, &cursor_));
    if (sound_ == nullptr) refusal_ = sf_strerror(nullptr);
  }

  std::string problem() const override {
    if (sound_ == nullptr) return refusal_;
    if (info().format.empty()) return "another kind of file";
    return sf_error(sound_.get()) == SF_ERR_NO_ERROR ? "" : sf_strerror(sound_.get());
  }

  SoundInfo info() const override {
    return {name_of(info_.format), info_.samplerate, info_.channels, known_frames(info_)};
  }

  /// The library knows the length of an ogg stream by its last page.
  bool has_end() const override {
    return (info_.format & SF_FORMAT_TYPEMASK) != SF_FORMAT_OGG || info_.frames != SF_COUNT_MAX;
  }

  size_t read(std::span<float> out) override {
    const auto frames = static_cast<sf_count_t>(out.size()) / info_.channels;
    const sf_count_t got = sf_readf_float(sound_.get(), out.data(), frames);
    return static_cast<size_t>(std::max<sf_count_t>(0, got));
  }

 private:
  struct Close {
    void operator()(SNDFILE* sound) const { sf_close(sound); }
  };

  ClipCursor cursor_;
  SF_INFO info_{};
  std::unique_ptr<SNDFILE, Close> sound_;
  std::string refusal_;  // why it is not open
};

}  // namespace

std::unique_ptr<SoundFile> open_sndfile(ClipFile& file) {
  return std::make_unique<SndfileSound>(file);
}

}  // namespace seda::audio::detail
