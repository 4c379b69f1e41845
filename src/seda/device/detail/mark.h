// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "seda/device/stream.h"

namespace seda::device::detail {

/// The point in a stream after which memory freed there is no longer in use.
struct Mark {
  StreamView stream;
  uint64_t number = 0;           ///< Grows with each mark, so the later of one stream is known.
  std::shared_ptr<Event> event;  ///< Shared by the parts of a block that was split.
};

/// At most one mark for each stream: a later one includes the earlier.
using Marks = std::vector<Mark>;

/// Adds each mark of `from`.
void merge(Marks& into, const Marks& from);

}  // namespace seda::device::detail
