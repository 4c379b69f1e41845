// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "seda/base/error.h"
#include "seda/base/log.h"
#include "seda/base/units.h"
#include "seda/cli/flags.h"
#include "seda/cli/limits.h"
#include "seda/cli/verbs.h"
#include "seda/corpus/make_corpus.h"
#include "seda/feed/prepare_options.h"

namespace seda::cli {
namespace {

using corpus::CorpusOptions;
using corpus::CorpusReport;

constexpr size_t kSkippedShown = 10;
constexpr int64_t kMostClips = 1'000'000;

struct CorpusFlags {
  CorpusOptions options;
  std::string layout = "ljspeech";
};

Json report_json(const CorpusOptions& options, const CorpusReport& report) {
  Json skipped = Json::array();
  for (const Fault& fault : report.skipped) {
    skipped.push_back({{"id", fault.id}, {"code", fault.code}, {"evidence", fault.evidence}});
  }
  return {{"clips", report.clips},
          {"kept", report.kept},
          {"hours", report.audio_s / 3600},
          {"seconds", report.seconds},
          {"times_real_time", report.times_real_time},
          {"voices", report.voices},
          {"language", options.language},
          {"sample_rate", options.sample_rate},
          {"layout", corpus::to_string(options.layout)},
          {"path", options.folder.string()},
          {"skipped", skipped}};
}

std::string report_text(const CorpusOptions& options, const CorpusReport& report) {
  const std::string kept = report.kept > 0 ? fmt::format(", {} kept", report.kept) : "";
  const std::string rate =
      report.kept < report.clips ? fmt::format(" ({:.0f}x real time)", report.times_real_time) : "";
  return fmt::format("{}: {}{}, {} of sound, voices {}, in {}{}\n", options.folder.string(),
                     format_count(report.clips, "clip"), kept, format_seconds(report.audio_s),
                     fmt::join(report.voices, ", "), format_seconds(report.seconds), rate);
}

void warn_of(const std::vector<Fault>& skipped) {
  for (size_t i = 0; i < std::min(skipped.size(), kSkippedShown); ++i) {
    log::warning("skipped: {} ({})", skipped[i].evidence, skipped[i].code);
  }
  if (skipped.size() > kSkippedShown) {
    log::warning("skipped: {} more lines; --json lists all", skipped.size() - kSkippedShown);
  }
}

void make(const CorpusOptions& options, bool json) {
  const CorpusReport report = corpus::make_corpus(options);
  warn_of(report.skipped);
  if (options.transcripts && options.clips &&
      *options.clips > report.clips + report.skipped.size()) {
    log::warning("--clips {}: {} has only {} lines", *options.clips, options.transcripts->string(),
                 report.clips + report.skipped.size());
  }
  if (json) {
    print_json(report_json(options, report));
  } else {
    print(report_text(options, report));
  }
}

void add_flags(CLI::App& verb, CorpusFlags& flags) {
  CorpusOptions& options = flags.options;
  verb.add_option("OUT", options.folder, "folder to make")->required();
  verb.add_option("--transcripts", options.transcripts,
                  "what to say: lines id|text, or plain lines [own sentences in en and fa]")
      ->type_name("FILE");
  integer(verb.add_option("--clips", options.clips, "how many [all transcripts, or 100 sentences]"),
          1, kMostClips);
  verb.add_option("--voices", options.voices,
                  "taken in turn: slt, rms, awb, kal16 for English; espeak-ng's names for others, "
                  "such as fa,fa+f2 [slt, or the language's own]")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME,...");
  integer(verb.add_option("--sample-rate", options.sample_rate, "of the clips, in Hz [22050]"),
          corpus::kLowestRate, corpus::kHighestRate);
  one_of(verb.add_option("--layout", flags.layout, "one speaker, or a folder for each [ljspeech]"),
         {"ljspeech", "speakers"});
  integer(verb.add_option("--seed", options.seed, "same seed, same bytes [0]"), 0, kMostSeed);
  verb.add_flag("--force", options.force, "write into a folder that holds something else");
}

void configure(CorpusOptions& options, const config::Config& config) {
  if (!config.is_auto("data.text.language")) options.language = config.text("data.text.language");
  options.threads = feed::worker_threads(config);
}

}  // namespace

void add_corpus(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("corpus", "make a practice corpus of any size");
  const auto flags = std::make_shared<CorpusFlags>();
  add_flags(*verb, *flags);
  const auto common = add_common(*verb);
  const auto config_flags = add_config_flags(*verb, {"data.text.language", "data.num_workers"});
  verb->footer(
      "English [the default] is spoken by flite, every other language by espeak-ng.\n"
      "Examples:\n  seda corpus practice --clips 500\n  seda corpus speakers --layout speakers "
      "--voices slt,rms,awb\n  seda corpus farsi --language fa --voices fa,fa+f2 --clips 300\n  "
      "seda corpus read --transcripts lines.csv --json");
  verb->callback([=] {
    flags->options.layout = *corpus::parse_layout(flags->layout);
    flags->options.progress = progress_style(common->quiet);
    configure(flags->options, config_flags->load().config);
    make(flags->options, common->json);
  });
}

}  // namespace seda::cli
