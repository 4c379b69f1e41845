// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>
#include <utility>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nlohmann/json.hpp>

#include "seda/base/error.h"
#include "seda/cli/prepare_report.h"
#include "seda/feed/prepare_options.h"
#include "seda/python/bindings.h"
#include "seda/python/interruptible.h"

namespace seda::python {
namespace {

namespace nb = nanobind;

/// The report as JSON, and what is wrong with it: too many bad clips, or nothing.
using Prepared = std::pair<std::string, std::optional<std::string>>;

Prepared prepare(const feed::PrepareOptions& options, bool dry_run, double max_fault_share) {
  const feed::PrepareReport report = dry_run ? feed::plan_prepare(options) : feed::prepare(options);
  if (!dry_run) feed::announce_cache(report, report.seconds);
  Prepared out{to_json_text(cli::to_json(report), -1), std::nullopt};
  try {
    cli::check_faults(report, max_fault_share);
  } catch (const Error& error) {
    out.second = error.what();
  }
  return out;
}

Prepared prepare_corpus(const std::string& corpus, const config::Config& config,
                        const std::optional<std::string>& shard, bool force, bool dry_run,
                        bool progress) {
  Prepared out;
  run_interruptibly([&] {
    feed::PrepareOptions options = feed::prepare_options(config, corpus);
    if (shard) options.shard = feed::parse_shard(*shard);
    options.force = force;
    options.progress = progress_style(!progress);
    out = prepare(options, dry_run, config.number("data.max_fault_share"));
  });
  return out;
}

}  // namespace

void bind_prepare(nb::module_& module) {
  module.def("prepare", &prepare_corpus, nb::arg("corpus"), nb::arg("config"),
             nb::arg("shard").none() = nb::none(), nb::arg("force") = false,
             nb::arg("dry_run") = false, nb::arg("progress") = false);
}

}  // namespace seda::python
