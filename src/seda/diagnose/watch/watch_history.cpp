// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/watch/watch_history.h"

#include <utility>

namespace seda::diagnose {

void WatchHistory::add(WatchSample sample) {
  sample.number = ++count_;
  sample.count = 1;
  raise_to(peak_, sample);
  if (all_.empty() || all_.back().count >= group_) {
    if (all_.size() >= kMostAll) thin_out();
    all_.push_back(sample);
  } else {
    all_.back() = merged(all_.back(), sample);
  }
  recent_.push_back(std::move(sample));
  if (recent_.size() > kMostRecent) recent_.pop_front();
}

void WatchHistory::thin_out() {
  for (size_t i = 0; i < all_.size() / 2; ++i)
    all_[i] = merged(all_[2 * i], all_[2 * i + 1]);
  all_.resize(all_.size() / 2);
  group_ *= 2;
}

std::vector<WatchSample> WatchHistory::all() const {
  return all_;
}

}  // namespace seda::diagnose
