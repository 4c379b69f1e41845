// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "bench/loader/setting.h"

#include "seda/base/json.h"

namespace seda::bench {

/// Time for each clip, as fast as the loader can, and clips/s.
///
/// `loader/files`: wavs to batches of one shape, as the peer makes them. `loader/warm/…`: from a
/// cache in memory, by workers, with GB/s beside it. `loader/resident`: from the data device.
std::vector<Json> files_rows(const LoaderSetting& setting);
std::vector<Json> warm_rows(const LoaderSetting& setting);
std::vector<Json> resident_rows(const LoaderSetting& setting);

/// `loader/next`: µs in `next` while slots are ready, at p50, p90 and p99.
std::vector<Json> next_rows(const LoaderSetting& setting);

/// `loader/paced/…`: a consumer that is busy 5, 10 or 40 ms with each batch. Share of the time that
/// it waited, against the same steps without a loader; variation of its steps (deviation / mean);
/// share of all cores' time that the process took.
std::vector<Json> paced_rows(const LoaderSetting& setting);

/// `loader/start`: from nothing open to the first batch, the corpus being prepared.
std::vector<Json> start_rows(const LoaderSetting& setting);

/// `loader/growth`: memory that 50 epochs add, once each slot has held the largest shape.
std::vector<Json> growth_rows(const LoaderSetting& setting);

/// MB that a process holds with so many workers, once each slot has held the largest shape.
double memory_with_workers(const LoaderSetting& setting, int workers);

/// `loader/counters`: share of a clip's CPU time that its counters take. There is no build without
/// them, so what one clip counts is done alone, many times, and held against a clip of one worker.
/// CPU time on both sides: a busy machine would lengthen the clip and flatter the share.
std::vector<Json> counter_rows(const LoaderSetting& setting);

}  // namespace seda::bench
