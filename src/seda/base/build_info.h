// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace seda {

/// What this program was built from and with.
struct BuildInfo {
  std::string_view version;  ///< "0.1.0"
  std::string_view commit;   ///< Short hash, "-dirty" behind it where files differed; or "unknown".
  std::string_view compiler;            ///< "GNU 12.2.0"
  std::string_view type;                ///< "RelWithDebInfo"
  std::string_view cuda;                ///< Toolkit's version; empty without a CUDA backend.
  std::string_view cuda_architectures;  ///< "90-real"
  std::string_view torch;  ///< The version the trainer needs; empty in a build without it.
};

const BuildInfo& build_info();

}  // namespace seda
