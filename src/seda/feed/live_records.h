// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "seda/cache/cache.h"
#include "seda/cache/collect.h"

namespace seda::feed {

/// What a cache must keep for the listing prepared last: its tables, and of them the records of its
/// clips. Everything where there is no listing. Copies what it needs from `cache`.
cache::Keep keep_latest(const cache::Cache& cache);

}  // namespace seda::feed
