// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace seda::text {

/// Where espeak-ng lies.
struct EspeakLocation {
  std::filesystem::path library;  ///< The shared library, by full path.
  std::filesystem::path data;     ///< What holds `espeak-ng-data`; empty: where the library looks.

  bool operator==(const EspeakLocation&) const = default;
};

/// Looks in the folder SEDA_ESPEAK names (binding where set), in `espeak-ng` beside the program's
/// own folders, then among the system's libraries. Found nowhere is an Error(unavailable) with the
/// names of the packages to install.
EspeakLocation find_espeak();

}  // namespace seda::text
