// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace seda::train {

/// What is kept of a validation clip after a step; a file that is not there is empty.
struct KeptSample {
  std::string id;  ///< As in the names of its files.
  std::filesystem::path alignment;
  std::filesystem::path mel;
  std::filesystem::path sound;

  bool operator==(const KeptSample&) const = default;
};

struct KeptSamples {
  uint64_t step = 0;
  std::vector<KeptSample> samples;  ///< By id.
};

/// Those of the last step in `<run>/samples`; none where there is no such folder.
KeptSamples last_samples(const std::filesystem::path& run_folder);

/// Pictures and sounds as part of a page that lies in `run_folder`. Files are part of the page as
/// long as all together take no more than `most_bytes` of it; the others are linked.
std::string show_samples(const KeptSamples& kept, const std::filesystem::path& run_folder,
                         size_t most_bytes);

}  // namespace seda::train
