// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace seda::device {

/// Operations a second that a GPU of that name can do in dense products of bf16, by its maker's
/// data sheet; nothing of one that is not known here. Half of it in TF32.
std::optional<double> peak_flops(std::string_view gpu_name);

}  // namespace seda::device
