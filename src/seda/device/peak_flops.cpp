// SPDX-License-Identifier: Apache-2.0
#include "seda/device/peak_flops.h"

#include <array>

namespace seda::device {
namespace {

struct KnownGpu {
  std::string_view part;  ///< Of its name; the first that fits counts.
  double teraflops = 0;
};

constexpr std::array<KnownGpu, 9> kKnown = {{{"B200", 2250},
                                             {"H200", 989.4},
                                             {"H100 PCIe", 756},
                                             {"H100 NVL", 835},
                                             {"H100", 989.4},
                                             {"A100", 312},
                                             {"L40S", 362},
                                             {"RTX 4090", 165.2},
                                             {"RTX 3090", 71}}};

}  // namespace

std::optional<double> peak_flops(std::string_view gpu_name) {
  for (const KnownGpu& known : kKnown) {
    if (gpu_name.find(known.part) != std::string_view::npos) return known.teraflops * 1e12;
  }
  return std::nullopt;
}

}  // namespace seda::device
