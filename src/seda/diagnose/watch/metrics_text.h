// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "seda/diagnose/watch/watch_record.h"

namespace seda::diagnose {

/// The newest sample in Prometheus' text format (version 0.0.4): each metric with its help and
/// type, base units, GPUs told apart by the labels `gpu` (index) and `name`. What is not known is
/// left out.
std::string metrics_text(const WatchedMachine& machine, const WatchSample& sample);

/// `text` as the value of a label: backslash, quote and line feed escaped, and what is not UTF-8
/// replaced.
std::string metric_label(std::string_view text);

}  // namespace seda::diagnose
