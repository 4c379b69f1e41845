// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>

#include "seda/cli/verbs.h"

namespace seda::cli {

void add_profile(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("profile", "measure where time goes");
  verb->require_subcommand(1);
  add_profile_data(*verb);
  add_profile_step(*verb);
  add_profile_dual(*verb);
  verb->footer(
      "Examples:\n  seda profile data corpora/voice --step-ms 45\n  seda profile step "
      "corpora/voice\n  seda profile dual corpora/voice --data-gpu 0 --model-gpu 1");
}

}  // namespace seda::cli
