// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "seda/base/json.h"
#include "seda/cache/cache.h"
#include "seda/cache/collect.h"

namespace seda::cli {

/// What a cache says of the corpus it was made from, as `seda cache stat` shows it: `clips` and
/// `hours` (null where no listing tells), `mel` of the newest audio table and `tokenizer` of the
/// newest text table (null where there is none).
Json listing_summary(const cache::Cache& cache);

/// What `seda cache gc` keeps.
cache::Keep garbage_rule();

}  // namespace seda::cli
