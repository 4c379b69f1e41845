// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "seda/diagnose/check.h"
#include "seda/feed/feed_options.h"
#include "seda/feed/loader.h"

namespace seda::diagnose {

/// The way that batches came, as counters tell it.
struct LoaderPath {
  bool native = false;  ///< Worker threads gathered clips; else `next` made each batch.
  std::string source;   ///< "cache (mapped)", "cache (read)", "files".
  int workers = 0;
  int slots = 0;
  feed::Roles roles;
  bool pinned = false;  ///< Uploads started from page-locked memory; false where nothing was.
  std::vector<std::string> stages;  ///< "read 16", what each has done.
};

LoaderPath path_of(const feed::LoaderStatistics& counters, const feed::FeedOptions& options,
                   std::string source);

/// "native loader, 2 workers, 4 slots, from files, data cpu, model cpu; read 16, decode 16".
std::string describe(const LoaderPath& path);

/// Adds a finding where the path that ran is not the one that was asked for.
void find_wrong_path(const config::Config& config, const LoaderPath& path,
                     const feed::FeedOptions& options, std::vector<Finding>& findings);

Json to_json(const LoaderPath& path);

}  // namespace seda::diagnose
