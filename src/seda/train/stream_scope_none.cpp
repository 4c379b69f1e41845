// SPDX-License-Identifier: Apache-2.0
#include "seda/train/stream_scope.h"

namespace seda::train {

struct StreamScope::State {};

StreamScope::StreamScope(device::StreamView /*stream*/) {}
StreamScope::~StreamScope() = default;

}  // namespace seda::train
