// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "seda/base/json.h"
#include "seda/train/run_setup.h"
#include "seda/train/schedule.h"

namespace seda::train {

/// What a plan is made of.
struct PlanInput {
  const TrainOptions& options;
  const RunSetup& setup;
  EngineOptions engine;
  ModelFacts model;
  Schedule schedule;
  uint64_t total = 0;  ///< Updates.
};

/// Lines for people, said before the first step and held to: devices and roles, budgets, clips and
/// shapes, workers and buffers with where each value came from, the model and its memory, how a
/// step runs and why.
std::vector<std::string> describe_plan(const PlanInput& input);

/// The same for scripts.
Json to_json(const PlanInput& input);

/// What of it may not be what was meant: epochs that end a run before its steps are over, a warm-up
/// as long as the run, budgets that bind nothing.
std::vector<std::string> notes_of_plan(const PlanInput& input);

}  // namespace seda::train
