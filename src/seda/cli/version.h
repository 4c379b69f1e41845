// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace CLI {
class App;
}

namespace seda::cli {

/// Adds `--version`: commit, compiler, CUDA, SIMD level, torch found or why not. With `-v` torch is
/// loaded and tried and the devices are listed, which takes a second.
void add_version(CLI::App& app);

}  // namespace seda::cli
