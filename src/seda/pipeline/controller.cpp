// SPDX-License-Identifier: Apache-2.0
#include "seda/pipeline/controller.h"

#include <algorithm>
#include <cstdint>

#include "seda/base/error.h"

namespace seda::pipeline {
namespace {

constexpr int kMostDoublings = 20;

double share(double part, double whole) {
  return whole > 0 ? std::clamp(part / whole, 0.0, 1.0) : 0;
}

bool wants_more(const ControllerOptions& options, const StageSample& sample) {
  return sample.busy_share >= options.busy_to_grow &&
         sample.starved_share >= options.starved_to_grow && sample.workers < options.max_workers;
}

bool wants_fewer(const ControllerOptions& options, const StageSample& sample) {
  if (sample.workers <= options.min_workers) return false;
  const double others = sample.workers - 1;
  return sample.blocked_out_share >= options.blocked_out_to_shrink &&
         sample.starved_share < options.starved_to_grow &&
         sample.busy_share * sample.workers <= options.busy_after_shrink * others;
}

Tendency tendency_of(const ControllerOptions& options, const StageSample& sample) {
  if (wants_more(options, sample)) return Tendency::grow;
  return wants_fewer(options, sample) ? Tendency::shrink : Tendency::hold;
}

int64_t needed(const ControllerState& state) {
  return int64_t{state.options.patience} << std::min(state.reversals, kMostDoublings);
}

/// What the samples so far and this one ask for together.
Tendency change_after(const ControllerState& state, const StageSample& sample) {
  const Tendency tendency = tendency_of(state.options, sample);
  const int before = tendency == state.tendency ? state.agreeing : 0;
  return before + 1 >= needed(state) ? tendency : Tendency::hold;
}

}  // namespace

StageSample make_sample(int workers, const StageStatistics& between, double starved_s,
                        double seconds) {
  return {.workers = workers,
          .busy_share = share(between.busy_s, between.worker_s()),
          .blocked_out_share = share(between.blocked_out_s, between.worker_s()),
          .starved_share = share(starved_s, seconds)};
}

void check(const ControllerOptions& options) {
  if (options.min_workers < 1 || options.max_workers < options.min_workers) {
    throw_error(ErrorKind::internal, "expected 1 ≤ min_workers ≤ max_workers, found {} and {}",
                options.min_workers, options.max_workers);
  }
  if (options.busy_after_shrink >= options.busy_to_grow) {
    throw_error(ErrorKind::internal, "busy_after_shrink ({}) must be below busy_to_grow ({})",
                options.busy_after_shrink, options.busy_to_grow);
  }
  if (options.patience < 1) {
    throw_error(ErrorKind::internal, "expected a patience of 1 or more, found {}",
                options.patience);
  }
}

int decide(const ControllerState& state, const StageSample& sample) {
  int workers = sample.workers;
  const Tendency change = change_after(state, sample);
  if (change == Tendency::grow) ++workers;
  if (change == Tendency::shrink) --workers;
  return std::clamp(workers, state.options.min_workers, state.options.max_workers);
}

ControllerState advance(const ControllerState& state, const StageSample& sample) {
  ControllerState next = state;
  const Tendency tendency = tendency_of(state.options, sample);
  next.agreeing = tendency == state.tendency ? state.agreeing + 1 : 1;
  next.tendency = tendency;
  const Tendency change = change_after(state, sample);
  if (change == Tendency::hold) return next;
  next.agreeing = 0;
  next.last_change = change;
  if (state.last_change != Tendency::hold && state.last_change != change) ++next.reversals;
  return next;
}

int Controller::update(const StageSample& sample) {
  const int workers = decide(state_, sample);
  state_ = advance(state_, sample);
  return workers;
}

}  // namespace seda::pipeline
