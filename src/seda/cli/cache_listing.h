// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "seda/base/json.h"
#include "seda/cache/cache.h"

namespace seda::cli {

/// What a cache says of the corpus it was made from, as `seda cache stat` shows it: `clips` that
/// can be used and their `hours`, how `audio` is kept (mel or pcm16), the `mel` definition and the
/// `tokenizer`, all of the listing prepared last. Without one: the newest tables', null where there
/// is none.
Json listing_summary(const cache::Cache& cache);

/// Ids of the clips in the listing prepared last, by the keys of their records; empty where the
/// cache cannot be opened.
std::map<cache::Key, std::string> clip_ids(const std::filesystem::path& folder);

}  // namespace seda::cli
