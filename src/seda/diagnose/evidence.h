// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "seda/diagnose/cause.h"
#include "seda/diagnose/figures.h"
#include "seda/diagnose/situation.h"

namespace seda::diagnose {

// Words that several rules say.

/// "820 -> 1990 clips/s (2.4 x)"; of a `ceiling` that the consumer sets:
/// "61 -> 93 % of ceiling (820 -> 1250 clips/s)".
std::string gain_words(double before, double after, double ceiling = 0);

/// Clips/s that a consumer could use, at the clips a batch that it was fed; 0 where it does no
/// work.
double ceiling_of(const Situation& situation);

/// That, and how much, the consumer waits: the first piece of evidence.
std::string waiting(const Situation& situation, const Figures& figures);

/// "'read' takes 80 ms for 16 clips, 95 % of the workers' work"
std::string stage_time(const char* stage, const Figures& figures);

/// `remedy` with what it brings, where that was measured.
Remedy with_gain(Remedy remedy, const std::optional<double>& rate, const Situation& situation,
                 const Figures& figures);

}  // namespace seda::diagnose
