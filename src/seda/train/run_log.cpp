// SPDX-License-Identifier: Apache-2.0
#include "seda/train/run_log.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "seda/base/log.h"
#include "seda/base/units.h"
#include "seda/train/train_report.h"

namespace seda::train {
namespace {

constexpr double kPlainSeconds = 10;  // between lines where there is no terminal

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

void add_scalars(EventFile& events, const LogPoint& point) {
  const auto step = static_cast<int64_t>(point.step);
  events.scalar("loss/total", point.losses.total, step);
  events.scalar("loss/prior", point.losses.prior, step);
  events.scalar("loss/duration", point.losses.duration, step);
  events.scalar("loss/flow", point.losses.flow, step);
  events.scalar("gradient_norm", point.losses.gradient_norm, step);
  events.scalar("lr", point.lr, step);
  if (point.figures.batches == 0) return;
  events.scalar("speed/steps_per_second", steps_per_second(point), step);
  events.scalar("speed/clips_per_second", point.figures.clips_per_second, step);
  events.scalar("speed/frames_per_second", point.figures.frames_per_second, step);
  events.scalar("speed/data_stall", point.figures.stall, step);
  if (const auto& share = point.figures.flop_share)
    events.scalar("speed/model_flop_utilisation", *share, step);
}

}  // namespace

std::string progress_line(const LogPoint& point) {
  std::string out = fmt::format(
      "step {}/{}, epoch {}, loss {:.4f} (prior {:.3f}, duration {:.3f}, flow {:.3f}), lr {:.2e}",
      point.step, point.total, point.epoch, point.losses.total, point.losses.prior,
      point.losses.duration, point.losses.flow, point.lr);
  if (point.figures.batches == 0) return out;
  const double stall = 100 * point.figures.stall;
  return out + fmt::format(
                   ", {:.2f} steps/s, {:.0f} clips/s, {:.0f} frames/s, stall {:.1f} %, busy "
                   "{:.1f} %{}{}",
                   steps_per_second(point), point.figures.clips_per_second,
                   point.figures.frames_per_second, stall, 100 - stall, flop_share(point),
                   time_left(point));
}

RunLog::RunLog(const TrainOptions& options, uint64_t step)
    : style_(options.progress),
      lines_(options.runs / "log.jsonl", step),
      events_(options.tensorboard) {
  if (!options.batch_trace.empty()) trace_.emplace(options.batch_trace, step);
  if (step > 0) events_.restart(static_cast<int64_t>(step) + 1);
}

void RunLog::point(const LogPoint& point) {
  Json line = {{"step", point.step},
               {"steps", point.step},
               {"epoch", point.epoch},
               {"lr", point.lr},
               {"loss", to_json(point.losses)},
               {"steps_per_second", steps_per_second(point)},
               {"faults", point.faults}};
  line.update(to_json(point.figures));
  lines_.add(line);
  lines_.flush();
  add_scalars(events_, point);
  show(point);
}

/// A line that is redrawn, or one that stays every now and then.
void RunLog::show(const LogPoint& point) {
  if (style_ == ProgressStyle::terminal) {
    const std::string line = progress_line(point);
    log::set_status(line.substr(0, static_cast<size_t>(terminal_width()) - 1));
  }
  if (style_ == ProgressStyle::quiet) return;
  if (shown_ && point.step < point.total && since_shown_.seconds() < kPlainSeconds) return;
  shown_ = true;
  since_shown_.restart();
  log::info("{}", progress_line(point));
}

void RunLog::validation(uint64_t step, const StepLosses& losses, bool best) {
  lines_.add({{"step", step}, {"validation", to_json(losses)}, {"best", best}});
  lines_.flush();
  events_.scalar("validation/total", losses.total, static_cast<int64_t>(step));
  events_.scalar("validation/prior", losses.prior, static_cast<int64_t>(step));
  events_.scalar("validation/duration", losses.duration, static_cast<int64_t>(step));
  events_.scalar("validation/flow", losses.flow, static_cast<int64_t>(step));
  if (style_ == ProgressStyle::quiet) return;
  log::info("step {}: validation loss {:.4f} (prior {:.3f}, duration {:.3f}, flow {:.3f}){}", step,
            losses.total, losses.prior, losses.duration, losses.flow, best ? ", the best" : "");
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
