// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>

#include "seda/base/interrupt.h"

namespace seda::testing_support {

/// For its life this thread is as if Ctrl-C had been typed.
class AskedToStop {
 public:
  AskedToStop() { source_.request_stop(); }

 private:
  std::stop_source source_;
  StopScope scope_{source_.get_token()};
};

}  // namespace seda::testing_support
