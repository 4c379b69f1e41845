// SPDX-License-Identifier: Apache-2.0
//
// What is printed in guides that people copy from: every YAML block loads as it stands, every
// command line's flags parse.
#include <map>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/config/support.h"

namespace seda::config {
namespace {

using Values = std::map<std::string, Value>;

struct Block {
  Block(std::string title, std::string text, Values content)
      : name(std::move(title)), yaml(std::move(text)), values(std::move(content)) {}

  std::string name;
  std::string yaml;
  Values values;
};

std::ostream& operator<<(std::ostream& out, const Block& block) {
  return out << block.name;
}

Value whole(int64_t value) {
  return value;
}

std::vector<Block> blocks() {
  return {
      {"essential",
       R"(data:
  use_tf_native_loading: true      # native
  num_workers: 16                  # Parallel processing
  prefetch_buffer_size: 16         # Smooth GPU feeding
  pad_to_fixed_length: true        # Anti-retracing
  max_text_length: 200
  max_mel_frames: 800
  enable_xla: true
  batch_size: 32
)",
       {{"data.native_loading", true},
        {"data.num_workers", whole(16)},
        {"data.prefetch_buffer_size", whole(16)},
        {"data.pad_to_fixed_length", true},
        {"data.max_text_length", whole(200)},
        {"data.max_mel_frames", whole(800)},
        {"training.enable_xla_compilation", true},
        {"data.batch_size", whole(32)}}},
      {"required",
       R"(data:
  # CRITICAL
  use_tf_native_loading: true
  
  # CRITICAL
  num_workers: 16                  # Use 4-32 based on CPU
  
  # CRITICAL
  prefetch_buffer_size: 16         # Use 8-32 for best results
  
  # CRITICAL
  pad_to_fixed_length: true
  max_text_length: 200
  max_mel_frames: 800
  
  # RECOMMENDED
  enable_xla: true                 # 10-30% speedup
  mixed_precision: true            # GPU efficiency
  prefetch_to_gpu: true            # CPU-GPU overlap
  enhanced_gpu_prefetch: true      # Advanced prefetching
  optimize_cpu_gpu_overlap: true   # Maximum parallelism
  
  # Adjust
  batch_size: 32                   # Use 16-64
  
  # OPTIONAL
  data_gpu: 0                      # Data preprocessing GPU
  model_gpu: 1                     # Model training GPU
  pipeline_buffer_size: 50         # Buffer size
)",
       {{"data.native_loading", true},
        {"data.num_workers", whole(16)},
        {"data.prefetch_buffer_size", whole(16)},
        {"data.pad_to_fixed_length", true},
        {"data.max_text_length", whole(200)},
        {"data.max_mel_frames", whole(800)},
        {"training.enable_xla_compilation", true},
        {"training.mixed_precision", true},
        {"data.prefetch_to_gpu", true},
        {"data.enhanced_gpu_prefetch", true},
        {"data.optimize_cpu_gpu_overlap", true},
        {"data.batch_size", whole(32)},
        {"data.data_gpu", "0"},
        {"data.model_gpu", "1"},
        {"data.pipeline_buffer_size", whole(50)}}},
      {"fewer_workers",
       "# Reduce workers if CPU is limited\ndata:\n  num_workers: 8  # or even 4\n",
       {{"data.num_workers", whole(8)}}},
      {"two_sections",
       R"(data:
  # GPU
  use_tf_native_loading: true          # a
  prefetch_to_gpu: true                # b
  enhanced_gpu_prefetch: true          # c
  optimize_cpu_gpu_overlap: true       # d
  
  # Loading
  num_workers: 16                      # e
  prefetch_buffer_size: 16             # f
  batch_size: 32                       # g
  
  # Memory
  pin_memory: true                     # h
  enable_memory_mapping: true          # i

training:
  # Graph
  enable_graph_mode: true              # j
  enable_xla_compilation: true         # k
  enable_eager_debug: false            # l
  
  # Mixed Precision
  mixed_precision: true                # m
)",
       {{"data.native_loading", true},
        {"data.prefetch_to_gpu", true},
        {"data.enhanced_gpu_prefetch", true},
        {"data.optimize_cpu_gpu_overlap", true},
        {"data.num_workers", whole(16)},
        {"data.prefetch_buffer_size", whole(16)},
        {"data.batch_size", whole(32)},
        {"data.pin_memory", true},
        {"data.enable_memory_mapping", true},
        {"training.enable_graph_mode", true},
        {"training.enable_xla_compilation", true},
        {"training.enable_eager_debug", false},
        {"training.mixed_precision", true}}},
      {"native", "data:\n  use_tf_native_loading: true\n", {{"data.native_loading", true}}},
      {"workers_and_prefetch",
       "data:\n  num_workers: 16\n  prefetch_buffer_size: 16\n",
       {{"data.num_workers", whole(16)}, {"data.prefetch_buffer_size", whole(16)}}},
      {"precompute_commented",
       "data:\n  preprocessing_mode: \"precompute\"  # once\n",
       {{"data.preprocessing_mode", "precompute"}}},
      {"graph_and_xla",
       "training:\n  enable_graph_mode: true\n  enable_xla_compilation: true\n",
       {{"training.enable_graph_mode", true}, {"training.enable_xla_compilation", true}}},
      {"precompute_verified",
       "data:\n  preprocessing_mode: \"precompute\"\n  cache_verification: true\n",
       {{"data.preprocessing_mode", "precompute"}, {"data.cache_verification", true}}},
      {"xla",
       "training:\n  enable_xla_compilation: true\n",
       {{"training.enable_xla_compilation", true}}},
      {"slow_loading",
       R"(# In configs/config.yaml
data:
  num_workers: 24              # Increase from 16
  prefetch_buffer_size: 6      # Increase from 4
  use_tf_native_loading: true  # Make sure enabled
)",
       {{"data.num_workers", whole(24)},
        {"data.prefetch_buffer_size", whole(6)},
        {"data.native_loading", true}}},
      {"more_workers",
       "data:\n  num_workers: 24     # More parallel workers\n",
       {{"data.num_workers", whole(24)}}},
      {"indented_batch",
       "   data:\n     batch_size: 24  # more\n",
       {{"data.batch_size", whole(24)}}},
      {"indented_prefetch",
       "   data:\n     prefetch_buffer_size: 24  # more\n",
       {{"data.prefetch_buffer_size", whole(24)}}},
      {"indented_workers",
       "   data:\n     num_workers: 24  # more\n",
       {{"data.num_workers", whole(24)}}},
  };
}

