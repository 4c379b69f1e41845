// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "seda/base/result.h"
#include "seda/dataset/format.h"

namespace seda::dataset::detail {

/// Where a corpus keeps its sound: folders to look in, first to last, relative to the corpus.
std::vector<std::string> audio_folders(Format format);

/// A file of sound, told apart from later ones in its place by size and time of change.
struct AudioFile {
  std::string path;
  uint64_t bytes = 0;
  int64_t time_ns = 0;
};

/// Finds the file of a clip by the name in its metadata.
///
/// An absolute name is taken as it is; one with a `/` is first looked for in the corpus folder,
/// then in `folders`. In each: as written, then with the extensions .wav .flac .ogg .opus .mp3,
/// also in capitals, in the place of its own or added to it; then all this again for other Unicode
/// spellings of the name, and with `/` for its backslashes. Thread-safe; only stat is called.
class AudioFinder {
 public:
  AudioFinder(const std::filesystem::path& corpus, std::vector<std::string> folders);

  /// The file, or a fault without id and place: `audio_missing`, `audio_empty`,
  /// `audio_not_a_file`, `audio_unreadable`.
  Result<AudioFile> find(std::string_view name) const;

  /// The first place `find` would look at.
  std::string first_place(std::string_view name) const;

 private:
  std::vector<std::string> bases(std::string_view name) const;

  std::string corpus_;  // ends with a slash
  std::vector<std::string> folders_;
};

}  // namespace seda::dataset::detail
