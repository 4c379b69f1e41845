// SPDX-License-Identifier: Apache-2.0
#include "seda/train/agreement.h"

#include <algorithm>
#include <vector>

#include "seda/base/error.h"
#include "seda/base/interrupt.h"

namespace seda::train {

void require_same(Engine& engine, std::span<const SharedFact> facts) {
  std::vector<double> values;
  for (const SharedFact& fact : facts) {
    values.push_back(fact.value);
    values.push_back(-fact.value);
  }
  const std::vector<double> most = engine.largest(values);
  for (size_t i = 0; i < facts.size(); ++i) {
    const double largest = most[2 * i];
    const double smallest = -most[2 * i + 1];
    if (largest == smallest) continue;
    throw_error(ErrorKind::check_failed,
                "the ranks differ in {}: from {} to {}, here {}; give all the same data, "
                "configuration and folder of checkpoints (--checkpoint-dir), which they share",
                facts[i].what, smallest, largest, facts[i].value);
  }
}

int agreed_signal(Engine& engine) {
  const double own = interrupted() ? std::max(interrupt_signal(), 1) : 0;
  return static_cast<int>(engine.largest({&own, 1}).front());
}

void wait_for_all(Engine& engine) {
  const double nothing = 0;
  engine.largest({&nothing, 1});
}

bool LeaderWork::tell(bool done) {
  const double value = done ? 1 : 0;
  return engine_.largest({&value, 1}).front() > 0;
}

void LeaderWork::part_done() {
  tell(false);
}

void LeaderWork::done() {
  tell(true);
}

void LeaderWork::wait() {
  while (!tell(false)) {
  }
}

}  // namespace seda::train
