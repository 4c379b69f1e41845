// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "seda/diagnose/check.h"
#include "seda/diagnose/check_context.h"

/// One look at one thing each. None writes anything; what cannot be looked at is not measured, with
/// the reason.
namespace seda::diagnose {

// check_configuration.cpp
Check check_configuration_file(const CheckContext& context);
Check check_schema(const CheckContext& context);
Check check_native_loading(const CheckContext& context);
Check check_workers(const CheckContext& context);
Check check_prefetch(const CheckContext& context);

// check_step.cpp: how a training step runs
Check check_fixed_shapes(const CheckContext& context);
Check check_fused_kernels(const CheckContext& context);
Check check_graph_mode(const CheckContext& context);
Check check_mixed_precision(const CheckContext& context);

// check_devices.cpp
Check check_gpu(const CheckContext& context);
Check check_roles(const CheckContext& context);
Check check_peers(const CheckContext& context);

// check_machine.cpp
Check check_ram(const CheckContext& context);
Check check_disk(const CheckContext& context);

// check_cache.cpp
Check check_cache(const CheckContext& context);

// check_corpus.cpp
Check check_corpus(const CheckContext& context);

// check_memory.cpp
Check check_batch_size(const CheckContext& context);
Check check_memory(const CheckContext& context);

// check_loader.cpp
Check check_loader(const CheckContext& context);

/// Every name that a check may have, in the order in which they are made.
std::vector<std::string_view> check_names();

}  // namespace seda::diagnose
