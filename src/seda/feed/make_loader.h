// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "seda/base/trace.h"
#include "seda/device/platform.h"
#include "seda/feed/clip_source.h"
#include "seda/feed/feed_options.h"
#include "seda/feed/loader.h"
#include "seda/feed/open_clips.h"

namespace seda::feed {

/// The loader that `options` ask for. Says in the fixed lines which one it is (SUCCESS: native data
/// loading, WARNING: reference loader). `platform` and `trace`, which may be null, outlive it.
///
/// Plans all memory first: what does not fit is an Error(memory) that names role, asked, limit, and
/// what to lower.
std::unique_ptr<Loader> make_loader(const OpenedClips& clips, const FeedOptions& options,
                                    const device::Platform& platform,
                                    TraceRecorder* trace = nullptr);

/// The same for clips of which no files are known: the native loader alone.
std::unique_ptr<Loader> make_loader(std::shared_ptr<const ClipSource> source,
                                    const FeedOptions& options, const device::Platform& platform,
                                    TraceRecorder* trace = nullptr);

}  // namespace seda::feed
