// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "seda/base/error.h"
#include "seda/diagnose/check_names.h"
#include "seda/diagnose/checks.h"
#include "seda/diagnose/loader_path.h"
#include "seda/feed/make_loader.h"

namespace seda::diagnose {
namespace {

/// One batch of the loader that is configured.
struct FirstBatch {
  feed::BatchShape shape;
  feed::LoaderStatistics counters;
};

FirstBatch take_batch(const feed::OpenedClips& clips, feed::FeedOptions options,
                      const device::Platform& platform) {
  options.announce = false;
  options.max_fault_share = 1;  // how many are bad is another check's business
  const auto loader = feed::make_loader(clips, options, platform);
  const device::Stream stream(platform, options.roles.model);
  auto lease = loader->next(stream);
  if (!lease) throw_error(ErrorKind::internal, "the loader gave no batch");
  const feed::BatchShape shape = (*lease)->shape;
  lease->release();
  return {shape, loader->statistics()};
}

void find_planted(const config::Config& config, std::vector<Finding>& findings) {
  const auto& planted = config.list("debug.inject");
  if (planted.empty()) return;
  findings.push_back(of_key(config, "debug.inject", Severity::warning, FindingCode::planted_faults,
                            fmt::format("debug.inject plants {}", fmt::join(planted, ", ")),
                            "remove debug.inject for real runs"));
}

}  // namespace

Check check_loader(const CheckContext& context) {
  if (!context.view) return not_measured(kLoader, context.no_view, context.to_view);
  if (!context.feed)
    return not_measured(kLoader, "the roles cannot be had", "see roles and budgets");
  std::vector<Finding> findings;
  find_planted(context.config, findings);
  try {
    const FirstBatch batch = take_batch(context.view->clips, *context.feed, context.platform);
    const LoaderPath path =
        path_of(batch.counters, *context.feed, context.view->clips.source->path());
    find_wrong_path(context.config, path, *context.feed, findings);
    return judged(kLoader, std::move(findings),
                  fmt::format("a batch of {} clips, {} tokens x {} frames: {}", batch.shape.batch,
                              batch.shape.tokens, batch.shape.frames, describe(path)));
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) throw;
    findings.push_back(of_machine(Severity::error, FindingCode::loader_failed,
                                  std::string("no batch came: ") + error.what(),
                                  "what the message says; `seda prepare` tells of every clip"));
    return judged(kLoader, std::move(findings), "");
  }
}

}  // namespace seda::diagnose
