// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "seda/feed/clip_source.h"
#include "seda/feed/feed_options.h"
#include "seda/feed/feed_plan.h"
#include "seda/feed/memory_plan.h"

namespace seda::feed {

/// Threads that gather clips: those asked for, else this process' part of the cores.
int gathering_threads(const FeedOptions& options);

/// The options with `prefetch` chosen where it was left open: enough batches ahead to cover the
/// longest clip, for while one worker is at it the others go on.
FeedOptions with_prefetch(FeedOptions options, const FeedPlan& plan);

/// What the native loader would take for the clips of `source`, with options that say how many
/// batches ahead.
MemoryNeeds memory_needs(const ClipSource& source, const FeedPlan& plan,
                         const FeedOptions& options);

}  // namespace seda::feed
