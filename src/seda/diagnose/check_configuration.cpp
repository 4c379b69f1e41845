// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "seda/base/error.h"
#include "seda/base/units.h"
#include "seda/config/editor.h"
#include "seda/diagnose/check_names.h"
#include "seda/diagnose/checks.h"

namespace seda::diagnose {
namespace {

using config::Config;

/// "auto" or the number.
std::string shown(const Config& config, std::string_view key) {
  return config::to_text(config.value(key));
}

/// An editor of the file; nothing where its layout allows no edit.
std::optional<config::Editor> editor_of(const CheckContext& context) {
  if (!context.file) return {};
  try {
    return config::Editor(context.text, context.file->string());
  } catch (const Error&) {
    return {};
  }
}

Finding of_problem(const config::Problem& problem, const std::optional<config::Editor>& editor) {
  Finding finding{Severity::error,  problem.code, problem.key, problem.place.line,
                  problem.evidence, problem.cure, {}};
  if (!problem.place.file.empty())
    finding.evidence = fmt::format("{}: {}", problem.place.text(), problem.evidence);
  if (editor) finding.fix = config::fix_of(problem, *editor);
  return finding;
}

/// A switch that is off, and what that costs.
struct Switch {
  const char* key;
  FindingCode code;
  const char* cost;
};

constexpr Switch kPrefetchSwitches[] = {
    {"data.prefetch_to_gpu", FindingCode::prefetch_off,
     "a batch goes to the device only when it is asked for"},
    {"data.enhanced_gpu_prefetch", FindingCode::prefetch_off,
     "upload, preparation and training share one slot less"},
    {"data.optimize_cpu_gpu_overlap", FindingCode::prefetch_off,
     "uploads wait for the work of others"},
    {"data.pin_memory", FindingCode::pageable_copies,
     "uploads are staged through memory that is not page-locked"},
};

Finding off(const Config& config, const Switch& one) {
  Finding finding =
      of_key(config, one.key, Severity::warning, one.code,
             fmt::format("{} is false: {}", one.key, one.cost), fmt::format("{}: true", one.key));
  return with_fix(std::move(finding), config, true);
}

}  // namespace

Check check_configuration_file(const CheckContext& context) {
  if (context.file) return passed(kConfigurationFile, context.file->string());
  return judged(kConfigurationFile,
                {of_machine(Severity::warning, FindingCode::no_configuration,
                            "expected ./seda.yaml or ./configs/config.yaml, found neither: every "
                            "key has its default",
                            "name a file with --config, or write what differs into seda.yaml")},
                "");
}

Check check_schema(const CheckContext& context) {
  const auto& problems = context.problems.problems();
  if (problems.empty()) {
    return passed(kSchema, fmt::format("{} set, all known and in range",
                                       format_count(context.config.given().size(), "key")));
  }
  const auto editor = editor_of(context);
  Check check{kSchema, Status::failed, "", "", {}};
  check.findings.reserve(problems.size());
  for (const config::Problem& problem : problems)
    check.findings.push_back(of_problem(problem, editor));
  const size_t all = problems.size() + context.problems.left_out();
  check.evidence = all == 1 ? check.findings.front().evidence : fmt::format("{} problems", all);
  check.change = all == 1 ? check.findings.front().change : "what each finding says";
  return check;
}

Check check_native_loading(const CheckContext& context) {
  constexpr const char* kKey = "data.native_loading";
  const Config& config = context.config;
  if (config.boolean(kKey)) {
    return passed(kNativeLoading, fmt::format("{} is true ({})", kKey, config.source(kKey).text()));
  }
  Finding finding = of_key(config, kKey, Severity::error, FindingCode::reference_loader,
                           "expected data.native_loading: true, found false: the reference loader "
                           "makes each batch in one thread, while the device waits",
                           "data.native_loading: true");
  return judged(kNativeLoading, {with_fix(std::move(finding), config, true)}, "");
}

Check check_workers(const CheckContext& context) {
  constexpr const char* kKey = "data.num_workers";
  const Config& config = context.config;
  const int cores = context.machine.cores;
  if (config.is_auto(kKey)) return passed(kWorkers, fmt::format("auto, of {} cores", cores));
  const auto workers = config.integer(kKey);
  const std::string evidence = fmt::format("{} workers, {} cores", workers, cores);
  if (workers <= cores) {
    return passed(kWorkers, fmt::format("{} ({})", evidence, config.source(kKey).text()));
  }
  Finding finding = of_key(config, kKey, Severity::warning, FindingCode::too_many_workers,
                           evidence + ": more than can run at once", "data.num_workers: auto");
  return judged(kWorkers, {with_fix(std::move(finding), config, config::Value())}, "");
}

Check check_prefetch(const CheckContext& context) {
  constexpr const char* kAhead = "data.prefetch_buffer_size";
  const Config& config = context.config;
  std::vector<Finding> findings;
  for (const Switch& one : kPrefetchSwitches) {
    if (!config.boolean(one.key)) findings.push_back(off(config, one));
  }
  if (!config.is_auto(kAhead) && config.integer(kAhead) == 1) {
    findings.push_back(
        with_fix(of_key(config, kAhead, Severity::warning, FindingCode::prefetch_off,
                        "1 batch is gathered ahead: the next begins when it is taken",
                        "auto, or 2 and more"),
                 config, config::Value()));
  }
  const std::string evidence =
      fmt::format("batches ahead: {}, slots: {}{}", shown(config, kAhead),
                  shown(config, "data.pipeline_buffer_size"),
                  config.boolean("data.enhanced_gpu_prefetch") ? " and one more" : "");
  return judged(
      kPrefetch, std::move(findings),
      context.has_gpu() ? evidence : evidence + "; without a GPU nothing is uploaded here");
}

}  // namespace seda::diagnose
