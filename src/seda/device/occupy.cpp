// SPDX-License-Identifier: Apache-2.0
#include "seda/device/occupy.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "seda/base/clock.h"
#include "seda/base/interrupt.h"
#include "seda/device/detail/occupy_gpu.h"

namespace seda::device {
namespace {

constexpr double kBetweenLooks = 0.1;  // seconds

void sleep(double seconds) {
  const Stopwatch time;
  for (double left = seconds; left > 0 && !interrupted(); left = seconds - time.seconds())
    std::this_thread::sleep_for(std::chrono::duration<double>(std::min(left, kBetweenLooks)));
}

}  // namespace

void occupy(StreamView stream, double seconds) {
  if (!(seconds > 0)) return;
  if (stream.device().is_cuda()) {
    detail::occupy_gpu(stream, seconds);
  } else {
    sleep(seconds);
  }
}

}  // namespace seda::device
