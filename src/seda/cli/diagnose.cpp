// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <sys/ioctl.h>
#include <unistd.h>

#include "seda/base/error.h"
#include "seda/base/log.h"
#include "seda/cli/diagnose_bundle.h"
#include "seda/cli/diagnose_page.h"
#include "seda/cli/diagnose_report.h"
#include "seda/cli/flags.h"
#include "seda/cli/limits.h"
#include "seda/cli/report_files.h"
#include "seda/cli/step_probe.h"
#include "seda/cli/verbs.h"
#include "seda/diagnose/diagnosis.h"

namespace seda::cli {
namespace {

using diagnose::AppliedRemedy;
using diagnose::Diagnosis;

constexpr const char* kReportFile = "diagnostic_report.txt";
constexpr size_t kFileWidth = 80;
constexpr size_t kMostColumns = 100;

struct DiagnoseFlags {
  std::string folder;
  size_t batches = 100;
  double step_ms = 0;
  bool no_prepare = false;
  bool apply = false;
  std::string output;
  std::string html;
  std::string trace;
  std::string bundle;
};

/// Of the terminal that the report goes to, or of a file.
size_t report_width() {
  winsize size{};
  if (isatty(STDOUT_FILENO) != 1 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 ||
      size.ws_col == 0)
    return kFileWidth;
  return std::min<size_t>(size.ws_col, kMostColumns);
}

/// A report that nobody named must not end what was measured.
void write_report(const DiagnoseFlags& flags, const std::string& text) {
  if (!flags.output.empty()) return put_file("report", flags.output, text);
  try {
    put_file("report", kReportFile, text);
  } catch (const Error& error) {
    log::warning("no {}: {}", kReportFile, error.what());
  }
}

void put_bundle(const Diagnosis& diagnosis, const DiagnoseFlags& flags,
                const ConfigFlags::Loaded& loaded) {
  if (flags.bundle.empty()) return;
  write_bundle(flags.bundle, bundle_entries(diagnosis, loaded.config, loaded.file));
  log::info("bundle: {} (no sound, no text)", flags.bundle);
}

/// A step is measured unless its time was given.
diagnose::DiagnosisOptions options_of(const DiagnoseFlags& flags, const config::Config& config,
                                      const device::Platform& platform, const Common& common) {
  diagnose::DiagnosisOptions out;
  out.corpus = corpus_folder(flags.folder, config);
  out.batches = flags.batches;
  out.step_s = 1e-3 * flags.step_ms;
  out.use_cache = !flags.no_prepare;
  out.progress = progress_style(common.quiet);
  if (flags.step_ms > 0) {
    out.no_probe = "the time of a step was given with --step-ms";
  } else {
    auto [probe, absence] = step_probe(out.corpus, out.use_cache, platform, out.progress);
    out.probe = std::move(probe);
    out.no_probe = std::move(absence);
  }
  return out;
}

void print_result(const Diagnosis& diagnosis, const std::vector<AppliedRemedy>& applied, bool apply,
                  bool json) {
  if (json) {
    Json out = diagnosis_json(diagnosis);
    if (apply) out["applied"] = applied_json(applied);
    return print_json(out);
  }
  print(diagnosis_text(diagnosis, report_width()));
  if (apply) print(applied_text(applied, report_width()));
}

void run(const ConfigFlags::Loaded& loaded, const DiagnoseFlags& flags, const Common& common) {
  if (flags.apply && !loaded.file) {
    throw_error(ErrorKind::usage,
                "--apply: expected a configuration file to edit, found none; name one with "
                "--config, or make ./seda.yaml");
  }
  for (const auto& file : {flags.output, flags.html, flags.trace, flags.bundle})
    check_writable(file);
  const device::Platform platform;
  const diagnose::DiagnosisOptions options = options_of(flags, loaded.config, platform, common);
  const auto monitor = device::make_monitor();
  TraceRecorder trace;
  const Diagnosis diagnosis = diagnose::diagnose(loaded.config, platform, *monitor, options, trace);
  std::vector<AppliedRemedy> applied;
  if (flags.apply) {
    applied = diagnose::apply_remedies(*loaded.file, loaded.config, platform, options, diagnosis);
  }
  const std::string text = diagnosis_text(diagnosis, kFileWidth) +
                           (flags.apply ? applied_text(applied, kFileWidth) : "");
  do_each({[&] { write_report(flags, text); },
           [&] { put_file("page", flags.html, diagnosis_page(diagnosis)); },
           [&] { put_timeline(flags.trace.empty() ? nullptr : &trace, flags.trace); },
           [&] { put_bundle(diagnosis, flags, loaded); },
           [&] { print_result(diagnosis, applied, flags.apply, common.json); }});
  const bool cured = std::ranges::any_of(applied, &AppliedRemedy::kept);
  if (diagnosis.verdict.cause == diagnose::Cause::healthy || cured) return;
  throw_error(ErrorKind::check_failed, "{}: {}", to_string(diagnosis.verdict.cause),
              diagnosis.verdict.evidence.front());
}

void add_files(CLI::App& verb, DiagnoseFlags& flags) {
  const auto file = [&](const char* name, std::string& target, const char* about) {
    verb.add_option(name, target, about)->type_name("FILE");
  };
  file("-o,--output", flags.output, "the report as text [diagnostic_report.txt]");
  file("--html", flags.html, "the report as one page with charts");
  file("--trace", flags.trace, "timeline of the measured run, for ui.perfetto.dev");
  file("--bundle", flags.bundle,
       "archive to send when asking for help: machine, corpus figures, configuration, reports; no "
       "sound, no text");
}

}  // namespace

void add_diagnose(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("diagnose", "find what holds training back, and what helps");
  const auto flags = std::make_shared<DiagnoseFlags>();
  verb->add_option("DIR", flags->folder, "corpus folder, or its metadata file [data.dataset_path]");
  integer(verb->add_option("--num-batches", flags->batches, "batches of the measured run [100]"), 1,
          1'000'000);
  number(verb->add_option(
             "--step-ms", flags->step_ms,
             "time a training step takes; without it steps are taken with the model and timed"),
         0, 60'000);
  verb->add_flag("--no-prepare", flags->no_prepare, "read raw files, without a cache");
  verb->add_flag("--apply", flags->apply,
                 "write what helps into the configuration, measure again, take back what did not");
  add_files(*verb, *flags);
  const auto common = add_common(*verb);
  const auto config_flags = add_config_flags(*verb, step_keys());
  verb->footer(
      "Examples:\n  seda diagnose corpora/voice --step-ms 45\n  seda diagnose --config voice.yaml "
      "--html report.html\n  seda diagnose --config voice.yaml --apply\n  seda diagnose "
      "corpora/voice --json --quiet\n  seda diagnose --config voice.yaml --bundle "
      "help.tar.gz\nExit "
      "code 1 where something is found that holds training back.");
  verb->callback([=] { run(config_flags->load(), *flags, *common); });
}

}  // namespace seda::cli
