// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace seda::train {

/// A torch package on this machine.
struct TorchLocation {
  std::filesystem::path folder;  ///< Holds `torch/`, and `nvidia/` where it came with CUDA.
  std::string version;           ///< "2.11.0+cu130"
  std::string found_by;  ///< "SEDA_TORCH", "beside the program", "set-up folder", "active Python"
};

/// Why no torch can be used: everything that was looked at, and what to do.
struct TorchMissing {
  std::string reason;
};

/// Where `find_torch` looks; a test brings its own.
struct TorchSearch {
  std::function<std::optional<std::string>(const char*)> environment;
  std::filesystem::path program_root;
  std::string wanted_version;  ///< "2.11.0"; major and minor must agree.

  /// This process' environment, program and build.
  static TorchSearch of_this_process();
};

/// The first torch of the wanted version, by reading files only (about a millisecond, no Python is
/// started): SEDA_TORCH, then beside the program, the set-up folder, the active Python. SEDA_TORCH
/// is binding: where it names a folder that will not do, the search ends there and says so.
std::variant<TorchLocation, TorchMissing> find_torch(const TorchSearch& search);

/// Same major and minor version; what stands behind `+` does not count.
bool same_release(const std::string& found, const std::string& wanted);

}  // namespace seda::train
