// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "seda/dataset/metadata.h"

namespace seda::dataset::detail {

/// Gives every record its id. One without takes the stem of its path; where several paths share a
/// stem, each of them takes its whole path without the extension instead.
void assign_ids(std::vector<Record>& records);

/// Removes all but the first record of each id and calls `drop` with a removed one and its fault
/// `id_duplicate`, which names the first.
void drop_duplicates(std::vector<Record>& records,
                     const std::function<void(const Record&, Fault)>& drop);

}  // namespace seda::dataset::detail
