// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "seda/base/json.h"
#include "seda/diagnose/watch/watch_record.h"

namespace seda::diagnose {

/// `{cores, usable_cores, memory_total_bytes, gpu_absence, gpus[{index, name, …}]}`.
Json to_json(const WatchedMachine& machine);

/// Columns, so that names are written once: `{last, seconds[], host{name: []}, gpus[{name: []}]}`.
/// `last` is the number of the newest, 0 of none; what is not known is null. Numbers are rounded to
/// five digits, times to milliseconds.
Json columns_json(std::span<const WatchSample> samples, size_t gpus);

}  // namespace seda::diagnose
