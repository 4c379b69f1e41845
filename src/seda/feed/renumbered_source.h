// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "seda/feed/clip_source.h"

namespace seda::feed {

/// The clips of `source` as validation clips of another corpus, `of`: all are held out, and their
/// speakers and languages have the numbers they have there.
///
/// Where each corpus has one speaker, it is the same whatever it is called; languages likewise.
/// Clips of a speaker or language that `of` has not become unusable, with a warning that names
/// them. Another mel is an Error(config).
std::shared_ptr<const ClipSource> renumbered_source(std::shared_ptr<const ClipSource> source,
                                                    const ClipSource& of);

}  // namespace seda::feed
