// SPDX-License-Identifier: Apache-2.0
#include "seda/train/run_plan.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

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

/// They are of GPUs' memory.
bool holds_budgets(const feed::FeedOptions& feed) {
  return feed.budgets.isolated && (feed.roles.data.is_cuda() || feed.roles.model.is_cuda());
}

std::string memory_line(const PlanInput& input) {
  const feed::Budgets& budgets = input.setup.feed.budgets;
  if (!holds_budgets(input.setup.feed)) {
    return "plan: memory: no budgets bind, the limit is what is free";
  }
  return fmt::format("plan: memory isolation: data role {} MB, model role {} MB",
                     budgets.data_bytes / kMiB, budgets.model_bytes / kMiB);
}

std::string auto_or(int value) {
  return value > 0 ? std::to_string(value) : "auto";
}

std::string feed_line(const PlanInput& input) {
  const feed::FeedOptions& feed = input.setup.feed;
  const config::Config& config = input.options.config;
  const std::string batch =
      sourced(config, feed::batch_key(feed),
              feed.batch_frames > 0 ? feed::batch_words(feed) : std::to_string(feed.batch_size));
  if (!feed.native) {
    return fmt::format(
        "plan: batch of {}, path reference loader: one thread reads raw files "
        "(data.native_loading is off, {})",
        batch, config.source("data.native_loading").text());
  }
  return fmt::format(
      "plan: batch of {}, workers {}, batches ahead {}, slots {}, path {}", batch,
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
  if (!engine.fused) {
    out += ", plain kernels";
  } else if (input.setup.feed.roles.model.is_cuda()) {
    out += ", fused kernels";
  }
  if (engine.deterministic) out += ", deterministic";
  if (engine.optimizer.accumulation > 1)
    out += fmt::format(", {} batches a step", engine.optimizer.accumulation);
  return out;
}

/// Of a loader: chosen where it is 0.
Json chosen_or(int value) {
  return value > 0 ? Json(value) : Json("auto");
}

Json with_source(const PlanInput& input, const char* key, Json value) {
  return {{"value", std::move(value)}, {"source", input.options.config.source(key).text()}};
}

Json feed_json(const PlanInput& input) {
  const feed::FeedOptions& feed = input.setup.feed;
  const feed::FeedPlan& plan = input.setup.plan;
  const feed::LengthReport& clips = plan.lengths.report;
  Json shapes = Json::array();
  for (const feed::Bucket& bucket : plan.buckets) {
    shapes.push_back(
        {{"tokens", bucket.tokens}, {"frames", bucket.frames}, {"clips", bucket.batch_size}});
  }
  const bool by_frames = feed.batch_frames > 0;
  return {
      {"clips",
       {{"fed", clips.clips},
        {"skipped_text", clips.skipped_text},
        {"skipped_mel", clips.skipped_mel},
        {"cut_text", clips.cut_text},
        {"cut_mel", clips.cut_mel},
        {"unusable", clips.unusable + clips.silent}}},
      {"shapes", std::move(shapes)},
      {"fixed_shapes", feed.fixed_shapes},
      {"padding", feed.fixed_shapes ? plan.padding.buckets.frames : plan.padding.by_batch.frames},
      {by_frames ? "batch_frames" : "batch_size",
       with_source(input, feed::batch_key(feed), by_frames ? feed.batch_frames : feed.batch_size)},
      {"num_workers", with_source(input, "data.num_workers", chosen_or(feed.workers))},
      {"prefetch_buffer_size",
       with_source(input, "data.prefetch_buffer_size", chosen_or(feed.prefetch))},
      {"pipeline_buffer_size",
       with_source(input, "data.pipeline_buffer_size", feed::wanted_slots(feed))},
      {"native_loading", feed.native},
      {"path", input.setup.clips.source->path()}};
}

Json memory_json(const PlanInput& input) {
  const feed::FeedOptions& feed = input.setup.feed;
  if (!holds_budgets(feed)) return {{"isolated", false}};
  return {{"isolated", true},
          {"data_bytes", feed.budgets.data_bytes},
          {"model_bytes", feed.budgets.model_bytes}};
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

Json to_json(const PlanInput& input) {
  const EngineOptions& engine = input.engine;
  const TrainOptions& options = input.options;
  const feed::Roles& roles = input.setup.feed.roles;
  Json out = {{"devices", {{"data", to_string(roles.data)}, {"model", to_string(roles.model)}}},
              {"memory", memory_json(input)}};
  out.update(feed_json(input));
  out.update({{"model",
               {{"size", options.config.text("model.size")},
                {"parameters", input.model.parameters},
                {"weight_bytes", input.model.weight_bytes},
                {"optimizer_bytes", input.model.optimizer_bytes}}},
              {"step",
               {{"graphs", engine.graphs},
                {"mixed_precision", engine.mixed_precision},
                {"fused", engine.fused},
                {"checked", engine.checked},
                {"deterministic", engine.deterministic},
                {"accumulation", engine.optimizer.accumulation}}},
              {"ranks", options.ranks.count},
              {"steps", input.total},
              {"steps_done", input.setup.progress.updates},
              {"warmup_steps", input.schedule.warmup},
              {"log_every", options.log_every},
              {"eval_every", options.eval_every},
              {"checkpoint_every", options.checkpoint_every},
              {"lines", describe_plan(input)}});
  return out;
}

std::vector<std::string> notes_of_plan(const PlanInput& input) {
  std::vector<std::string> notes;
  const TrainOptions& options = input.options;
  const uint64_t asked = options.max_updates.value_or(input.total);
  if (asked > input.total) {
    notes.push_back(fmt::format(
        "training.epochs {} ({}) ends the run at step {}, before "
        "training.max_steps {}",
        options.epochs, options.config.source("training.epochs").text(), input.total, asked));
  }
  if (input.schedule.warmup >= input.total && input.schedule.warmup > 1) {
    notes.push_back(
        fmt::format("training.warmup_steps {} is not below the run's {} steps: the "
                    "learning rate rises all the time",
                    input.schedule.warmup, input.total));
  }
  if (input.setup.feed.budgets.isolated && !holds_budgets(input.setup.feed)) {
    notes.emplace_back(
        "data.memory_isolation holds budgets of GPUs, and both roles are the CPU's: "
        "none binds");
  }
  return notes;
}

}  // namespace seda::train
