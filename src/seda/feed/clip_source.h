// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "seda/audio/mel_options.h"
#include "seda/base/result.h"
#include "seda/feed/audio_options.h"
#include "seda/feed/listing.h"

namespace seda::feed {

/// What a clip consists of. Views, valid until the reader's next call.
struct ClipContent {
  std::span<const int32_t> tokens;
  std::span<const int16_t> samples;  ///< Where the source is of pcm16; else
  std::span<const float> mel;        ///< [n_mels, mel_frames]
  int mel_frames = 0;
};

/// Reads the clips of a source, one after another, for one thread.
class ClipReader {
 public:
  virtual ~ClipReader() = default;

  /// Brings the clip's bytes from storage: the part that waits for a disk. What a disk does lazily
  /// (pages of a mapped file) may be left to whoever touches the content.
  virtual std::optional<Fault> fetch(uint32_t row) = 0;

  /// Makes the content of the clip that was fetched last: the part that needs a processor. Faults
  /// have the clip's id.
  virtual Result<ClipContent> content() = 0;
};

/// Where a loader gets its clips: the cache, or raw files.
///
/// Thread-safe; readers and views live no longer than the source.
class ClipSource {
 public:
  virtual ~ClipSource() = default;

  virtual std::unique_ptr<ClipReader> make_reader() const = 0;

  /// Of every clip, with its lengths; `samples` may be an estimate where nothing was decoded yet.
  virtual std::span<const ClipRow> rows() const = 0;
  virtual std::string_view id(uint32_t row) const = 0;

  /// Whether content has samples, of which someone must make the mel, or the mel.
  virtual AudioKind kind() const = 0;
  virtual const audio::MelOptions& mel() const = 0;
  virtual bool decodes() const = 0;             ///< Whether `content` is work worth a stage.
  virtual const std::string& path() const = 0;  ///< "cache (mapped)", "cache (read)", "files".

  /// Sorted; a row's number is its place here.
  virtual const std::vector<std::string>& speakers() const = 0;
  virtual const std::vector<std::string>& languages() const = 0;
  virtual int32_t speaker(uint32_t row) const = 0;
  virtual int32_t language(uint32_t row) const = 0;
};

}  // namespace seda::feed
