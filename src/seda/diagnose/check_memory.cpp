// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "seda/base/error.h"
#include "seda/base/units.h"
#include "seda/diagnose/check_names.h"
#include "seda/diagnose/checks.h"
#include "seda/feed/feed_plan.h"
#include "seda/feed/memory_needs.h"

namespace seda::diagnose {
namespace {

/// The loader's plan, made without a loader.
struct DryRun {
  std::string extent;  ///< Of the clips that the shapes are of.
  feed::FeedOptions options;
  feed::FeedPlan plan;
  std::optional<feed::MemoryPlan> memory;  ///< Nothing:
  std::string problem;                     ///< it does not fit, and why.
};

/// Nothing where no clip can be fed.
std::optional<DryRun> dry_run(const CheckContext& context) {
  if (!context.view || !context.feed) return {};
  const feed::ClipSource& source = *context.view->clips.source;
  DryRun out;
  out.extent = context.view->extent();
  try {
    out.plan = feed::plan_feed(source.rows(), source.mel(), *context.feed);
    out.options = feed::with_prefetch(*context.feed, out.plan);
    out.memory = feed::plan_memory(feed::memory_needs(source, out.plan, out.options), out.options,
                                   context.platform);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::check_failed) return {};
    if (error.kind() != ErrorKind::memory) throw;
    out.problem = error.what();
  }
  return out;
}

Check not_planned(const char* name, const CheckContext& context) {
  if (!context.view) return not_measured(name, context.no_view, context.to_view);
  return context.feed ? not_measured(name, "no clip can be fed", "see corpus fit")
                      : not_measured(name, "the roles cannot be had", "see roles and budgets");
}

/// What shares a limit with the model: its slots; on the CPU everything the loader takes; on one
/// GPU for both roles the data role's too, unless each has its budget.
uint64_t loader_bytes(const DryRun& run) {
  using enum feed::MemoryRole;
  if (!run.memory) return 0;
  if (run.options.roles.model.is_cpu()) return run.memory->bytes(host) + run.memory->bytes(model);
  const bool shared =
      run.options.roles.data == run.options.roles.model && !run.options.budgets.isolated;
  return run.memory->bytes(model) + (shared ? run.memory->bytes(data) : 0);
}

uint64_t limit_of(const CheckContext& context, const DryRun& run) {
  const feed::FeedOptions& options = run.options;
  if (options.budgets.isolated && options.roles.model.is_cuda()) return options.budgets.model_bytes;
  return context.platform.memory(options.roles.model).free_bytes;
}

/// `model.*` as far as they do not fit each other, which the schema does not see.
Check wrong_model(const CheckContext& context) {
  return judged(kMemoryFit,
                {{Severity::error,
                  "contradiction",
                  "model.size",
                  0,
                  context.no_model,
                  "change one of the keys it names",
                  {}}},
                "");
}

}  // namespace

Check check_batch_size(const CheckContext& context) {
  const auto run = dry_run(context);
  if (!run) return not_planned(kBatchSize, context);
  const char* key = feed::batch_key(run->options);
  const std::string clips = feed::batch_words(run->options) + " a batch";
  if (!run->memory) {
    return judged(
        kBatchSize,
        {of_key(context.config, key, Severity::error, FindingCode::batch_too_large,
                clips + ": " + run->problem, fmt::format("lower {} or data.max_mel_frames", key))},
        "");
  }
  std::vector<Finding> findings;
  for (const std::string& note : run->memory->notes) {
    findings.push_back(of_key(context.config, "data.pipeline_buffer_size", Severity::warning,
                              FindingCode::slots_cut, note,
                              fmt::format("lower {}, or free memory on the device", key)));
  }
  return judged(kBatchSize, std::move(findings),
                fmt::format("{}, shapes {}: {}", clips, run->extent,
                            fmt::join(feed::describe(*run->memory, run->options), "; ")));
}

Check check_memory(const CheckContext& context) {
  if (context.model_failed) return wrong_model(context);
  const auto run = dry_run(context);
  if (!run) return not_planned(kMemoryFit, context);
  if (!run->memory)
    return not_measured(kMemoryFit, "the batches alone do not fit", "see batch size");
  if (!context.model) return not_measured(kMemoryFit, context.no_model);
  const ModelMemory& model = *context.model;
  const uint64_t slots = loader_bytes(*run);
  const uint64_t all = model.weight_bytes + model.optimizer_bytes + slots;
  const uint64_t limit = limit_of(context, *run);
  std::string evidence = fmt::format(
      "{}: {:.1f} M weights {}, optimizer {}, batches {}: {} of {} {}; a step's activations come "
      "on "
      "top, `seda profile step` measures them",
      device::to_string(run->options.roles.model), static_cast<double>(model.parameters) * 1e-6,
      format_bytes(model.weight_bytes), format_bytes(model.optimizer_bytes), format_bytes(slots),
      format_bytes(all), format_bytes(limit), run->options.budgets.isolated ? "budget" : "free");
  if (all <= limit) return passed(kMemoryFit, std::move(evidence));
  return judged(
      kMemoryFit,
      {of_key(context.config, "model.size", Severity::error, FindingCode::memory_exceeded, evidence,
              fmt::format("a smaller model.size or {}, a larger budget, or a device with more "
                          "memory",
                          feed::batch_key(run->options)))},
      "");
}

}  // namespace seda::diagnose
