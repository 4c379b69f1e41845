// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "seda/train/run_setup.h"

namespace seda::train {

/// What a plan is made of.
struct PlanInput {
  const TrainOptions& options;
  const RunSetup& setup;
  EngineOptions engine;
  ModelFacts model;
  uint64_t total = 0;  ///< Updates.
};

/// Lines for people, said before the first step and held to: devices and roles, budgets, clips and
/// shapes, workers and buffers with where each value came from, the model and its memory, how a
/// step runs and why.
std::vector<std::string> describe_plan(const PlanInput& input);

}  // namespace seda::train
