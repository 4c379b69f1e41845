// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/corpus_files.h"

#include "seda/base/interrupt.h"
#include "seda/base/page_cache.h"
#include "seda/feed/default_cache.h"

namespace seda::diagnose {
namespace {

namespace fs = std::filesystem;

uint64_t size_of(const fs::path& file) {
  std::error_code none;
  const auto bytes = fs::file_size(file, none);
  return none ? 0 : bytes;
}

}  // namespace

std::vector<fs::path> cache_files(const feed::PrepareOptions& options) {
  const fs::path folder =
      options.cache.empty() ? feed::default_cache(options.corpus) : options.cache;
  std::vector<fs::path> out;
  std::error_code none;
  for (const auto& entry : fs::recursive_directory_iterator(folder, none)) {
    if (entry.is_regular_file(none)) out.push_back(entry.path());
  }
  return out;
}

std::vector<fs::path> audio_files(const dataset::Corpus& corpus) {
  std::vector<fs::path> out;
  out.reserve(corpus.utterances.size());
  for (const dataset::Utterance& utterance : corpus.utterances)
    out.push_back(utterance.audio);
  return out;
}

uint64_t bytes_of(std::span<const fs::path> files) {
  uint64_t sum = 0;
  for (const fs::path& file : files)
    sum += size_of(file);
  return sum;
}

double drop_files(std::span<const fs::path> files) {
  double all = 0;
  double resident = 0;
  for (const fs::path& file : files) {
    throw_if_interrupted();
    std::error_code none;
    if (!fs::is_regular_file(file, none)) continue;
    drop_page_cache(file);
    const auto bytes = static_cast<double>(size_of(file));
    all += bytes;
    resident += bytes * resident_share(file);
  }
  return all > 0 ? resident / all : 0;
}

}  // namespace seda::diagnose
