// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>

#include <mpg123.h>

#include "seda/audio/detail/clip_cursor.h"
#include "seda/audio/detail/sound_file.h"
#include "seda/audio/detail/sound_kind.h"
#include "seda/base/error.h"

namespace seda::audio::detail {
namespace {

constexpr size_t kFirstFrame =
    2048;  // bytes; the longest has 1,441, and a table stands in its first 40
constexpr long kFlags =
    MPG123_QUIET | MPG123_FORCE_FLOAT | MPG123_GAPLESS | MPG123_NO_FRANKENSTEIN | MPG123_SKIP_ID3V2;

mpg123_ssize_t read_bytes(void* cursor, void* target, size_t count) {
  return static_cast<mpg123_ssize_t>(static_cast<ClipCursor*>(cursor)->read(target, count));
}

off_t seek(void* cursor, off_t offset, int whence) {
  return static_cast<ClipCursor*>(cursor)->seek(offset, whence);
}

/// Whether the file says how long it is: a table (Xing, Info) with a number of frames.
bool says_its_length(ClipFile& file) {
  const auto bytes = file.bytes(tag_bytes(file), kFirstFrame);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const size_t at = std::min(text.find("Xing"), text.find("Info"));
  return at != std::string_view::npos && at + 8 <= text.size() && (text[at + 7] & 1) != 0;
}

class MpegSound final : public SoundFile {
 public:
  explicit MpegSound(ClipFile& file) : cursor_{&file}, decoder_(mpg123_new(nullptr, nullptr)) {
    if (decoder_ == nullptr) throw_error(ErrorKind::memory, "libmpg123 found no memory");
    const bool opened = configure() && open();
    if (opened) measure(file);
  }

  std::string problem() const override { return problem_; }
  SoundInfo info() const override { return info_; }

  size_t read(std::span<float> out) override {
    size_t bytes = 0;
    int state = MPG123_OK;
    do {
      state = mpg123_read(decoder_.get(), out.data(), out.size_bytes(), &bytes);
    } while (state == MPG123_NEW_FORMAT && bytes == 0);
    if (state != MPG123_DONE && state != MPG123_NEED_MORE) keep_problem(state);
    return bytes / sizeof(float) / static_cast<size_t>(info_.channels);
  }

 private:
  struct Delete {
    void operator()(mpg123_handle* decoder) const { mpg123_delete(decoder); }
  };

  bool keep_problem(int state) {
    if (state != MPG123_OK && state != MPG123_NEW_FORMAT)
      problem_ = mpg123_strerror(decoder_.get());
    return problem_.empty();
  }

  bool configure() {
    mpg123_handle* d = decoder_.get();
    return keep_problem(mpg123_param(d, MPG123_ADD_FLAGS, kFlags, 0)) &&
           keep_problem(mpg123_param(d, MPG123_REMOVE_FLAGS, MPG123_AUTO_RESAMPLE, 0)) &&
           keep_problem(mpg123_replace_reader_handle(d, read_bytes, seek, nullptr));
  }

  /// Finds the first frame and holds the decoder to its rate and channels.
  bool open() {
    mpg123_handle* d = decoder_.get();
    long rate = 0;
    int channels = 0;
    int encoding = 0;
    if (!keep_problem(mpg123_open_handle(d, &cursor_)) ||
        !keep_problem(mpg123_getformat(d, &rate, &channels, &encoding))) {
      return false;
    }
    info_ = {"mp3", static_cast<int>(rate), channels, 0};
    return keep_problem(mpg123_format_none(d)) &&
           keep_problem(mpg123_format2(d, rate, channels, MPG123_ENC_FLOAT_32));
  }

  /// Without a table the library would guess from the size of the file.
  void measure(ClipFile& file) {
    if (!says_its_length(file) && !keep_problem(mpg123_scan(decoder_.get()))) return;
    info_.frames = std::max<int64_t>(0, mpg123_length(decoder_.get()));
  }

  ClipCursor cursor_;
  std::unique_ptr<mpg123_handle, Delete> decoder_;
  std::string problem_;
  SoundInfo info_;
};

}  // namespace

std::unique_ptr<SoundFile> open_mpg123(ClipFile& file) {
  return std::make_unique<MpegSound>(file);
}

}  // namespace seda::audio::detail
