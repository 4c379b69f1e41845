// SPDX-License-Identifier: Apache-2.0
#include "seda/train/run_log.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "seda/base/log.h"
#include "seda/base/units.h"
#include "seda/train/train_report.h"

namespace seda::train {
namespace {

constexpr double kPlainSeconds = 10;  // between lines where there is no terminal
constexpr double kDrawSeconds = 0.25;

void draw(std::string_view line) {
  log::set_status(line.substr(0, static_cast<size_t>(terminal_width()) - 1));
}

double steps_per_second(const LogPoint& point) {
  return point.figures.batches_per_second / point.accumulation;
}

std::string time_left(const LogPoint& point) {
  const double rate = steps_per_second(point);
  if (rate <= 0 || point.step >= point.total) return {};
  const auto seconds = static_cast<double>(point.total - point.step) / rate;
  return fmt::format(", {} left", format_seconds(seconds));
}

std::string flop_share(const LogPoint& point) {
  const auto& share = point.figures.flop_share;
  return share ? fmt::format(", MFU {:.1f} %", 100 * *share) : "";
}

std::vector<std::pair<std::string, double>> scalars_of(const LogPoint& point) {
  std::vector<std::pair<std::string, double>> out = {{"loss/total", point.losses.total},
                                                     {"loss/prior", point.losses.prior},
                                                     {"loss/duration", point.losses.duration},
                                                     {"loss/flow", point.losses.flow},
                                                     {"gradient_norm", point.losses.gradient_norm},
                                                     {"lr", point.lr}};
  if (point.figures.batches == 0) return out;
  out.insert(out.end(), {{"speed/steps_per_second", steps_per_second(point)},
                         {"speed/clips_per_second", point.figures.clips_per_second},
                         {"speed/frames_per_second", point.figures.frames_per_second},
                         {"speed/data_stall", point.figures.stall}});
  if (const auto& share = point.figures.flop_share)
    out.emplace_back("speed/model_flop_utilisation", *share);
  return out;
}

}  // namespace

std::string progress_line(const LogPoint& point) {
  const std::string begin =
      fmt::format("step {}/{}, loss {:.4f}", point.step, point.total, point.losses.total);
  const std::string end = fmt::format(
      ", prior {:.3f}, duration {:.3f}, flow {:.3f}, lr {:.2e}, epoch {}", point.losses.prior,
      point.losses.duration, point.losses.flow, point.lr, point.epoch);
  if (point.figures.batches == 0) return begin + end;
  const double stall = 100 * point.figures.stall;
  return begin +
         fmt::format(
             ", {:.2f} steps/s, stall {:.1f} %{}, {:.0f} clips/s, {:.0f} frames/s, busy "
             "{:.1f} %{}",
             steps_per_second(point), stall, time_left(point), point.figures.clips_per_second,
             point.figures.frames_per_second, 100 - stall, flop_share(point)) +
         end;
}

std::string counted_on(std::string_view line, uint64_t step, uint64_t total) {
  const size_t figures = std::min(line.find(','), line.size());
  return fmt::format("step {}/{}{}", step, total, line.substr(figures));
}

RunLog::RunLog(const TrainOptions& options, uint64_t step, const Clock& clock)
    : style_(options.progress),
      lines_(options.run_folder / "log.jsonl", step),
      events_(options.tensorboard),
      clock_(clock),
      drawn_ns_(clock.now_ns()),
      heard_ns_(clock.now_ns()),
      shown_ns_(clock.now_ns()) {
  if (!options.batch_trace.empty()) trace_.emplace(options.batch_trace, step);
  // From the first step on, too: one that was killed before it had a checkpoint has left others.
  events_.restart(static_cast<int64_t>(step) + 1);
}

bool RunLog::is_past(int64_t since_ns, double seconds) const {
  return static_cast<double>(clock_.now_ns() - since_ns) * 1e-9 >= seconds;
}

void RunLog::tick(uint64_t step, uint64_t total) {
  if (style_ == ProgressStyle::terminal && is_past(drawn_ns_, kDrawSeconds)) {
    draw(counted_on(status_, step, total));
    drawn_ns_ = clock_.now_ns();
  } else if (style_ == ProgressStyle::plain && is_past(heard_ns_, kPlainSeconds)) {
    log::info("step {}/{}", step, total);
    heard_ns_ = clock_.now_ns();
  }
}

void RunLog::point(const LogPoint& point) {
  Json line = {
      {"step", point.step},
      {"steps", point.step},
      {"epoch", point.epoch},
      {"lr", point.lr},
      {"loss", to_json(point.losses)},
      {"steps_per_second", point.figures.batches > 0 ? Json(steps_per_second(point)) : Json()},
      {"faults", point.faults}};
  line.update(to_json(point.figures));
  this->point(LogEntry{.step = point.step,
                       .total = point.total,
                       .scalars = scalars_of(point),
                       .text = progress_line(point)},
              line);
}

void RunLog::point(const LogEntry& entry, const Json& line) {
  add(entry, line);
  show(entry);
}

void RunLog::add(const LogEntry& entry, const Json& line) {
  lines_.add(line);
  lines_.flush();
  for (const auto& [name, value] : entry.scalars)
    events_.scalar(name, value, static_cast<int64_t>(entry.step));
}

/// A line that is redrawn, or one that stays every now and then.
void RunLog::show(const LogEntry& entry) {
  status_ = entry.text;
  heard_ns_ = clock_.now_ns();
  if (style_ == ProgressStyle::terminal) draw(status_);
  if (style_ == ProgressStyle::quiet) return;
  if (shown_ && entry.step < entry.total && !is_past(shown_ns_, kPlainSeconds)) return;
  shown_ = true;
  shown_ns_ = clock_.now_ns();
  log::info("{}", entry.text);
}

void RunLog::validation(const LogEntry& entry, const Json& line) {
  add(entry, line);
  if (style_ != ProgressStyle::quiet) log::info("{}", entry.text);
}

void RunLog::validation(uint64_t step, const StepLosses& losses, bool best) {
  validation(
      {.step = step,
       .total = 0,
       .scalars = {{"validation/total", losses.total},
                   {"validation/prior", losses.prior},
                   {"validation/duration", losses.duration},
                   {"validation/flow", losses.flow}},
       .text = fmt::format(
           "step {}: validation loss {:.4f} (prior {:.3f}, duration {:.3f}, flow {:.3f}){}", step,
           losses.total, losses.prior, losses.duration, losses.flow, best ? ", the best" : "")},
      {{"step", step}, {"validation", to_json(losses)}, {"best", best}});
}

void RunLog::trace(const TracedStep& step) {
  if (!trace_) return;
  trace_->add({{"step", step.step},
               {"part", step.part},
               {"epoch", step.epoch},
               {"bucket", step.bucket},
               {"utterances", step.utterances},
               {"loss", step.loss}});
}

void RunLog::flush() {
  lines_.flush();
  events_.flush();
  if (trace_) trace_->flush();
}

}  // namespace seda::train
