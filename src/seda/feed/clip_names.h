// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace seda::feed {

/// Numbers for what clips share by name: speakers, languages.
class ClipNames {
 public:
  ClipNames() = default;
  /// Of so many clips, each with the name that `name_of` gives.
  ClipNames(size_t clips, const std::function<std::string_view(size_t)>& name_of);

  /// Sorted, each once.
  const std::vector<std::string>& names() const noexcept { return names_; }
  /// The place of the clip's name among them.
  int32_t number(size_t clip) const { return numbers_[clip]; }

 private:
  std::vector<std::string> names_;
  std::vector<int32_t> numbers_;
};

}  // namespace seda::feed
