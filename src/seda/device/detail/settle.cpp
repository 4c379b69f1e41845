// SPDX-License-Identifier: Apache-2.0
#include "seda/device/detail/settle.h"

#include <exception>

#include "seda/base/log.h"

namespace seda::device::detail {

bool settle(StreamView stream, const char* what) noexcept {
  try {
    stream.synchronize();
    return true;
  } catch (const std::exception& error) {
    log::error("{} of {} is not given back, its stream failed: {}", what,
               to_string(stream.device()), error.what());
    return false;
  }
}

}  // namespace seda::device::detail
