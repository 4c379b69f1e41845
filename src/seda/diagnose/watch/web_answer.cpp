// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/watch/web_answer.h"

#include <charconv>
#include <memory>
#include <optional>

#include <nlohmann/json.hpp>

#include "seda/diagnose/watch/live_page.h"
#include "seda/diagnose/watch/metrics_text.h"
#include "seda/diagnose/watch/watch_json.h"
#include "seda/diagnose/watch/watch_verdict.h"

namespace seda::diagnose {
namespace {

constexpr const char* kJsonType = "application/json";

WebAnswer refusal(int status, std::string why) {
  return {.status = status, .body = std::move(why) + "\n"};
}

std::optional<uint64_t> parse_count(std::string_view text) {
  uint64_t value = 0;
  const char* end = std::to_address(text.end());
  const auto [stop, code] = std::from_chars(std::to_address(text.begin()), end, value);
  if (code != std::errc() || stop != end) return std::nullopt;
  return value;
}

bool is_port(std::string_view text) {
  return text.size() <= 5 && parse_count(text).has_value();
}

}  // namespace

bool is_own_name(std::string_view host) {
  for (const std::string_view name : {"localhost", "127.0.0.1", "[::1]"}) {
    if (!host.starts_with(name)) continue;
    const std::string_view rest = host.substr(name.size());
    if (rest.empty() || (rest.starts_with(':') && is_port(rest.substr(1)))) return true;
  }
  return false;
}

WebAnswer WatchWeb::answer(const WebRequest& request) {
  if (!is_own_name(request.host))
    return refusal(403, "this page answers only as localhost or 127.0.0.1");
  if (request.method != "GET" && request.method != "HEAD")
    return refusal(405, "only GET and HEAD are answered");
  if (request.path == "/") return {.type = "text/html; charset=utf-8", .body = live_page()};
  if (request.path == "/samples.json") return samples(request.after);
  if (request.path == "/verdict.json") return verdict();
  if (request.path == "/metrics") return metrics();
  return refusal(404, "here are /, /samples.json, /verdict.json and /metrics");
}

WebAnswer WatchWeb::samples(const std::string& after) const {
  const auto number = after.empty() ? 0 : parse_count(after);
  if (!number) return refusal(400, "after: expected the number of a sample");
  const auto& machine = sampler_.machine();
  const auto chosen = after.empty() ? sampler_.record().all : sampler_.after(*number);
  Json out = columns_json(chosen, machine.gpus.size());
  out["machine"] = to_json(machine);
  out["process_alive"] = sampler_.process_alive();
  return {.type = kJsonType, .body = to_json_text(out, -1)};
}

WebAnswer WatchWeb::verdict() {
  const MutexLock lock(mutex_);
  if (verdict_.empty() || verdict_age_.seconds() > 1) {
    const WatchRecord record = sampler_.record();
    const WatchSummary summary = summarize(record);
    Json out = to_json(judge(record, summary));
    out["seconds"] = record.seconds;
    out["samples"] = record.samples;
    verdict_ = to_json_text(out, -1);
    verdict_age_.restart();
  }
  return {.type = kJsonType, .body = verdict_};
}

WebAnswer WatchWeb::metrics() const {
  const auto newest = sampler_.latest();
  return {.type = "text/plain; version=0.0.4; charset=utf-8",
          .body = metrics_text(sampler_.machine(), newest)};
}

}  // namespace seda::diagnose
