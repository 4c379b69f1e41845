// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "seda/device/memory_resource.h"
#include "seda/device/stream.h"

namespace seda::audio::detail {

/// Many real Fourier transforms of one size at once, by cuFFT. Nothing is scaled.
///
/// The library is 286 MB, so it is opened when the first plan is made: by its name, then where
/// SEDA_CUFFT, CUDA_HOME or CUDA_PATH point, then in /usr/local/cuda. Error(unavailable) where it
/// is nowhere.
class CufftPlan {
 public:
  enum class Kind { real_to_complex, complex_to_real };

  /// Takes its work area from `resource`.
  CufftPlan(Kind kind, int n_fft, int batch, device::MemoryResource& resource,
            device::StreamView stream);
  ~CufftPlan();
  CufftPlan(CufftPlan&&) noexcept;
  CufftPlan& operator=(CufftPlan&&) noexcept;

  /// Enqueues: real rows of n_fft floats to complex rows of n_fft / 2 + 1, or back. Back overwrites
  /// its input.
  void apply(void* from, void* to, device::StreamView stream) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace seda::audio::detail
