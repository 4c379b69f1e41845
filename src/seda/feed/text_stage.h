// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "seda/base/progress.h"
#include "seda/cache/writer.h"
#include "seda/feed/text_plan.h"
#include "seda/text/frontend.h"

namespace seda::feed {

struct UnknownSymbol {
  std::string symbol;
  uint64_t count = 0;
  std::string example;  ///< Id of the first clip, by name, that has it.

  bool operator==(const UnknownSymbol&) const = default;
};

struct TextStageReport {
  std::vector<UnknownSymbol> unknown;  ///< Most frequent first.
  uint64_t emoji = 0;                  ///< Dropped.
  uint64_t dropped = 0;                ///< Other characters dropped.
};

/// Reads the missing lines on `threads` threads and appends their records to `table`, unsealed. The
/// result is the same for any number of threads. Ctrl-C is an Error(interrupted): what was appended
/// before it stays.
TextStageReport read_texts(const std::vector<dataset::Utterance>& utterances, const TextPlan& plan,
                           const text::Frontend& frontend, const cache::TableWriter& table,
                           int threads, Progress& progress);

}  // namespace seda::feed
