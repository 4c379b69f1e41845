// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "seda/train/engine.h"

/// What the ranks of a run decide together, through their engines. Every rank makes the same calls
/// in the same order, and each waits for all; a rank alone waits for nobody.
namespace seda::train {

/// A number that is the same on all ranks, or they would not train one model.
struct SharedFact {
  std::string what;
  double value = 0;
};

/// Error(check_failed) that names the first fact in which ranks differ, with the smallest and the
/// largest value.
void require_same(Engine& engine, std::span<const SharedFact> facts);

/// The signal (SIGINT, SIGTERM) that any rank was asked to stop by; 0: none was. SIGTERM of one
/// outweighs Ctrl-C of another.
int agreed_signal(Engine& engine);

/// Until all ranks are here: nobody leaves while another still needs it.
void wait_for_all(Engine& engine);

/// What the leading rank does alone, while the others wait however long it takes: they hear of it
/// after each part, so that their patience is that for one part.
class LeaderWork {
 public:
  explicit LeaderWork(Engine& engine) : engine_(engine) {}

  /// The leader's: a part is done.
  void part_done();
  /// The leader's: all is.
  void done();
  /// The others'.
  void wait();

 private:
  bool tell(bool done);

  Engine& engine_;
};

}  // namespace seda::train
