// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "seda/train/engine.h"

namespace seda::train {

/// See Library::make_engine.
std::unique_ptr<Engine> make_torch_engine(const EngineOptions& options);

}  // namespace seda::train
