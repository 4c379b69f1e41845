// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <climits>
#include <csignal>
#include <thread>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "seda/base/error.h"
#include "seda/base/file.h"
#include "seda/base/interrupt.h"
#include "seda/base/log.h"
#include "seda/cli/command.h"
#include "seda/cli/flags.h"
#include "seda/cli/limits.h"
#include "seda/cli/live_screen.h"
#include "seda/cli/suggest.h"
#include "seda/cli/verbs.h"
#include "seda/cli/watch_report.h"
#include "seda/cli/watch_teller.h"
#include "seda/diagnose/watch/watch_verdict.h"
#include "seda/diagnose/watch/web_server.h"

namespace seda::cli {
namespace {

using diagnose::WatchSampler;
using diagnose::WatchWeb;

constexpr auto kPoll = std::chrono::milliseconds(20);
constexpr double kPatienceSeconds = 1.5;  // with a command after Ctrl-C

struct WatchFlags {
  std::vector<std::string> command;
  int process_id = 0;
  double interval_s = 0.1;
  int port = -1;  // none
  std::string output;
  std::string html;
};

void check(const WatchFlags& flags) {
  if (!flags.command.empty() && flags.process_id != 0)
    throw_error(ErrorKind::usage, "expected a command or --pid, found both");
  if (flags.process_id != 0 &&
      !std::filesystem::exists(fmt::format("/proc/{}", flags.process_id))) {
    throw_error(ErrorKind::unavailable,
                "no process with the id {}, or it is hidden from this user; ps shows those there "
                "are",
                flags.process_id);
  }
  check_writable(flags.output);
  check_writable(flags.html);
}

/// Serves what a sampler sees, from before there is one: a port that cannot be had is known before
/// a command is started.
class Page {
 public:
  explicit Page(int port)
      : server_(port, [this](const diagnose::WebRequest& request) { return answer(request); }) {
    log::info("watch: http://127.0.0.1:{}/ (metrics at /metrics)", server_.port());
  }

  /// `sampler` outlives the page.
  void show(const WatchSampler& sampler) {
    web_ = std::make_unique<WatchWeb>(sampler);
    current_.store(web_.get());
  }

 private:
  diagnose::WebAnswer answer(const diagnose::WebRequest& request) {
    WatchWeb* web = current_.load();
    return web != nullptr ? web->answer(request)
                          : diagnose::WebAnswer{.status = 503, .body = "not yet begun\n"};
  }

