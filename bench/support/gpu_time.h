// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <benchmark/benchmark.h>

#include "seda/device/stream.h"

namespace seda::bench {

/// Times `work`, enqueued on `stream`, by the GPU's own clock.
template <typename Work>
void time_on(benchmark::State& state, const device::Stream& stream, const Work& work) {
  device::Event begin(stream, device::EventTiming::on);
  device::Event end(stream, device::EventTiming::on);
  for (int i = 0; i < 3; ++i)
    work();
  for ([[maybe_unused]] auto _ : state) {
    begin.record(stream);
    work();
    end.record(stream);
    end.synchronize();
    state.SetIterationTime(device::elapsed_ms(begin, end) / 1e3);
  }
}

}  // namespace seda::bench
