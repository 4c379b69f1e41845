// SPDX-License-Identifier: Apache-2.0
#include "tests/device/gate.h"

namespace seda::device {

std::unique_ptr<Gate> make_cuda_gate(StreamView /*stream*/) {
  return nullptr;
}

int current_cuda_device() {
  return -1;
}

void set_current_cuda_device(int /*index*/) {}

}  // namespace seda::device
