// SPDX-License-Identifier: Apache-2.0
#include "seda/train/engine/host_syncs.h"

namespace seda::train {

struct HostSyncCounter::Watch {};

HostSyncCounter::HostSyncCounter(uint64_t& /*count*/) {}
HostSyncCounter::~HostSyncCounter() = default;

}  // namespace seda::train
