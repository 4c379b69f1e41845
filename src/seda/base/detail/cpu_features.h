// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

/// What only this kind of processor can be asked for; one of cpu_x86.cpp, cpu_arm.cpp and
/// cpu_other.cpp is built.
namespace seda::detail {

/// `CpuInfo::simd`.
std::string_view simd_level();

/// `CpuInfo::bf16`.
bool has_bf16_products();

}  // namespace seda::detail
