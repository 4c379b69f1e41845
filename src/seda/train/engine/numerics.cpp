// SPDX-License-Identifier: Apache-2.0
#include "seda/train/engine/numerics.h"

#include <cstdlib>

#include <torch/torch.h>

namespace seda::train {
namespace {

void set_fusion(bool fused) {
  auto& context = at::globalContext();
  context.setSDPUseFlash(fused);
  context.setSDPUseMemEfficient(fused);
  context.setSDPUseCuDNN(fused);
  context.setSDPUseMath(true);
  context.setAllowTF32CuBLAS(fused);
  context.setAllowTF32CuDNN(fused);
}

void set_determinism(bool deterministic) {
  // cuBLAS reads it when it makes its first workspace.
  if (deterministic) ::setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", /*overwrite=*/0);
  auto& context = at::globalContext();
  context.setDeterministicAlgorithms(deterministic, /*warn_only=*/false);
  context.setDeterministicFillUninitializedMemory(false);
  context.setDeterministicCuDNN(deterministic);
  context.setBenchmarkCuDNN(false);
}

}  // namespace

void set_numerics(const EngineOptions& options) {
  set_fusion(options.fused && !options.checked);
  set_determinism(options.deterministic);
}

}  // namespace seda::train
