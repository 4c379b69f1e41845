// SPDX-License-Identifier: Apache-2.0
#include "seda/device/occupy.h"

#include <chrono>
#include <thread>

#include "seda/device/detail/occupy_gpu.h"

namespace seda::device {

void occupy(StreamView stream, double seconds) {
  if (!(seconds > 0)) return;
  if (stream.device().is_cuda()) {
    detail::occupy_gpu(stream, seconds);
  } else {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  }
}

}  // namespace seda::device
