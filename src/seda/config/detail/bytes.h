// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace seda::config::detail {

constexpr size_t kLargestFile = 1 << 20;

/// Everything in a regular file of at most 1 MiB. Throws Error(config) for anything else; never
/// blocks on a pipe.
std::string read_bytes(const std::filesystem::path& file);

/// Length of the byte order mark at the start: 3 or 0.
size_t bom_length(std::string_view bytes);

/// Throws Error(config) with the place of the first byte that has no business in a YAML file, which
/// the parser itself would accept or misread: UTF-16, broken UTF-8, NUL and other control
/// characters, a lone carriage return, a tab before the first word of a line; also for text over
/// 1 MiB.
void check_bytes(std::string_view bytes, const std::string& name);

}  // namespace seda::config::detail
