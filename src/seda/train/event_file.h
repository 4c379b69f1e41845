// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "seda/base/file_descriptor.h"

namespace seda::train {

namespace detail {
class ProtobufMessage;
}

/// Seconds since 1970 of the calendar's clock.
double wall_seconds();

/// Where an event file takes its time from, and how much it gathers.
struct EventFileOptions {
  std::function<double()> now_s = wall_seconds;
  size_t buffer_bytes = size_t{1} << 20;  ///< Gathered before they are written unasked.
};

/// A picture, encoded as PNG.
struct EncodedImage {
  std::string_view png;
  int width = 0;
  int height = 0;
};

/// A sound, encoded as wav.
struct EncodedAudio {
  std::string_view wav;
  int sample_rate = 0;
  int64_t frames = 0;
  int channels = 1;
};

/// What TensorBoard shows of a run: a new file of its own in a folder, which may hold those of
/// earlier runs.
///
/// Not thread-safe. Events are gathered; `flush` hands them to the system, which survives the end
/// of this process and not a power cut. A record that a kill tears in two is the last of its file,
/// where readers stop. A full disk is an Error(io): the torn record is cut off again, what was
/// gathered is kept and tried again with the next event or flush. Going away flushes, and
/// drops what cannot be written.
class EventFile {
 public:
  /// Makes the folder and `events.out.tfevents.<seconds>.<host>.<process>.<number>` in it.
  explicit EventFile(const std::filesystem::path& folder, EventFileOptions options = {});
  ~EventFile();

  EventFile(EventFile&&) = delete;
  EventFile& operator=(EventFile&&) = delete;

  /// One point of the curve `tag`; slashes in a tag make groups.
  void scalar(std::string_view tag, double value, int64_t step);
  void image(std::string_view tag, const EncodedImage& image, int64_t step);
  void audio(std::string_view tag, const EncodedAudio& audio, int64_t step);
  void text(std::string_view tag, std::string_view markdown, int64_t step);

  /// Says that the run goes on from `step`: events of earlier files at that step and later, which
  /// will come again, are no longer shown.
  void restart(int64_t step);

  void flush();

  const std::filesystem::path& path() const noexcept { return path_; }

 private:
  void create(const std::filesystem::path& folder);
  void add_event(int64_t step, int field, std::string_view content);
  void add_value(const detail::ProtobufMessage& value, int64_t step);

  EventFileOptions options_;
  std::filesystem::path path_;
  FileDescriptor file_;
  int64_t written_bytes_ = 0;  // whole records
  std::string pending_;
};

}  // namespace seda::train