class PublishedBlock : public testing::TestWithParam<Block> {};

TEST_P(PublishedBlock, LoadsAsItStands) {
  const Config config = parse_good(GetParam().yaml);
  EXPECT_EQ(config.given().size(), GetParam().values.size());
  for (const auto& [path, value] : GetParam().values)
    EXPECT_EQ(config.value(path), value) << path;
}

INSTANTIATE_TEST_SUITE_P(Guides, PublishedBlock, testing::ValuesIn(blocks()),
                         [](const auto& block) { return block.param.name; });

struct CommandLine {
  CommandLine(std::string words, Values settings)
      : text(std::move(words)), values(std::move(settings)) {}

  std::string text;
  Values values;
};

std::ostream& operator<<(std::ostream& out, const CommandLine& line) {
  return out << line.text;
}

const Values kDual = {{"model.size", "tiny"},
                      {"data.batch_size", whole(16)},
                      {"data.data_gpu", "0"},
                      {"data.model_gpu", "1"},
                      {"data.memory_isolation", true}};

Values with(Values values, const Values& more) {
  values.insert(more.begin(), more.end());
  return values;
}

std::vector<CommandLine> command_lines() {
  const Values corpus = {{"data.dataset_path", "./data"}};
  const Values profiled = with(corpus, {{"data.batch_size", whole(16)}});
  return {
      {"train --config configs/config.yaml", {}},
      {"validate --config configs/config.yaml", {}},
      {"validate --fix", {}},
      {"diagnose --data-path ./data", corpus},
      {"diagnose --data-path ./data --output diagnostic_report.txt", corpus},
      {"diagnose --batch-size 16 --num-batches 50", {{"data.batch_size", whole(16)}}},
      {"profile data --data-path ./data --batch-size 16 --num-batches 100", profiled},
      {"profile data --data-path ./data --benchmark", corpus},
      {"profile data --data-path ./data --batch-size 16 --num-batches 100 --output gpu_profile.txt",
       profiled},
      {"profile data --data-path ./data --benchmark --output benchmark_results.txt", corpus},
      {"profile data --data-path ./data --num-batches 100", corpus},
      {"profile step --data-path ./data --num-steps 100 --batch-size 16", profiled},
      {"profile step --data-path ./data --num-steps 100 --batch-size 32",
       with(corpus, {{"data.batch_size", whole(32)}})},
      {"profile step --data-path ./data --num-steps 50", corpus},
      {"profile step --data-path ./data --num-steps 100", corpus},
      {"train --train-data ./data --batch-size 32", with(corpus, {{"data.batch_size", whole(32)}})},
      {"profile dual --batch-size 16 --num-steps 100 --data-gpu 0 --model-gpu 1",
       {{"data.batch_size", whole(16)}, {"data.data_gpu", "0"}, {"data.model_gpu", "1"}}},
      {"train --model-size tiny --batch-size 16 --data-gpu 0 --model-gpu 1 "
       "--enable-memory-isolation --enable-static-shapes --data-gpu-memory 8192 "
       "--model-gpu-memory 16384 --train-data ./data/your_dataset",
       with(kDual, {{"data.pad_to_fixed_length", true},
                    {"data.data_gpu_memory", whole(8192)},
                    {"data.model_gpu_memory", whole(16384)},
                    {"data.dataset_path", "./data/your_dataset"}})},
      {"train --model-size tiny --batch-size 8 --data-gpu 0 --model-gpu 1 "
       "--enable-memory-isolation --enable-static-shapes --data-gpu-memory 4096 "
       "--model-gpu-memory 8192 --train-data ./data/your_dataset",
       {{"model.size", "tiny"},
        {"data.batch_size", whole(8)},
        {"data.data_gpu", "0"},
        {"data.model_gpu", "1"},
        {"data.memory_isolation", true},
        {"data.pad_to_fixed_length", true},
        {"data.data_gpu_memory", whole(4096)},
        {"data.model_gpu_memory", whole(8192)},
        {"data.dataset_path", "./data/your_dataset"}}},
      {"train --batch-size 16", {{"data.batch_size", whole(16)}}},
      {"train --data-gpu-memory 10240 --model-gpu-memory 20480",
       {{"data.data_gpu_memory", whole(10240)}, {"data.model_gpu_memory", whole(20480)}}},
      {"train --cache-dataset", {{"data.cache_dataset", true}}},
      {"train --prefetch-buffer-size 8", {{"data.prefetch_buffer_size", whole(8)}}},
      {"train --model-size tiny --batch-size 16 --data-gpu 0 --model-gpu 1 "
       "--enable-memory-isolation --train-data ./data --max-steps 100",
       with(kDual, with(corpus, {{"training.max_steps", whole(100)}}))},
      {"train --model-size tiny --batch-size 16 --data-gpu 0 --model-gpu 1 "
       "--enable-memory-isolation --enable-static-shapes",
       with(kDual, {{"data.pad_to_fixed_length", true}})},
      {"train --model-gpu-memory 20480", {{"data.model_gpu_memory", whole(20480)}}},
  };
}

