// SPDX-License-Identifier: Apache-2.0
#include "seda/config/detail/key_builder.h"
#include "seda/config/detail/schema_parts.h"

namespace seda::config::detail {
namespace {

constexpr double kManySteps = 1e9;

std::vector<Key> length_keys() {
  return {
      integer("training.epochs", 100)
          .range(1, kManySteps)
          .unit("epochs")
          .means("Passes over the corpus. The default yields to training.max_steps."),
      integer("training.max_steps")
          .none("none; training.epochs decides")
          .range(1, kManySteps)
          .unit("steps")
          .means("Stop after this many optimizer steps."),
      integer("training.seed", 0)
          .range(0, 4294967295)
          .means("Seed of the order of clips, of the weights and of dropout."),
  };
}

std::vector<Key> optimizer_keys() {
  return {
      number("training.lr", 2e-4)
          .alias("training.learning_rate")
          .above(0)
          .at_most(10)
          .means("Peak learning rate."),
      choice("training.schedule", "cosine")
          .one_of({"constant", "linear", "cosine", "exponential", "inverse_sqrt"})
          .means("How the learning rate falls after the warm-up."),
      integer("training.warmup_steps", 500)
          .range(0, kManySteps)
          .unit("steps")
          .means(
              "Steps in which the learning rate rises to its peak. The default is at most a tenth "
              "of the run."),
      number("training.final_lr_share", 0.01)
          .range(0, 1)
          .means("Share of the peak left at the end of a linear, cosine or exponential schedule."),
      number("training.weight_decay", 0.01).range(0, 1).means("Decay of the weights (AdamW)."),
      number("training.beta1", 0.9).at_least(0).below(1).means("Memory of the mean gradient."),
      number("training.beta2", 0.98).at_least(0).below(1).means("Memory of the squared gradient."),
      number("training.epsilon", 1e-8)
          .above(0)
          .at_most(1)
          .means("Added to the root of the squared gradient."),
      number("training.gradient_clip_norm", 1.0)
          .none("none; gradients are not cut")
          .above(0)
          .at_most(1e6)
          .means("Largest norm of the gradient."),
      integer("training.gradient_accumulation_steps", 1)
          .range(1, 1024)
          .unit("batches")
          .means("Batches whose gradients are added before a step."),
      number("training.average_decay", 0.999)
          .at_least(0)
          .below(1)
          .means("Memory of the averaged weights, which speak."),
      integer("training.discriminator_start", 1000)
          .range(0, kManySteps)
          .unit("steps")
          .means("Steps of a vocoder before discriminators count (train --stage vocoder)."),
  };
}

std::vector<Key> execution_keys() {
  return {
      boolean("training.enable_graph_mode", true).means("One CUDA graph for each fixed shape."),
      boolean("training.enable_xla_compilation", true)
          .alias("data.enable_xla")
          .means("Fused kernels; off: op by op, for comparison."),
      boolean("training.mixed_precision")
          .automatic("on with a GPU")
          .alias("data.mixed_precision")
          .means("Compute in bf16, keep the weights in fp32."),
      boolean("training.enable_eager_debug", false).means("Op by op with checks; slow."),
      boolean("training.deterministic", false)
          .means("Only operations with a fixed order of additions; slower on a GPU."),
  };
}

std::vector<Key> checkpoint_keys() {
  return {
      folder("training.checkpoint_dir", "checkpoints").means("Folder of checkpoints and logs."),
      integer("training.checkpoint_every", 1000)
          .range(1, kManySteps)
          .unit("steps")
          .means("Distance between checkpoints."),
      integer("training.keep_checkpoints", 3)
          .range(1, 1000)
          .unit("checkpoints")
          .means("How many of the last are kept; the best is kept too."),
      folder("training.resume")
          .automatic("the newest in training.checkpoint_dir, if there is one")
          .means("Checkpoint to go on from."),
      boolean("training.reset", false).means("Start anew although there is a checkpoint."),
  };
}

std::vector<Key> report_keys() {
  return {
      integer("training.eval_every", 1000)
          .range(1, kManySteps)
          .unit("steps")
          .means("Distance between validations."),
      integer("training.log_every", 50)
          .range(1, kManySteps)
          .unit("steps")
          .means("Distance between log points; the host waits for the GPU only there."),
      folder("training.tensorboard_log_dir")
          .automatic("<checkpoint_dir>/tensorboard")
          .means("Folder of the TensorBoard events."),
      folder("training.trace_batches")
          .none("none; nothing is traced")
          .means("File that gets one JSON line for each step: its clips and its loss."),
  };
}

}  // namespace

std::vector<Key> training_keys() {
  return join({length_keys, optimizer_keys, execution_keys, checkpoint_keys, report_keys});
}

}  // namespace seda::config::detail
