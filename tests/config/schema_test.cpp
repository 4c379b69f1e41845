// SPDX-License-Identifier: Apache-2.0
#include "seda/config/schema.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "seda/config/parse.h"

namespace seda::config {
namespace {

TEST(Schema, PathsAndOldPathsAreUnique) {
  std::set<std::string> seen;
  for (const Key& key : keys()) {
    EXPECT_TRUE(seen.insert(key.path).second) << key.path;
    for (const std::string& alias : key.aliases)
      EXPECT_TRUE(seen.insert(alias).second) << alias;
  }
  for (const std::string& section : sections())
    EXPECT_FALSE(seen.contains(section)) << section << " is a key and a section";
}

TEST(Schema, EveryDefaultIsAValueTheKeyMayHold) {
  for (const Key& key : keys()) {
    const auto refusal = check_value(key, key.default_value);
    EXPECT_FALSE(refusal) << key.path << ": " << (refusal ? refusal->evidence : "");
  }
}

TEST(Schema, EveryKeyIsExplained) {
  for (const Key& key : keys()) {
    EXPECT_TRUE(key.meaning.ends_with('.')) << key.path;
    EXPECT_EQ(key.meaning.find('\n'), std::string::npos) << key.path;
    EXPECT_EQ(key.may_be_auto, !key.default_note.empty()) << key.path;
    EXPECT_EQ(key.type == Type::choice, key.type != Type::list && !key.choices.empty()) << key.path;
  }
}

TEST(Schema, NumbersHaveBounds) {
  for (const Key& key : keys()) {
    if (key.type != Type::integer && key.type != Type::number) continue;
    EXPECT_TRUE(key.minimum && key.maximum) << key.path;
    EXPECT_LT(key.minimum, key.maximum) << key.path;
  }
}

TEST(Schema, FindsByPathAndOldPath) {
  EXPECT_EQ(find_key("data.use_tf_native_loading"), find_key("data.native_loading"));
  EXPECT_EQ(find_key("data.enable_xla"), find_key("training.enable_xla_compilation"));
  EXPECT_EQ(find_key("data.mixed_precision"), find_key("training.mixed_precision"));
  EXPECT_EQ(find_key("data"), nullptr);
  EXPECT_EQ(find_key(""), nullptr);
}

TEST(Schema, KeysKnowSectionAndName) {
  EXPECT_EQ(find_key("data.mel.fmin")->section(), "data.mel");
  EXPECT_EQ(find_key("data.mel.fmin")->name(), "fmin");
  EXPECT_EQ(find_key("model.size")->section(), "model");
}

/// The contract with users, retyped.
TEST(Schema, DocumentedDefaults) {
  const std::vector<std::pair<std::string, Value>> documented = {
      {"data.dataset_path", {}},
      {"data.validation_path", {}},
      {"data.cache_dir", {}},
      {"data.native_loading", true},
      {"data.num_workers", {}},
      {"data.prefetch_buffer_size", {}},
      {"data.pipeline_buffer_size", int64_t{3}},
      {"data.batch_size", int64_t{16}},
      {"data.batch_frames", {}},
      {"data.pad_to_fixed_length", true},
      {"data.max_text_length", int64_t{200}},
      {"data.max_mel_frames", int64_t{800}},
      {"data.num_buckets", {}},
      {"data.overlong", "skip"},
      {"data.prefetch_to_gpu", true},
      {"data.enhanced_gpu_prefetch", true},
      {"data.optimize_cpu_gpu_overlap", true},
      {"data.pin_memory", true},
      {"data.enable_memory_mapping", true},
      {"data.cache_verification", false},
      {"data.preprocessing_mode", {}},
      {"data.data_gpu", {}},
      {"data.model_gpu", {}},
      {"data.data_gpu_memory", int64_t{8192}},
      {"data.model_gpu_memory", int64_t{16384}},
      {"data.memory_isolation", false},
      {"data.cache_dataset", false},
      {"data.max_fault_share", 0.01},
      {"debug.inject", std::vector<std::string>{}},
      {"data.mel.preset", "hifigan"},
      {"data.text.language", {}},
      {"data.text.phonemes", true},
      {"data.text.add_blank", true},
      {"training.enable_graph_mode", true},
      {"training.enable_xla_compilation", true},
      {"training.mixed_precision", {}},
      {"training.enable_eager_debug", false},
      {"training.deterministic", false},
      {"training.gradient_accumulation_steps", int64_t{1}},
      {"model.size", "tiny"},
  };
  for (const auto& [path, value] : documented) {
    ASSERT_NE(find_key(path), nullptr) << path;
    EXPECT_EQ(find_key(path)->default_value, value) << path;
  }
}

TEST(Schema, DocumentedKeysExist) {
  for (const char* path : {"data.mel.sample_rate",
                           "data.mel.n_fft",
                           "data.mel.hop_length",
                           "data.mel.win_length",
                           "data.mel.n_mels",
                           "data.mel.fmin",
                           "data.mel.fmax",
                           "data.text.cleaners",
                           "data.text.tokenizer",
                           "training.lr",
                           "training.epochs",
                           "training.max_steps",
                           "training.warmup_steps",
                           "training.schedule",
                           "training.weight_decay",
                           "training.gradient_clip_norm",
                           "training.checkpoint_every",
                           "training.keep_checkpoints",
                           "training.eval_every",
                           "training.log_every",
                           "training.seed"}) {
    EXPECT_NE(find_key(path), nullptr) << path;
  }
}

TEST(Flags, NamesAreUniqueAndLeadToKeys) {
  std::set<std::string> seen;
  for (const Flag& flag : flags()) {
    EXPECT_TRUE(seen.insert(flag.name).second) << flag.name;
    EXPECT_TRUE(flag.name.starts_with("--")) << flag.name;
    const Key* key = find_key(flag.key);
    ASSERT_NE(key, nullptr) << flag.name;
    EXPECT_EQ(key->path, flag.key) << "flags name keys, not old names";
    EXPECT_EQ(flag.sets.has_value(), key->type == Type::boolean) << flag.name;
  }
}

TEST(Flags, DocumentedFlagsExist) {
  for (const char* name : {"--train-data",
                           "--val-data",
                           "--model-size",
                           "--batch-size",
                           "--epochs",
                           "--max-steps",
                           "--lr",
                           "--grad-accum",
                           "--num-workers",
                           "--prefetch-buffer-size",
                           "--buffer-size",
                           "--data-gpu",
                           "--model-gpu",
                           "--enable-memory-isolation",
                           "--data-gpu-memory",
                           "--model-gpu-memory",
                           "--enable-static-shapes",
                           "--disable-static-shapes",
                           "--max-text-length",
                           "--max-mel-frames",
                           "--cache-dataset",
                           "--prefetch-to-gpu",
                           "--no-prefetch-to-gpu",
                           "--checkpoint-dir",
                           "--resume",
                           "--reset-training",
                           "--tensorboard-log-dir",
                           "--seed",
                           "--trace-batches",
                           "--data-path",
                           "--cache-dir",
                           "--hash",
                           "--format",
                           "--no-xla",
                           "--no-mixed-precision"}) {
    EXPECT_NE(find_flag(name), nullptr) << name;
  }
  EXPECT_EQ(find_flag("--config"), nullptr);
}

}  // namespace
}  // namespace seda::config
