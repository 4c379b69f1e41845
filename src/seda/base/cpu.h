// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace seda {

/// What this machine computes with. Cores are `usable_cores()`.
struct CpuInfo {
  std::string model;  ///< "AMD EPYC 9654 96-Core Processor", or "unknown".

  /// Widest vector instructions that processor and system both offer: `avx512` (F, BW, DQ, VL),
  /// `avx2` (with FMA), `sse4` (4.2), `sse2`; `sve`, `neon`; `none` elsewhere.
  std::string simd;

  /// Whether those multiply bf16 (AVX512_BF16), twice as many in an instruction as of fp32.
  bool bf16 = false;

  uint64_t memory_bytes = 0;  ///< Physical memory of the machine; a container may grant less.
  uint64_t page_bytes = 0;
};

CpuInfo cpu_info();

/// The processor's name in the text of /proc/cpuinfo; on ARM, which has none there, the numbers of
/// implementer and part.
std::string cpu_model_name(std::string_view cpuinfo);

}  // namespace seda
