// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "seda/diagnose/cause.h"
#include "seda/diagnose/situation.h"

namespace seda::diagnose {

/// What holds a loader back, from what was measured of it: the first rule that fits, in the order
/// of verdict.cpp. A function of its argument alone.
///
/// A consumer that worked is starved from the fair band of the data stall on. One that did not
/// always waits: it counts as starved where batches are slower than the good band, and a stage is
/// named where it alone is.
Verdict judge(const Situation& situation);

}  // namespace seda::diagnose
