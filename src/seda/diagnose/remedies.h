// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "seda/config/config.h"
#include "seda/diagnose/cause.h"
#include "seda/diagnose/lab.h"
#include "seda/diagnose/situation.h"
#include "seda/feed/feed_options.h"

namespace seda::diagnose {

Settings settings_of(const feed::FeedOptions& options, bool from_cache, uint64_t cache_bytes);

/// Share of frames that would be padding in the shapes that are chosen where nothing is said.
double padding_of_own_choice(const feed::ClipSource& source, feed::FeedOptions options);

/// `judge`, with the runs that a suspicion asks for: what would be named from the configuration, or
/// from what a run with another setting brings, is tried in `lab` first. `now` keeps what they
/// showed.
Verdict judge_by_trials(Situation& now, const config::Config& config, Lab& lab);

/// Tries the remedies that set a key and were not tried yet, and says what each brings. Those that
/// would change nothing are dropped; those that help come first, the best of them foremost.
void try_remedies(Verdict& verdict, const Situation& now, const config::Config& config, Lab& lab);

}  // namespace seda::diagnose
