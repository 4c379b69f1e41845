// SPDX-License-Identifier: Apache-2.0
// Every command line that the older guides print: the tool is known and each of its flags has a
// place, either as a flag of the configuration or among those of the verb that replaced the tool.
#include <map>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "seda/cli/old_names.h"
#include "seda/config/config.h"

namespace seda::cli {
namespace {

const char* const kCommands[] = {
    "analyze_data_pipeline_bottleneck.py",
    "validate_gpu_optimization.py --config configs/config.yaml",
    "train_main.py --config configs/config.yaml",
    "comprehensive_gpu_diagnostic.py --data-path ./data",
    "comprehensive_gpu_diagnostic.py --data-path ./data --output diagnostic_report.txt",
    "comprehensive_gpu_diagnostic.py",
    "enhanced_gpu_profiler.py --data-path ./data --batch-size 16 --num-batches 100",
    "enhanced_gpu_profiler.py --data-path ./data --batch-size 16 --num-batches 100 --output "
    "gpu_profile.txt",
    "enhanced_gpu_profiler.py --data-path ./data --benchmark",
    "enhanced_gpu_profiler.py --data-path ./data --benchmark --output benchmark_results.txt",
    "enhanced_gpu_profiler.py --data-path ./data --num-batches 100",
    "training_step_profiler.py --data-path ./data --num-steps 100 --batch-size 16",
    "training_step_profiler.py --data-path ./data --num-steps 100 --batch-size 32",
    "training_step_profiler.py --data-path ./data --num-steps 50",
    "train_main.py --train-data ./data --batch-size 32",
    "dual_gpu_bottleneck_profiler.py --batch-size 16 --num-steps 100 --data-gpu 0 --model-gpu 1",
    "train_main.py --model-size tiny --batch-size 16 --data-gpu 0 --model-gpu 1 "
    "--enable-memory-isolation "
    "--enable-static-shapes --data-gpu-memory 8192 --model-gpu-memory 16384 --train-data "
    "./data/your_dataset",
    "train_main.py --model-size tiny --batch-size 8 --data-gpu 0 --model-gpu 1 "
    "--enable-memory-isolation "
    "--enable-static-shapes --data-gpu-memory 4096 --model-gpu-memory 8192 --train-data "
    "./data/your_dataset",
    "train_main.py --batch-size 16",
    "train_main.py --data-gpu-memory 10240 --model-gpu-memory 20480",
    "train_main.py --cache-dataset",
    "train_main.py --prefetch-buffer-size 8",
    "train_main.py --model-size tiny --batch-size 16 --data-gpu 0 --model-gpu 1 "
    "--enable-memory-isolation "
    "--train-data ./data --max-steps 100",
    "validate_gpu_pipeline.py",
    "validate_gpu_pipeline.py --fix",
    "diagnose_gpu_bottleneck.py --batch-size 16 --num-batches 50",
    "train_main.py",
    "train_main.py --model-size tiny --batch-size 16 --data-gpu 0 --model-gpu 1 "
    "--enable-memory-isolation "
    "--enable-static-shapes",
    "train_main.py --model-gpu-memory 20480",
};

/// Flags of a verb that set no key, and whether each takes an argument.
const std::map<std::string, std::map<std::string, bool>, std::less<>> kVerbFlags = {
    {"train", {{"--config", true}}},
    {"validate", {{"--config", true}, {"--fix", false}}},
    {"diagnose", {{"--output", true}, {"--num-batches", true}}},
    {"profile data", {{"--output", true}, {"--num-batches", true}, {"--benchmark", false}}},
    {"profile step", {{"--num-steps", true}}},
    {"profile dual", {{"--num-steps", true}}},
};

class DocumentedCommand : public testing::TestWithParam<const char*> {};

TEST_P(DocumentedCommand, HasASuccessorThatKnowsItsFlags) {
  std::istringstream words(GetParam());
  std::string tool;
  words >> tool;
  const OldName* old = find_old_name("utilities/" + tool);
  ASSERT_NE(old, nullptr) << tool;
  const auto& own = kVerbFlags.find(old->verb)->second;
  config::Config config;
  for (std::string name; words >> name;) {
    std::string argument;
    if (const config::Flag* flag = config::find_flag(name)) {
      if (!flag->sets) words >> argument;
      EXPECT_NO_THROW(config.set_flag(*flag, argument)) << name << " " << argument;
      continue;
    }
    const auto entry = own.find(name);
    ASSERT_NE(entry, own.end()) << name << " has no place in 'seda " << old->verb << "'";
    if (entry->second) words >> argument;
  }
  EXPECT_NO_THROW(config.check());
}

INSTANTIATE_TEST_SUITE_P(OlderGuides, DocumentedCommand, testing::ValuesIn(kCommands));

}  // namespace
}  // namespace seda::cli
