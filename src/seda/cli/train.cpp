// SPDX-License-Identifier: Apache-2.0
#include "seda/train/train.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "seda/base/error.h"
#include "seda/cli/flags.h"
#include "seda/cli/limits.h"
#include "seda/cli/report_files.h"
#include "seda/cli/verbs.h"
#include "seda/train/load_library.h"
#include "seda/train/replay_run.h"
#include "seda/train/train_vocoder.h"
#include "seda/train/vocoder_setup.h"

namespace seda::cli {
namespace {

constexpr const char* kVoice = "voice";
constexpr const char* kVocoder = "vocoder";

struct TrainFlags {
  std::string folder;
  bool no_prepare = false;
  std::string replay;
  std::string trace;
  std::string stage = kVoice;
};

/// Each process of a launcher has a GPU of its own, where nothing else is said.
config::Config with_own_gpu(config::Config config, const train::Ranks& ranks,
                            const device::Platform& platform) {
  if (ranks.alone() || !config.is_auto("data.model_gpu") || !platform.has(device::cuda(0))) {
    return config;
  }
  config.set("data.model_gpu", std::to_string(ranks.local_rank),
             {.origin = config::Origin::flag, .place = {}, .flag = "LOCAL_RANK"});
  return config;
}

/// Of either stage.
train::TrainOptions options_of(const config::Config& config, const TrainFlags& flags,
                               const Common& common, const device::Platform& platform) {
  const auto corpus = corpus_folder(flags.folder, config);
  const train::Ranks ranks = train::read_ranks();
  train::TrainOptions options = train::train_options(with_own_gpu(config, ranks, platform), corpus);
  options.ranks = ranks;
  options.reset = options.reset && !train::is_restart();
  options.use_cache = !flags.no_prepare;
  options.progress = progress_style(common.quiet || !ranks.leads());
  return options;
}

/// A run that is stopped leaves the timeline of what it did.
train::TrainReport train_and_trace(const train::TrainOptions& options,
                                   const train::Library& library, const device::Platform& platform,
                                   const std::string& timeline) {
  try {
    auto report = train::train(options, library, platform);
    put_timeline(options.trace, timeline);
    return report;
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) put_timeline(options.trace, timeline);
    throw;
  }
}

void run_training(const config::Config& config, const TrainFlags& flags, const Common& common) {
  const device::Platform platform;
  train::TrainOptions options = options_of(config, flags, common, platform);
  check_writable(flags.trace);
  std::optional<TraceRecorder> trace;
  if (!flags.trace.empty() && options.ranks.leads()) options.trace = &trace.emplace();
  const auto report = train_and_trace(options, train::load_library(), platform, flags.trace);
  if (!options.ranks.leads()) return;
  if (common.json) {
    print_json(train::to_json(report));
  } else {
    print(train::report_text(report));
  }
}

/// What means nothing to this stage and would be missed.
void require_vocoder_flags(const TrainFlags& flags) {
  const char* given = !flags.replay.empty() ? "--replay" : !flags.trace.empty() ? "--trace" : "";
  if (*given == 0) return;
  throw_error(ErrorKind::usage, "{} is for voices; leave it out with --stage vocoder", given);
}

void run_vocoder_training(const config::Config& given, const TrainFlags& flags,
                          const Common& common) {
  require_vocoder_flags(flags);
  const config::Config config = train::vocoder_config(given);
  const device::Platform platform;
  const train::TrainOptions options = options_of(config, flags, common, platform);
  const auto report = train::train_vocoder(options, train::load_library(), platform);
  if (common.json) {
    print_json(train::to_json(report));
  } else {
    print(train::report_text(report));
  }
}

/// "loss 1.2345, norm of the gradient 0.5: finite"
std::string losses_text(const train::StepLosses& losses) {
  return fmt::format("loss {:.6}, norm of the gradient {:.6}: {}", losses.total,
                     losses.gradient_norm, losses.finite ? "finite" : "not finite");
}

void run_replay(const config::Config& config, const TrainFlags& flags, const Common& common) {
  const device::Platform platform;
  const auto report = train::replay(flags.replay, config, train::load_library(), platform);
  if (common.json) {
    print_json({{"step", report.step},
                {"bucket", report.bucket},
                {"utterances", report.utterances},
                {"as_run", train::to_json(report.as_run)},
                {"loss", train::to_json(report.losses)},
                {"finite", report.finite()},
                {"first_problem", report.first_problem}});
  } else {
    print(fmt::format("step {}, shape {}, clips {}\nby the run's kernels: {}\nop by op: {}\n",
                      report.step, report.bucket, fmt::join(report.utterances, ", "),
                      losses_text(report.as_run),
                      report.first_problem.empty() ? losses_text(report.losses) + ", each checked"
                                                   : "not finite: " + report.first_problem));
  }
  if (report.finite()) return;
  const bool of_kernels = report.first_problem.empty() && report.losses.finite;
  throw_error(ErrorKind::check_failed,
              "{}: the step is not finite{}; lower training.lr, or take the clips named out of the "
              "corpus",
              flags.replay,
              of_kernels ? " by the run's kernels alone (--no-xla trains without)" : "");
}

void act(const ConfigFlags& config, const TrainFlags& flags, const Common& common) {
  if (flags.stage == kVocoder) {
    run_vocoder_training(config.load({"data.batch_frames"}).config, flags, common);
  } else if (flags.replay.empty()) {
    run_training(config.load().config, flags, common);
  } else {
    run_replay(config.load().config, flags, common);
  }
}

}  // namespace

void add_train(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("train", "train a voice or its vocoder, or go on with one");
  const auto flags = std::make_shared<TrainFlags>();
  verb->add_option("DIR", flags->folder, "corpus folder, or its metadata file [data.dataset_path]");
  one_of(
      verb->add_option("--stage", flags->stage,
                       "voice: text to mels; vocoder: mels to sound, for synth --vocoder [voice]"),
      {kVoice, kVocoder});
  verb->add_flag("--no-prepare", flags->no_prepare, "read raw files, without a cache");
  verb->add_option("--replay", flags->replay,
                   "take the step of a saved batch once more, with every operation checked")
      ->type_name("FILE")
      ->check([](const std::string& file) {
        return std::filesystem::is_regular_file(file)
                   ? std::string()
                   : fmt::format("expected the file of a saved batch, found none at '{}'", file);
      });
  verb->add_option("--trace", flags->trace, "timeline for ui.perfetto.dev")->type_name("FILE");
  const auto common = add_common(*verb);
  const auto config_flags = add_config_flags(*verb);
  verb->footer(
      "Examples:\n  seda train corpora/voice\n  seda train --config voice.yaml --model-size small "
      "--batch-size 32 --max-steps 20000\n  seda train corpora/voice --data-gpu 0 --model-gpu 1 "
      "--enable-memory-isolation\n  seda train corpora/voice --reset-training --checkpoint-dir "
      "runs/voice\n  seda train corpora/voice --stage vocoder --max-steps 20000\n  torchrun "
      "--no-python --nproc-per-node 8 seda train corpora/voice");
  verb->callback([=] { act(*config_flags, *flags, *common); });
}

}  // namespace seda::cli
