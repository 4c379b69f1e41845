// SPDX-License-Identifier: Apache-2.0
#include "seda/train/run_history.h"

#include <fstream>
#include <string>

#include <nlohmann/json.hpp>

#include "seda/base/json.h"

namespace seda::train {
namespace {

void add(Curve& curve, double step, const Json& line, const char* name) {
  const auto value = line.find(name);
  if (value != line.end() && value->is_number()) curve.push_back({step, value->get<double>()});
}

void add(LossCurves& curves, double step, const Json& losses) {
  add(curves.total, step, losses, "total");
  add(curves.prior, step, losses, "prior");
  add(curves.duration, step, losses, "duration");
  add(curves.flow, step, losses, "flow");
}

/// Of a stretch too short to be timed it is null, or 0 in older logs.
bool is_timed(const Json& line) {
  const auto speed = line.find("steps_per_second");
  return speed != line.end() && speed->is_number() && speed->get<double>() > 0;
}

void add_line(RunHistory& history, const Json& line) {
  if (!line.is_object() || !line.contains("step") || !line["step"].is_number()) return;
  const auto step = line["step"].get<double>();
  if (line.contains("loss")) add(history.training, step, line["loss"]);
  if (line.contains("validation")) add(history.validation, step, line["validation"]);
  add(history.lr, step, line, "lr");
  if (!is_timed(line)) return;
  add(history.steps_per_second, step, line, "steps_per_second");
  add(history.stall, step, line, "data_stall");
}

}  // namespace

RunHistory read_history(const std::filesystem::path& log) {
  RunHistory history;
  std::ifstream file(log);
  for (std::string line; std::getline(file, line);)
    add_line(history, Json::parse(line, nullptr, false));
  return history;
}

}  // namespace seda::train
