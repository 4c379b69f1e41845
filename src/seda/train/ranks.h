// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace seda::train {

/// This process among those that train one model together, as torchrun tells it.
struct Ranks {
  int rank = 0;
  int count = 1;
  int local_rank = 0;   ///< On this machine: its GPU.
  int local_count = 1;  ///< Processes on this machine.
  std::string address;  ///< Where they meet; empty for a single process.
  int port = 0;

  bool alone() const noexcept { return count == 1; }
  bool leads() const noexcept { return rank == 0; }  ///< Writes what is written once.
  bool operator==(const Ranks&) const = default;
};

/// From RANK, WORLD_SIZE, LOCAL_RANK, LOCAL_WORLD_SIZE, MASTER_ADDR and MASTER_PORT, as
/// `environment` knows them; none of them set: a single process. Some without the others, or values
/// that cannot be, are an Error(usage) that names the variable.
Ranks read_ranks(const std::function<std::optional<std::string>(const char*)>& environment);

/// Of this process.
Ranks read_ranks();

/// Whether torchrun started the ranks again after one had failed (TORCHELASTIC_RESTART_COUNT above
/// zero): such a run goes on, even where its command line says to start anew.
bool is_restart(const std::function<std::optional<std::string>(const char*)>& environment);
bool is_restart();

}  // namespace seda::train
