// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/watch_teller.h"

#include <cstdlib>

#include <fmt/format.h>
#include <unistd.h>

#include "seda/base/log.h"
#include "seda/cli/output.h"
#include "seda/diagnose/watch/terminal_view.h"
#include "seda/diagnose/watch/watch_verdict.h"

namespace seda::cli {
namespace {

constexpr double kDrawSeconds = 0.5;
constexpr double kVerdictSeconds = 2;
constexpr double kStatusSeconds = 10;

bool terminal_knows_unicode() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    const std::string_view locale(value);
    return locale.find("UTF-8") != std::string_view::npos ||
           locale.find("utf8") != std::string_view::npos;
  }
  return false;
}

}  // namespace

void WatchTeller::tell(const diagnose::WatchSampler& sampler) {
  if (age_.seconds() < (live_ ? kDrawSeconds : kStatusSeconds)) return;
  age_.restart();
  const diagnose::WatchRecord record = sampler.record();
  if (live_) {
    draw(record);
  } else {
    log::info("{}", diagnose::status_line(record));
  }
}

void WatchTeller::end() {
  if (live_) screen_.clear();
}

void WatchTeller::draw(const diagnose::WatchRecord& record) {
  if (so_far_.empty() || verdict_age_.seconds() > kVerdictSeconds) {
    const auto verdict = judge(record, summarize(record));
    so_far_ = fmt::format("so far: {}", to_string(verdict.cause));
    if (!verdict.evidence.empty()) so_far_ += ", " + verdict.evidence.front();
    verdict_age_.restart();
  }
  const auto [width, height] = LiveScreen::size();
  screen_.show(diagnose::draw_watch(record, so_far_,
                                    {.width = width,
                                     .height = height - 1,  // the cursor's own
                                     .color = color_suits(STDERR_FILENO),
                                     .unicode = terminal_knows_unicode()}));
}

}  // namespace seda::cli
