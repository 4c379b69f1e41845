// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "seda/base/units.h"
#include "seda/cache/writer.h"
#include "seda/diagnose/check_names.h"
#include "seda/diagnose/checks.h"
#include "seda/diagnose/writable_place.h"

namespace seda::diagnose {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPrepare = "seda prepare; seda train does it by itself";

std::string reasons_text(const feed::PrepareReport& plan) {
  std::string out;
  for (const auto& [reason, count] : plan.reasons)
    out += fmt::format("{}{} ({})", out.empty() ? "" : ", ", reason, count);
  return out;
}

void find_state(const CorpusView& view, const std::string& folder, std::vector<Finding>& findings) {
  if (!view.plan) {
    findings.push_back(of_machine(Severity::warning, FindingCode::damaged_cache,
                                  "the cache cannot be read: " + view.cache_problem,
                                  fmt::format("seda cache verify {0}; seda cache clear {0} and "
                                              "prepare again",
                                              folder)));
    return;
  }
  if (view.cached()) return;
  const feed::PrepareReport& plan = *view.plan;
  const bool none = plan.text_hits + plan.audio_hits == 0 && plan.bytes == 0;
  findings.push_back(of_machine(
      Severity::warning, none ? FindingCode::no_cache : FindingCode::stale_cache,
      none ? fmt::format("expected a cache in {}, found none", folder)
           : fmt::format("expected a current cache in {}, found that {} texts and {} sounds must "
                         "be made, because: {}",
                         folder, plan.text_built, plan.audio_built, reasons_text(plan)),
      kPrepare));
}

void find_access(const CheckContext& context, const fs::path& folder,
                 std::vector<Finding>& findings) {
  if (!is_writable(folder)) {
    findings.push_back(of_key(context.config, "data.cache_dir", Severity::warning,
                              FindingCode::unwritable_cache,
                              fmt::format("{} cannot be written: raw files are read at every start "
                                          "where what is in it is not current",
                                          folder.string()),
                              "data.cache_dir: a folder that you may write"));
  }
  const auto writer = cache::writer_of(folder);
  if (!writer) return;
  findings.push_back(
      of_machine(Severity::warning, FindingCode::busy_cache,
                 fmt::format("{} writes the cache {} now", describe(*writer), folder.string()),
                 "wait until it is done; a second writer goes on without a cache"));
}

}  // namespace

Check check_cache(const CheckContext& context) {
  if (!context.view) return not_measured(kCache, context.no_view, context.to_view);
  const CorpusView& view = *context.view;
  const fs::path folder = view.cache_folder();
  std::vector<Finding> findings;
  find_state(view, folder.string(), findings);
  find_access(context, folder, findings);
  std::string evidence;
  if (view.plan && view.plan->listing) {
    evidence = fmt::format("{}: {} clips, {}, current", folder.string(), view.plan->clips,
                           format_bytes(view.plan->bytes));
  }
  return judged(kCache, std::move(findings), evidence);
}

}  // namespace seda::diagnose
