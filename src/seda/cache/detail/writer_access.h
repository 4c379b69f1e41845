// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "seda/cache/writer.h"

namespace seda::cache {

/// Lets this module's own operations reach what is behind a Writer.
struct WriterAccess {
  static detail::Store& store(Writer& writer) { return *writer.store_; }
};

}  // namespace seda::cache
