// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/app.h"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include <CLI/CLI.hpp>

#include "seda/base/error.h"
#include "seda/base/interrupt.h"
#include "seda/base/log.h"
#include "seda/cli/output.h"
#include "seda/cli/suggest.h"
#include "seda/cli/verbs.h"
#include "seda/cli/version.h"

namespace seda::cli {
namespace {

constexpr const char* kAbout =
    "seda: training text-to-speech models so that the GPU never waits. This version has the verbs "
    "below.";

/// CLI11 takes arguments last first.
std::vector<std::string> reversed_tail(const std::vector<std::string>& arguments) {
  if (arguments.empty()) return {};
  return {arguments.rbegin(), arguments.rend() - 1};
}

/// A verb that runs a command takes its words from the first that is no flag; CLI11 would hand what
/// stands behind the mark to the program itself.
std::vector<std::string> without_command_mark(std::vector<std::string> arguments) {
  if (arguments.size() < 2 || arguments[1] != "watch") return arguments;
  const auto mark = std::ranges::find(arguments, "--");
  if (mark != arguments.end()) arguments.erase(mark);
  return arguments;
}

/// `seda help [VERB]` and `seda version` are flags in other words.
std::vector<std::string> with_flags(std::vector<std::string> arguments) {
  if (arguments.size() < 2) return arguments;
  if (arguments[1] == "version") arguments[1] = "--version";
  if (arguments[1] == "help") {
    arguments.erase(arguments.begin() + 1);
    arguments.emplace_back("--help");
  }
  return arguments;
}

int print_help(const CLI::App& app, const CLI::Success& help) {
  std::ostringstream text;
  app.exit(help, text);
  print(text.str());
  return flush_output();
}

int parse_and_run(CLI::App& app, const std::vector<std::string>& arguments) {
  try {
    refuse_unknown_verb(app, arguments);
    app.parse(reversed_tail(without_command_mark(arguments)));
  } catch (const ExitWith& exit) {
    flush_output();
    return exit.code;
  } catch (const CLI::CallForHelp& help) {
    return print_help(app, help);
  } catch (const CLI::CallForAllHelp& help) {
    return print_help(app, help);
  } catch (const CLI::ParseError& error) {
    throw Error(ErrorKind::usage, explain(app, error));
  } catch (...) {
    flush_output();  // what was printed stands before the error
    throw;
  }
  return flush_output();
}

}  // namespace

std::unique_ptr<CLI::App> make_app() {
  auto app = std::make_unique<CLI::App>(kAbout, "seda");
  app->require_subcommand(0, 1);  // none with --version
  app->get_formatter()->column_width(36);
  app->failure_message(CLI::FailureMessage::simple);
  add_version(*app);
  add_demo(*app);
  add_corpus(*app);
  add_prepare(*app);
  add_cache(*app);
  add_text(*app);
  add_mel(*app);
  add_synth(*app);
  add_diagnose(*app);
  add_profile(*app);
  add_train(*app);
  add_tune(*app);
  add_validate(*app);
  add_watch(*app);
  add_config(*app);
  add_completion(*app);
  app->footer(
      "Exit codes: 0 fine, 1 a problem was found, 2 bad usage or configuration, 3 could not "
      "measure or "
      "run, 130 stopped by Ctrl-C.\nHelp of a verb: seda VERB --help");
  return app;
}

int run(const std::vector<std::string>& arguments) {
  try {
    configure_log({});
    const InterruptHandler interrupt;
    const auto app = make_app();
    return parse_and_run(*app, with_flags(arguments));
  } catch (const Error& error) {
    log::error("{}", error.what());
    return exit_code(error.kind());
  } catch (const std::filesystem::filesystem_error& error) {
    log::error("{}: {}", error.path1().string(), error.code().message());
    return exit_code(ErrorKind::io);
  } catch (const std::bad_alloc&) {
    log::error("out of memory");
    return exit_code(ErrorKind::memory);
  } catch (const std::exception& error) {
    log::error("unexpected: {}", error.what());
    return exit_code(ErrorKind::internal);
  }
}

}  // namespace seda::cli
