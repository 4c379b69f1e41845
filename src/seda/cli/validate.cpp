// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "seda/base/error.h"
#include "seda/cli/flags.h"
#include "seda/cli/step_probe.h"
#include "seda/cli/validate_report.h"
#include "seda/cli/verbs.h"
#include "seda/config/diff.h"
#include "seda/diagnose/text_on_trial.h"
#include "seda/feed/text_options.h"
#include "seda/model/model_cost.h"

namespace seda::cli {
namespace {

using diagnose::Status;

constexpr size_t kMostProblems = 200;  // of one file that are described
constexpr size_t kWidest = 100;
constexpr size_t kNarrowest = 40;

struct ValidateFlags {
  std::string folder;
  bool fix = false;
  bool dry_run = false;
  bool live = false;
  std::string output;
  std::string html;
};

/// The file that is validated; without one, defaults.
struct ConfigText {
  std::optional<std::filesystem::path> file;
  std::string text;

  std::string name() const { return file ? file->string() : ""; }
};

ConfigText read_text(const ConfigFlags& flags) {
  ConfigText out;
  out.file = flags.file();
  if (out.file) out.text = config::read_config_text(*out.file);
  return out;
}

config::Reading read(const ConfigFlags& flags, const ConfigText& from) {
  return from.file ? flags.read(from.text, from.name(), kMostProblems) : flags.read_defaults();
}

/// Rows of the table of symbols; of a vocabulary that has yet to be learned, as many as are asked
/// for.
int symbols_of(const config::Config& config) {
  const feed::TextOptions text = feed::text_options(config);
  const auto tokenizer = feed::ready_tokenizer(text);
  return tokenizer ? static_cast<int>(tokenizer->artefact().at("symbols").size())
                   : text.vocabulary_size;
}

/// By the shape of the model; torch is not needed for it.
diagnose::WeighModel model_scales(const config::Config& config, bool on_gpu) {
  return [&config, on_gpu](const feed::ClipSource& clips) -> diagnose::ModelMemory {
    constexpr uint64_t kKept = 4;  // gradient, two moments, average
    model::ModelOptions options = model::model_options(config);
    options.symbols = symbols_of(config);
    options.speakers = static_cast<int>(clips.speakers().size());
    options.languages = static_cast<int>(clips.languages().size());
    options.n_mels = clips.mel().n_mels;
    const bool mixed = config.boolean_or("training.mixed_precision", on_gpu);
    const int64_t weights = model::parameter_count(options);
    const auto count = static_cast<uint64_t>(weights);
    return {weights, count * (mixed ? 2 : sizeof(float)),
            count * sizeof(float) * (mixed ? kKept + 1 : kKept)};
  };
}

/// One call of the verb.
class Run {
 public:
  Run(const ConfigFlags& config_flags, const ValidateFlags& flags, const Common& common)
      : config_flags_(config_flags),
        flags_(flags),
        common_(common),
        monitor_(device::make_monitor()),
        machine_(diagnose::find_machine()),
        source_(read_text(config_flags)) {}

  ValidateReport run() {
    ValidateReport report;
    report.file = source_.file;
    if (flags_.fix || flags_.dry_run) mend(report);
    const config::Reading reading = read(config_flags_, source_);
    report.validation = diagnose::validate(input(reading, source_.text), options(reading.config));
    return report;
  }

 private:
  diagnose::ValidationInput input(const config::Reading& reading, const std::string& text) {
    return {.reading = reading,
            .file = source_.file,
            .text = text,
            .platform = platform_,
            .monitor = *monitor_,
            .machine = machine_};
  }

  diagnose::ValidationOptions options(const config::Config& config) const {
    diagnose::ValidationOptions out;
    out.corpus = given_corpus(flags_.folder, config);
    out.weigh_model = model_scales(config, model_is_on_gpu(config));
    out.live = flags_.live;
    out.progress = progress_style(common_.quiet);
    if (out.live && out.corpus) measure_steps(*out.corpus, out);
    return out;
  }

