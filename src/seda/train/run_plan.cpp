// SPDX-License-Identifier: Apache-2.0
#include "seda/train/run_plan.h"

#include <fmt/format.h>

#include "seda/base/units.h"

namespace seda::train {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;

/// "8 (--num-workers)".
std::string sourced(const config::Config& config, const char* key, const std::string& value) {
  return fmt::format("{} ({})", value, config.source(key).text());
}

std::string roles_line(const PlanInput& input) {
  const feed::Roles& roles = input.setup.feed.roles;
  std::string out = fmt::format("plan: data role on {}, model role on {}", to_string(roles.data),
                                to_string(roles.model));
  if (roles.data == roles.model && roles.model.is_cuda()) out += " (one GPU for both)";
  const Ranks& ranks = input.options.ranks;
  if (!ranks.alone()) {
    feed::FeedOptions all = input.setup.feed;
    all.batch_size *= ranks.count;
    all.batch_frames *= ranks.count;
    out += fmt::format("; rank {} of {}, with {} a step in all; speeds are one rank's", ranks.rank,
                       ranks.count, feed::batch_words(all));
  }
  return out;
}

std::string memory_line(const PlanInput& input) {
  const feed::Budgets& budgets = input.setup.feed.budgets;
  if (!budgets.isolated) return "plan: memory: no budgets bind, the limit is what is free";
  return fmt::format("plan: memory isolation: data role {} MB, model role {} MB",
                     budgets.data_bytes / kMiB, budgets.model_bytes / kMiB);
}

std::string auto_or(int value) {
  return value > 0 ? std::to_string(value) : "auto";
}

std::string feed_line(const PlanInput& input) {
  const feed::FeedOptions& feed = input.setup.feed;
  const config::Config& config = input.options.config;
  return fmt::format(
      "plan: batch of {}, workers {}, batches ahead {}, slots {}, path {}",
      sourced(config, feed::batch_key(feed),
              feed.batch_frames > 0 ? feed::batch_words(feed) : std::to_string(feed.batch_size)),
      sourced(config, "data.num_workers", auto_or(feed.workers)),
      sourced(config, "data.prefetch_buffer_size", auto_or(feed.prefetch)),
      sourced(config, "data.pipeline_buffer_size", std::to_string(feed::wanted_slots(feed))),
      input.setup.clips.source->path());
}

std::string model_line(const PlanInput& input) {
  const model::ModelOptions& model = input.engine.model;
  return fmt::format(
      "plan: model {}: {:.1f} M weights, hidden {} x {} + {} layers, {} heads; weights {}, "
      "optimizer {}",
      sourced(input.options.config, "model.size", input.options.config.text("model.size")),
      static_cast<double>(input.model.parameters) * 1e-6, model.hidden_size, model.encoder_layers,
      model.decoder_layers, model.heads, format_bytes(input.model.weight_bytes),
      format_bytes(input.model.optimizer_bytes));
}

std::string step_line(const PlanInput& input) {
  const EngineOptions& engine = input.engine;
  std::string out = "plan: step: ";
  if (engine.checked) {
    out += "op by op with every operation checked, which is slow (training.enable_eager_debug)";
  } else if (engine.graphs) {
    out += "a CUDA graph for each shape";
  } else {
    out += input.setup.feed.roles.model.is_cuda() ? "op by op (training.enable_graph_mode is off)"
                                                  : "op by op (graphs are for GPUs)";
  }
  out += engine.mixed_precision ? ", bf16 with fp32 weights" : ", fp32";
  out += engine.fused ? ", fused kernels" : ", plain kernels";
  if (engine.deterministic) out += ", deterministic";
  if (engine.optimizer.accumulation > 1)
    out += fmt::format(", {} batches a step", engine.optimizer.accumulation);
  return out;
}

std::string length_line(const PlanInput& input) {
  const auto& options = input.options;
  return fmt::format(
      "plan: {} steps{}, log every {}, validation every {}, checkpoint every {} to {}", input.total,
      input.setup.progress.updates > 0 ? fmt::format(" ({} done)", input.setup.progress.updates)
                                       : "",
      options.log_every, options.eval_every, options.checkpoint_every, options.run_folder.string());
}

}  // namespace

std::vector<std::string> describe_plan(const PlanInput& input) {
  std::vector<std::string> lines = {roles_line(input), memory_line(input)};
  for (const std::string& line : feed::describe(input.setup.plan, input.setup.feed))
    lines.push_back("plan: " + line);
  lines.push_back(feed_line(input));
  lines.push_back(model_line(input));
  lines.push_back(step_line(input));
  lines.push_back(length_line(input));
  return lines;
}

}  // namespace seda::train
