// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/validation.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "seda/base/error.h"
#include "seda/base/interrupt.h"
#include "seda/base/thread.h"
#include "seda/device/system_monitor.h"
#include "seda/diagnose/check_names.h"
#include "seda/diagnose/checks.h"

namespace seda::diagnose {
namespace {

/// A check and what it is called.
struct NamedCheck {
  const char* name;
  Check (*look)(const CheckContext&);
};

/// Of the configuration and its devices: they need no corpus.
constexpr NamedCheck kOfConfiguration[] = {
    {kConfigurationFile, check_configuration_file},
    {kSchema, check_schema},
    {kNativeLoading, check_native_loading},
    {kWorkers, check_workers},
    {kPrefetch, check_prefetch},
    {kFixedShapes, check_fixed_shapes},
    {kFusedKernels, check_fused_kernels},
    {kGraphMode, check_graph_mode},
    {kMixedPrecision, check_mixed_precision},
    {kGpu, check_gpu},
    {kRoles, check_roles},
    {kPeers, check_peers},
    {kRam, check_ram},
};

constexpr NamedCheck kOfCorpus[] = {
    {kDisk, check_disk},        {kCache, check_cache},
    {kCorpusFit, check_corpus}, {kBatchSize, check_batch_size},
    {kMemoryFit, check_memory}, {kLoader, check_loader},
};

CheckContext context_of(const ValidationInput& input) {
  return {.config = input.reading.config,
          .problems = input.reading.problems,
          .file = input.file,
          .text = input.text,
          .platform = input.platform,
          .monitor = input.monitor,
          .machine = input.machine,
          .feed = {},
          .view = {},
          .no_view = "",
          .to_view = "",
          .corpus_problem = "",
          .sounds = {},
          .model = {},
          .no_model = ""};
}

void find_feed(CheckContext& context) {
  try {
    context.feed = feed::feed_options(context.config, context.platform);
  } catch (const Error& error) {
    // A role or a budget that cannot be: the check of roles says so.
    if (error.kind() != ErrorKind::unavailable && error.kind() != ErrorKind::config) throw;
  }
}

SoundSurvey survey(const CorpusView& view, const ValidationOptions& options) {
  const feed::PrepareOptions& corpus = view.clips.corpus;
  SurveyOptions how{
      .sound = corpus.audio.sound, .threads = corpus.threads, .progress = options.progress};
  if (!options.live) how.most = kSampleClips;
  return survey_sounds(view.corpus.utterances, how);
}

/// Opens the corpus, or says why there is none to look at.
void find_view(CheckContext& context, const ValidationOptions& options) {
  if (!context.problems.empty()) {
    context.no_view = "the schema has problems";
    context.to_view = "see schema";
    return;
  }
  if (!options.corpus) {
    context.no_view = "no corpus is named";
    context.to_view = "data.dataset_path, or --train-data DIR";
    return;
  }
  try {
    CorpusView view = view_corpus(context.config, *options.corpus, context.platform,
                                  {.all = options.live, .progress = options.progress});
    context.sounds = survey(view, options);
    context.view = std::move(view);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) throw;
    context.corpus_problem = error.what();
    context.no_view = "the corpus cannot be read";
    context.to_view = "see corpus fit";
  }
}

void find_model(CheckContext& context, const ValidationOptions& options) {
  if (!context.view) return;
  if (!options.weigh_model) {
    context.no_model = "nobody knows what a model weighs";
    return;
  }
  try {
    context.model = options.weigh_model(*context.view->clips.source);
  } catch (const Error& error) {
    context.no_model = error.what();
    context.model_failed = error.kind() == ErrorKind::config;
  }
}

Check live_check(const CheckContext& context, const ValidationOptions& options,
                 std::optional<LiveRun>& run) {
  if (!context.view) return not_measured(kLiveRun, context.no_view, context.to_view);
  if (!context.feed)
    return not_measured(kLiveRun, "the roles cannot be had", "see roles and budgets");
  try {
    run = run_live(context, options.live_run);
    return check_live(context, *run);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) throw;
    return judged(kLiveRun,
                  {of_machine(Severity::error, FindingCode::loader_failed, error.what(),
                              "what the message says")},
                  "");
  }
}

}  // namespace

std::vector<std::string_view> check_names() {
  std::vector<std::string_view> names;
  std::ranges::transform(kOfConfiguration, std::back_inserter(names), &NamedCheck::name);
  std::ranges::transform(kOfCorpus, std::back_inserter(names), &NamedCheck::name);
  names.emplace_back(kLiveRun);
  return names;
}

size_t Validation::count(Status status) const {
  return static_cast<size_t>(std::ranges::count(checks, status, &Check::status));
}

std::vector<Finding> Validation::findings() const {
  std::vector<Finding> all;
  for (const Check& check : checks)
    all.insert(all.end(), check.findings.begin(), check.findings.end());
  return all;
}

Machine find_machine() {
  return {.cores = usable_cores(),
          .memory_bytes = device::SystemMonitor().sample().memory_total_bytes};
}

Validation validate(const ValidationInput& input, const ValidationOptions& options) {
  CheckContext context = context_of(input);
  Validation out;
  const auto run = [&](const NamedCheck& check) {
    throw_if_interrupted();
    out.checks.push_back(check.look(context));
  };
  std::ranges::for_each(kOfConfiguration, run);
  find_feed(context);
  find_view(context, options);
  find_model(context, options);
  std::ranges::for_each(kOfCorpus, run);
  if (options.live) out.checks.push_back(live_check(context, options, out.live));
  return out;
}

std::vector<Finding> configuration_findings(const ValidationInput& input) {
  const CheckContext context = context_of(input);
  std::vector<Finding> all;
  for (const NamedCheck& check : kOfConfiguration)
    std::ranges::move(check.look(context).findings, std::back_inserter(all));
  return all;
}

}  // namespace seda::diagnose
