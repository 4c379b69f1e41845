// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <vector>

#include "seda/train/engine/connection.h"
#include "seda/train/ranks.h"

namespace seda::train {

/// How long ranks wait for one another: SEDA_RANK_TIMEOUT_S, else a minute. Anything but a number
/// of seconds above zero is an Error(usage).
std::chrono::seconds rank_timeout();

/// Connections between rank 0 and each other rank.
struct Meeting {
  std::vector<Connection> peers;  ///< Of rank 0: ranks 1, 2, …; of any other: rank 0 alone.
  std::shared_ptr<void> store;    ///< Keeps torch's store alive, which others may still ask.
};

/// Meets the other ranks at `ranks.address`, through torch's store: that of torchrun where it
/// serves one, else one that rank 0 serves at `ranks.port`. An Error(unavailable) says who did not
/// come.
Meeting meet(const Ranks& ranks);

}  // namespace seda::train
