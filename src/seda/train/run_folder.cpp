// SPDX-License-Identifier: Apache-2.0
#include "seda/train/run_folder.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "seda/base/log.h"
#include "seda/train/checkpoint_folder.h"

namespace seda::train {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLog = "log.jsonl";
constexpr const char* kBest = "best";

bool is_left_by_runs(const std::string& name) {
  constexpr const char* kNames[] = {kLog, kBest, "report.html", "samples", "tensorboard"};
  return std::ranges::find(kNames, name) != std::end(kNames) || name.starts_with("step-") ||
         name.starts_with("not-finite-");
}

std::vector<fs::path> left_by_runs(const fs::path& run_folder) {
  std::vector<fs::path> out;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(run_folder, none)) {
    if (is_left_by_runs(entry.path().filename().string())) out.push_back(entry.path());
  }
  return out;
}

bool are_one(const fs::path& one, const fs::path& other) {
  std::error_code none;
  return fs::equivalent(one, other, none);
}

void move_later(const fs::path& run_folder, std::vector<fs::path> later) {
  const size_t count = later.size();
  const fs::path best = best_checkpoint(run_folder);
  if (std::ranges::find(later, best) != later.end()) later.push_back(run_folder / kBest);
  const fs::path aside = move_aside(run_folder, later);
  std::error_code none;
  fs::copy_file(run_folder / kLog, aside / kLog, none);  // its later lines are cut off
  log::info("going back: later checkpoints ({}) were moved to {}", count, aside.string());
}

}  // namespace

void make_room(const fs::path& run_folder, const fs::path& checkpoint) {
  const auto all = list_checkpoints(run_folder);
  const auto from =
      std::ranges::find_if(all, [&](const fs::path& path) { return are_one(path, checkpoint); });
  if (from != all.end()) {
    if (std::next(from) != all.end()) move_later(run_folder, {std::next(from), all.end()});
    return;
  }
  const auto left = left_by_runs(run_folder);
  if (left.empty()) return;
  const fs::path aside = move_aside(run_folder, left);
  log::info("what an earlier run left in {} was moved to {}", run_folder.string(), aside.string());
}

}  // namespace seda::train
