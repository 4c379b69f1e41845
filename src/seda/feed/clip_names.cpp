// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/clip_names.h"

#include <map>

namespace seda::feed {

ClipNames::ClipNames(size_t clips, const std::function<std::string_view(size_t)>& name_of)
    : numbers_(clips) {
  std::map<std::string_view, int32_t> places;
  for (size_t i = 0; i < clips; ++i)
    places.try_emplace(name_of(i), 0);
  for (auto& [name, place] : places) {
    place = static_cast<int32_t>(names_.size());
    names_.emplace_back(name);
  }
  for (size_t i = 0; i < clips; ++i)
    numbers_[i] = places.find(name_of(i))->second;
}

}  // namespace seda::feed
