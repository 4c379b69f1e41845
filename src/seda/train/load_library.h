// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "seda/train/library.h"
#include "seda/train/torch_location.h"

namespace seda::train {

/// Loads torch from `torch` and then `<program root>/lib/libseda_train.so`; both stay for the life
/// of the process. Takes 0.3 s on the CPU, more with CUDA. An Error(unavailable) says what is
/// missing.
const Library& load_library(const TorchLocation& torch);

/// Finds torch and loads the library. An Error(unavailable) says why there is none.
const Library& load_library();

}  // namespace seda::train
