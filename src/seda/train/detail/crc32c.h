// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace seda::train::detail {

/// CRC-32C (Castagnoli, reflected) of the bytes.
uint32_t crc32c(std::string_view bytes) noexcept;

/// The checksum as event files keep it, turned and shifted: a checksum of data that holds checksums
/// would else be weak.
uint32_t masked_crc32c(std::string_view bytes) noexcept;

}  // namespace seda::train::detail
