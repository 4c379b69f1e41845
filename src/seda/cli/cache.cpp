// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>

#include "seda/cli/verbs.h"

namespace seda::cli {

void add_cache(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("cache", "look at, check, tidy, remove or join caches");
  verb->require_subcommand(1);
  add_cache_stat(*verb);
  add_cache_verify(*verb);
  add_cache_gc(*verb);
  add_cache_clear(*verb);
  add_cache_merge(*verb);
  verb->footer("Examples:\n  seda cache stat DIR\n  seda cache verify DIR\n  seda cache clear DIR");
}

}  // namespace seda::cli