  std::unique_ptr<WatchWeb> web_;
  std::atomic<WatchWeb*> current_{nullptr};
  diagnose::WebServer server_;  // ends first
};

/// A command that has met Ctrl-C, or now meets the signal that was sent to this process alone, has
/// a moment to end.
void let_end(Command& command) {
  if (!interrupt_from_terminal()) command.send_signal(interrupt_signal());
  const Stopwatch waited;
  while (!command.poll() && waited.seconds() < kPatienceSeconds)
    std::this_thread::sleep_for(kPoll);
}

void watch_until_end(const WatchSampler& sampler, Command* command, bool has_process,
                     WatchTeller& teller) {
  while (!interrupted()) {
    if (command != nullptr && command->poll()) return;
    if (command == nullptr && has_process && !sampler.process_alive()) return;
    teller.tell(sampler);
    std::this_thread::sleep_for(kPoll);
  }
  if (command != nullptr) let_end(*command);
}

std::string what_is_watched(const WatchFlags& flags) {
  if (!flags.command.empty()) return fmt::format("{}", fmt::join(flags.command, " "));
  return flags.process_id != 0 ? fmt::format("process {}", flags.process_id) : "this machine";
}

std::vector<std::string> notes_on(const WatchFlags& flags, const diagnose::WatchRecord& record,
                                  Command* command) {
  std::vector<std::string> notes;
  if (command != nullptr && !command->poll())
    notes.push_back(fmt::format("the command (process {}) still runs", command->process_id()));
  if (flags.process_id != 0 && !record.process_alive) notes.emplace_back("the process has ended");
  const bool seen = record.has_process && diagnose::is_known(record.peak.host.cpu);
  if (seen && !diagnose::is_known(record.peak.host.read_bytes_per_s))
    notes.emplace_back("what it read and wrote cannot be seen without its owner's rights");
  return notes;
}

/// The command's own code; of one that was stopped, 128 + the signal.
int code_of(Command* command) {
  const std::optional<int> code = command != nullptr ? command->poll() : std::nullopt;
  if (!interrupted()) return code.value_or(0);
  if (command == nullptr || interrupt_signal() == SIGINT) return exit_code(ErrorKind::interrupted);
  return code.value_or(128 + interrupt_signal());
}

WatchResult result_of(const WatchFlags& flags, const WatchSampler& sampler, Command* command) {
  WatchResult result;
  result.what = what_is_watched(flags);
  result.record = sampler.record();
  result.summary = summarize(result.record);
  result.verdict = judge(result.record, result.summary);
  result.exit_code = command != nullptr ? command->poll() : std::nullopt;
  result.notes = notes_on(flags, result.record, command);
  return result;
}

/// With a command, stdout is the command's: what people read then goes to stderr.
void tell_result(const WatchResult& result, const WatchFlags& flags, const Common& common) {
  const std::string text = common.json ? to_json_text(to_json(result)) + "\n" : report_text(result);
  if (common.json || flags.command.empty()) {
    print(text);
  } else {
    std::fwrite(text.data(), 1, text.size(), stderr);
  }
  if (!flags.output.empty()) {
    write_file(flags.output, text);
    log::info("report: {}", flags.output);
  }
  if (!flags.html.empty()) {
    write_file(flags.html, report_page(result));
    log::info("page: {}", flags.html);
  }
}

void watch(const WatchFlags& flags, const Common& common) {
  check(flags);
  std::optional<WatchSampler> sampler;  // outlives the page
  std::optional<Page> page;
  std::optional<Command> command;
  if (flags.port >= 0) page.emplace(flags.port);
  if (!flags.command.empty()) command.emplace(flags.command);
  Command* running = command ? &*command : nullptr;
  const int process = running != nullptr ? running->process_id() : flags.process_id;
  sampler.emplace(diagnose::WatchOptions{.process_id = process, .interval_s = flags.interval_s});
  if (page) page->show(*sampler);
  WatchTeller teller(running == nullptr && !common.quiet && LiveScreen::suits());
  watch_until_end(*sampler, running, process != 0, teller);
  teller.end();
  sampler->stop();
  tell_result(result_of(flags, *sampler, running), flags, common);
  if (const int code = code_of(running); code != 0) throw ExitWith{code};
}

/// The words from the first that is no flag of this verb; a mistyped flag is not a command.
std::vector<std::string> command_of(const CLI::App& verb) {
  const std::vector<std::string> words = verb.remaining();
  if (!words.empty() && words.front().starts_with('-')) {
    throw Error(ErrorKind::usage, unknown_flag(verb, words.front()));
  }
  return words;
}

}  // namespace

void add_watch(CLI::App& app) {
  CLI::App* verb =
      app.add_subcommand("watch", "watch GPUs, processes and disks, and say what holds them back");
  const auto flags = std::make_shared<WatchFlags>();
  verb->prefix_command();  // what is no flag begins the command, whose words stay as they are
  integer(
      verb->add_option("--pid", flags->process_id, "watch a process that runs, and all below it"),
      1, INT_MAX)
      ->type_name("N");
  number(verb->add_option("--interval", flags->interval_s, "seconds between two looks [0.1]"), 0.01,
         60);
  integer(verb->add_option(
              "--serve", flags->port,
              "live page and Prometheus metrics on this port of 127.0.0.1; 0: any free one"),
          0, 65535)
      ->type_name("PORT");
  verb->add_option("-o,--output", flags->output,
                   "write the report to a file too; with --json, the object")
      ->type_name("FILE");
  verb->add_option("--html", flags->html, "write a page with the verdict and all traces")
      ->type_name("FILE");
  const auto common = add_common(*verb);
  verb->footer(
      "A program to run and watch stands at the end, with its arguments: seda watch [OPTIONS] -- "
      "COMMAND [ARGUMENTS]. Without a command or --pid it watches the machine until Ctrl-C. A "
      "command keeps its input "
      "and output, and its exit code is passed on; the report then goes to stderr, and the object "
      "of --json to stdout after what the command wrote.\nExamples:\n  seda watch -- python "
      "train.py --epochs 10\n  seda watch --serve 8090 -- torchrun train.py\n  seda watch --pid "
      "4711 --html watch.html\n  seda watch --json --output watch.json -- python train.py");
  verb->callback([=] {
    flags->command = command_of(*verb);
    watch(*flags, *common);
  });
}

}  // namespace seda::cli
