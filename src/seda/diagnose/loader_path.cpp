// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/loader_path.h"

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace seda::diagnose {
namespace {

const char* loader_name(bool native) {
  return native ? "native loader" : "reference loader";
}

}  // namespace

LoaderPath path_of(const feed::LoaderStatistics& counters, const feed::FeedOptions& options,
                   std::string source) {
  LoaderPath path;
  path.native = counters.workers > 0;
  path.source = path.native ? std::move(source) : "files";
  path.workers = counters.workers;
  path.slots = counters.slots.total();
  path.roles = options.roles;
  path.pinned = path.native && options.pinned &&
                (options.roles.data.is_cuda() || options.roles.model.is_cuda());
  for (const feed::LoaderStage& stage : counters.stages) {
    if (stage.work.count > 0)
      path.stages.push_back(fmt::format("{} {}", stage.name, stage.work.count));
  }
  return path;
}

std::string describe(const LoaderPath& path) {
  std::string out = loader_name(path.native);
  if (path.native) out += fmt::format(", {} workers", path.workers);
  out += fmt::format(", {} slots, from {}, data {}, model {}", path.slots, path.source,
                     device::to_string(path.roles.data), device::to_string(path.roles.model));
  if (path.pinned) out += ", page-locked";
  return out + fmt::format("; counted: {}", fmt::join(path.stages, ", "));
}

void find_wrong_path(const config::Config& config, const LoaderPath& path,
                     const feed::FeedOptions& options, std::vector<Finding>& findings) {
  if (path.native == options.native) return;
  findings.push_back(of_key(config, "data.native_loading", Severity::error, FindingCode::wrong_path,
                            fmt::format("expected the {}, but the {} ran",
                                        loader_name(options.native), loader_name(path.native)),
                            "report this: it is a fault of the program"));
}

Json to_json(const LoaderPath& path) {
  return {{"native", path.native},
          {"source", path.source},
          {"workers", path.workers},
          {"slots", path.slots},
          {"data", device::to_string(path.roles.data)},
          {"model", device::to_string(path.roles.model)},
          {"pinned", path.pinned},
          {"stages", path.stages}};
}

}  // namespace seda::diagnose
