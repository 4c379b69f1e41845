// SPDX-License-Identifier: Apache-2.0
#include "seda/device/detail/mark.h"

#include <algorithm>

namespace seda::device::detail {

void merge(Marks& into, const Marks& from) {
  for (const Mark& mark : from) {
    const auto same = std::ranges::find(into, mark.stream, &Mark::stream);
    if (same == into.end()) {
      into.push_back(mark);
    } else if (same->number < mark.number) {
      *same = mark;
    }
  }
}

}  // namespace seda::device::detail
