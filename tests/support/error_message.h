// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "seda/base/error.h"

namespace seda::testing_support {

/// What the Error that `call` throws says, or "nothing was thrown".
template <typename Call>
std::string error_message(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace seda::testing_support
