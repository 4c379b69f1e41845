// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/sound_keys.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "seda/base/file_descriptor.h"
#include "seda/base/hash.h"
#include "seda/base/interrupt.h"
#include "seda/base/parallel.h"
#include "seda/feed/clip_paths.h"

namespace seda::feed {
namespace {

constexpr size_t kPiece = size_t{1} << 18;

cache::Key stat_key(const ClipPaths& paths, const dataset::Utterance& utterance) {
  return hash128(fmt::format("stat\n{}\n{}\n{}", paths(utterance.audio), utterance.audio_bytes,
                             utterance.audio_time_ns));
}

std::optional<cache::Key> hash_file(const std::filesystem::path& path) {
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) return std::nullopt;
  thread_local std::vector<char> piece(kPiece);
  Hasher hasher;
  hasher.add("content\n");
  for (;;) {
    throw_if_interrupted();
    const ssize_t n = read(file.get(), piece.data(), piece.size());
    if (n < 0) return std::nullopt;
    if (n == 0) return hasher.digest();
    hasher.add({piece.data(), static_cast<size_t>(n)});
  }
}

/// Whether the rows of the listing name sounds by their content.
bool lists_content(const Previous* previous) {
  if (previous == nullptr || previous->listed_description() == nullptr) return false;
  const Json& description = *previous->listed_description();
  return description.is_object() && description.value("key", "") == "content";
}

bool is_same_file(const ClipRow& row, const Listing& listing, const ClipPaths& paths,
                  const dataset::Utterance& utterance) {
  return row.samples > 0 && utterance.audio_bytes > 0 && row.file_bytes == utterance.audio_bytes &&
         row.file_time_ns == utterance.audio_time_ns &&
         listing.string(row.path) == paths(utterance.audio);
}

/// Fills in the keys of files that are as the listing has them; returns the other clips.
std::vector<size_t> take_known(const dataset::Corpus& corpus, const Previous* previous,
                               const ClipPaths& paths, std::vector<cache::Key>& keys) {
  std::vector<size_t> unknown;
  for (size_t i = 0; i < keys.size(); ++i) {
    const dataset::Utterance& utterance = corpus.utterances[i];
    const ClipRow* row = previous != nullptr ? previous->find(i, utterance.id) : nullptr;
    if (row != nullptr && is_same_file(*row, *previous->listing(), paths, utterance)) {
      keys[i] = row->audio_key;
    } else {
      unknown.push_back(i);
    }
  }
  return unknown;
}

}  // namespace

std::vector<cache::Key> stat_keys(const dataset::Corpus& corpus) {
  const ClipPaths paths(corpus.folder);
  std::vector<cache::Key> keys;
  keys.reserve(corpus.utterances.size());
  for (const dataset::Utterance& utterance : corpus.utterances)
    keys.push_back(stat_key(paths, utterance));
  return keys;
}

std::vector<cache::Key> content_keys(const dataset::Corpus& corpus, const Previous* previous,
                                     int threads, ProgressStyle style) {
  const ClipPaths paths(corpus.folder);
  std::vector<cache::Key> keys(corpus.utterances.size());
  const auto unknown =
      take_known(corpus, lists_content(previous) ? previous : nullptr, paths, keys);
  const SteadyClock clock;
  LogProgressSink sink;
  Progress progress({"hash", "files", unknown.size(), style, terminal_width()}, clock, sink);
  const auto hash = [&](size_t clip) {
    const dataset::Utterance& utterance = corpus.utterances[clip];
    keys[clip] = hash_file(utterance.audio).value_or(stat_key(paths, utterance));
  };
  parallel_for(unknown.size(), {.threads = threads, .grain = 4, .name = "hash"},
               [&](size_t begin, size_t end) {
                 for (size_t i = begin; i < end; ++i)
                   hash(unknown[i]);
                 progress.advance(end - begin);
               });
  return keys;
}

}  // namespace seda::feed
