// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "seda/config/config.h"
#include "seda/device/platform.h"
#include "seda/diagnose/cause.h"
#include "seda/diagnose/trial.h"
#include "seda/feed/open_clips.h"

namespace seda::diagnose {

/// `config` with a key set as a remedy says. A value that the key may not hold is an Error(config).
config::Config with_setting(const config::Config& config, const std::string& key,
                            const std::string& value);

/// `value`, as a file has it, for the editor.
config::Value parse_setting(const std::string& key, const std::string& value);

struct LabOptions {
  std::filesystem::path corpus;
  bool use_cache = true;
  double step_s = 0;                  ///< Time the consumer works on a batch; 0: it does not.
  double seconds = 1.5;               ///< Of a run, a third of it to warm up.
  std::function<void()> after_batch;  ///< For progress.
};

/// Tries configurations with loaders that really have them, each for a moment.
///
/// `platform` and the clips, which are those of `now`, outlive it.
class Lab {
 public:
  Lab(const config::Config& now, const feed::OpenedClips& clips, const device::Platform& platform,
      LabOptions options);

  /// One run of a configuration. Clips are opened anew only where the configuration reads others.
  TrialRun run(const config::Config& config);
  /// One from a cache that is made for it and removed after; nothing where that would take too
  /// long.
  std::optional<TrialRun> run_cached();

  /// Clips/s, medians over repeated runs that take turns with those of the configuration as it is:
  /// what the machine does meanwhile meets both alike.
  struct Comparison {
    TrialRun before;
    TrialRun after;
  };
  Comparison compare(const config::Config& other);

  void set_seconds(double seconds) { options_.seconds = seconds; }

 private:
  TrialRun run_with(const feed::OpenedClips& clips, const config::Config& config);
  const feed::OpenedClips& clips_of(const config::Config& config);

  const config::Config& now_;
  const feed::OpenedClips& clips_;
  const device::Platform& platform_;
  LabOptions options_;
  std::string others_key_;  // what `others_` was opened for
  std::optional<feed::OpenedClips> others_;
};

}  // namespace seda::diagnose