/// Flags that are not configuration, and whether each takes an argument.
const std::map<std::string, bool> kOthers = {{"--config", true},    {"--fix", false},
                                             {"--output", true},    {"--num-batches", true},
                                             {"--num-steps", true}, {"--benchmark", false}};

class PublishedCommandLine : public testing::TestWithParam<CommandLine> {};

TEST_P(PublishedCommandLine, EveryFlagParses) {
  std::istringstream words(GetParam().text);
  Config config;
  for (std::string word; words >> word;) {
    if (!word.starts_with("--")) continue;
    std::string argument;
    if (const auto other = kOthers.find(word); other != kOthers.end()) {
      if (other->second) words >> argument;
      continue;
    }
    const Flag* flag = find_flag(word);
    ASSERT_NE(flag, nullptr) << word;
    if (!flag->sets) words >> argument;
    config.set_flag(*flag, argument);
  }
  EXPECT_NO_THROW(config.check());
  EXPECT_EQ(config.given().size(), GetParam().values.size());
  for (const auto& [path, value] : GetParam().values)
    EXPECT_EQ(config.value(path), value) << path;
}

INSTANTIATE_TEST_SUITE_P(Guides, PublishedCommandLine, testing::ValuesIn(command_lines()));

}  // namespace
}  // namespace seda::config