  /// From the sounds: nothing is written.
  void measure_steps(const std::filesystem::path& corpus, diagnose::ValidationOptions& out) const {
    auto [probe, absence] = step_probe(corpus, /*use_cache=*/false, platform_, out.progress);
    out.live_run.probe_step = std::move(probe);
    out.live_run.no_step = std::move(absence);
  }

  bool model_is_on_gpu(const config::Config& config) const {
    return config.is_auto("data.model_gpu")
               ? platform_.cuda_absence().empty()
               : device::parse_device(config.text("data.model_gpu")).is_cuda();
  }

  std::filesystem::path file_to_edit() const {
    if (source_.file) return *source_.file;
    throw_error(ErrorKind::usage,
                "{}: expected a configuration file to edit, found none; name one with --config, "
                "or make ./seda.yaml",
                flags_.fix ? "--fix" : "--dry-run");
  }

  void mend(ValidateReport& report) {
    const std::filesystem::path file = file_to_edit();
    const std::string before = source_.text;
    diagnose::Repair repair = diagnose::repair(before, file.string(), [&](const std::string& text) {
      const config::Reading reading = read(config_flags_, {file, text});
      return diagnose::configuration_findings(input(reading, text));
    });
    source_.text = repair.text;
    report.diff = config::diff(before, source_.text, file.string());
    report.repair = std::move(repair);
    if (report.diff.empty() || flags_.dry_run) return;
    report.backup = diagnose::replace_text(file, source_.text);
    report.written = true;
  }

  const ConfigFlags& config_flags_;
  const ValidateFlags& flags_;
  const Common& common_;
  device::Platform platform_;
  std::unique_ptr<device::Monitor> monitor_;
  diagnose::Machine machine_;
  ConfigText source_;
};

void show(const ValidateReport& report, const Common& common) {
  if (common.json) return print_json(to_json(report));
  const auto columns = static_cast<size_t>(std::max(terminal_width(), 0));
  print(report_text(report, std::clamp(columns, kNarrowest, kWidest), color_suits(STDOUT_FILENO)));
}

void validate(const ConfigFlags& config_flags, const ValidateFlags& flags, const Common& common) {
  check_writable(flags.output);
  check_writable(flags.html);
  const ValidateReport report = Run(config_flags, flags, common).run();
  do_each({[&] { put_file("report", flags.output, report_text(report, kWidest, false)); },
           [&] { put_file("page", flags.html, report_page(report)); },
           [&] { show(report, common); }});
  if (const size_t failed = report.validation.count(Status::failed); failed > 0) {
    throw_error(ErrorKind::check_failed, "{} of {} checks failed", failed,
                report.validation.checks.size());
  }
}

}  // namespace

void add_validate(CLI::App& app) {
  CLI::App* verb =
      app.add_subcommand("validate", "check configuration, corpus and machine before a run");
  const auto flags = std::make_shared<ValidateFlags>();
  verb->add_option("DIR", flags->folder, "corpus folder, or its metadata file [data.dataset_path]");
  verb->add_flag("--fix", flags->fix,
                 "mend the configuration file; comments and layout stay, the file before is kept "
                 "as FILE.bak-1, -2, ...");
  verb->add_flag("--dry-run", flags->dry_run, "show what --fix would change and write nothing");
  verb->add_flag(
      "--live", flags->live,
      "take steps and feed for a few seconds, and look at every clip, not only at a sample");
  verb->add_option("-o,--output", flags->output, "write the report to a file too")
      ->type_name("FILE");
  verb->add_option("--html", flags->html, "write the report as a page too")->type_name("FILE");
  const auto common = add_common(*verb);
  const auto config_flags = add_config_flags(*verb);
  verb->footer(
      "Examples:\n  seda validate\n  seda validate --config voice.yaml --train-data "
      "corpora/voice\n  seda validate --fix --dry-run\n  seda validate --fix\n  seda validate "
      "corpora/voice --live --html validation.html\nExit code 1 where a check failed, 0 for "
      "warnings alone. What findings mean: docs/faults.md");
  verb->callback([=] { validate(*config_flags, *flags, *common); });
}

}  // namespace seda::cli
