// SPDX-License-Identifier: Apache-2.0
#include "seda/train/train_vocoder.h"

#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "seda/base/error.h"
#include "seda/base/interrupt.h"
#include "seda/base/json_or_null.h"
#include "seda/base/log.h"
#include "seda/base/units.h"
#include "seda/train/checkpoint_writer.h"
#include "seda/train/held_sounds.h"
#include "seda/train/run_course.h"
#include "seda/train/run_folder.h"
#include "seda/train/run_log.h"
#include "seda/train/run_setup.h"
#include "seda/train/schedule.h"
#include "seda/train/stopped_run.h"
#include "seda/train/validation.h"
#include "seda/train/vocoder_setup.h"

namespace seda::train {
namespace {

VocoderLosses mean_of(const std::vector<VocoderLosses>& steps) {
  VocoderLosses sum;
  const auto share = 1 / static_cast<float>(steps.size());
  for (const VocoderLosses& step : steps) {
    sum.total += share * step.total;
    sum.mel += share * step.mel;
    sum.fooling += share * step.fooling;
    sum.features += share * step.features;
    sum.judging += share * step.judging;
    sum.gradient_norm += share * step.gradient_norm;
    sum.judge_gradient_norm += share * step.judge_gradient_norm;
  }
  return sum;
}

/// What was not finite in a step, in the order of its updates.
const char* not_finite_of(const VocoderLosses& losses) {
  if (!std::isfinite(losses.judging)) return "the discriminators' loss";
  if (!std::isfinite(losses.judge_gradient_norm)) return "the discriminators' gradient";
  return std::isfinite(losses.total) ? "the gradient" : "the loss";
}

/// One run, from its first step to its report.
class VocoderRun {
 public:
  VocoderRun(const TrainOptions& options, const Library& library, const device::Platform& platform)
      : options_(options),
        lock_(lock_run_folder(options)),
        setup_(set_up_vocoder(options, platform)),
        stream_(platform, setup_.roles.model, device::StreamPriority::high),
        sounds_(*setup_.clips.source, dataset::Split::train, platform, stream_, options.progress),
        engine_options_(vocoder_engine_options(options, setup_)),
        engine_(make_engine(library)),
        writer_(options.run_folder, options.keep_checkpoints),
        course_(course()),
        schedule_(schedule(options.config, course_.total)) {
    if (setup_.validation != nullptr) {
      held_out_.emplace(*setup_.validation, dataset::Split::validation, platform, stream_,
                        ProgressStyle::quiet);
    }
    if (setup_.resumed && setup_.roles.model.is_cpu()) {
      warn_of_other_threads(setup_.progress.threads, library.torch_info().threads);
    }
    setup_.progress.threads = library.torch_info().threads;
    open_log();
    announce();
  }

  VocoderReport run() {
    report_.init_seconds = wall_.seconds();
    stretch_.restart();
    while (!course_.ended() && !interrupted()) {
      learn();
      if (course_.is_log_point()) collect(pending());
      if (course_.is_validation_point()) validate();
      if (course_.is_checkpoint_point()) save(false);
    }
    finish();
    return std::move(report_);
  }

 private:
  std::unique_ptr<VocoderEngine> make_engine(const Library& library) {
    engine_options_.stream = stream_;
    engine_options_.sounds = sounds_.bank();
    auto made = library.make_vocoder_engine(engine_options_);
    if (setup_.resumed) made->restore(setup_.resumed->training(), setup_.resumed->average());
    return made;
  }

  const audio::MelOptions& mel() const { return setup_.vocoder.network.mel; }

  double sound_per_step_s() const {
    return static_cast<double>(setup_.rows) * setup_.crop_frames * mel().hop_length /
           mel().sample_rate;
  }

  /// An epoch hears as much sound as the corpus has.
  RunCourse course() const {
    const double steps = std::max(1.0, std::round(sounds_.seconds() / sound_per_step_s()));
    return run_course(options_, setup_.progress.updates,
                      options_.epochs * static_cast<uint64_t>(steps), pending());
  }

  std::string where_sounds_lie() const {
    if (sounds_.on_device()) return fmt::format("in the memory of {}", to_string(stream_.device()));
    return stream_.device().is_cpu() ? "in memory" : "in page-locked memory of the host";
  }

  /// Where there is a step to take.
  void open_log() {
    if (course_.ended()) return;
    if (options_.reset || setup_.resumed) {
      make_room(options_.run_folder, setup_.resumed ? setup_.resumed->folder() : "");
    }
    log_ = std::make_unique<RunLog>(options_, course_.updates, clock_);
  }

  void announce() {
    const config::Config& config = options_.config;
    const model::VocosOptions& network = setup_.vocoder.network;
    const ModelFacts judges = engine_->judge_facts();
    report_.plan = {
        fmt::format("plan: vocoder on {}: {} of sound of {} clips, {} {}",
                    to_string(stream_.device()), format_seconds(sounds_.seconds()),
                    sounds_.bank().begins.size(), format_bytes(sounds_.bytes()),
                    where_sounds_lie()),
        fmt::format("plan: network {} ({}): {:.1f} M weights, {} blocks of {} and {} channels; "
                    "{:.1f} M of discriminators, from step {} on",
                    config.text("model.size"), config.source("model.size").text(),
                    static_cast<double>(engine_->facts().parameters) * 1e-6, network.blocks,
                    network.width, network.hidden, static_cast<double>(judges.parameters) * 1e-6,
                    engine_options_.judged_from + 1),
        fmt::format("plan: step: {} pieces of {} frames ({:.2f} s), {}{}, lr {} ({})", setup_.rows,
                    setup_.crop_frames, sound_per_step_s(),
                    engine_options_.graphs ? "as CUDA graphs" : "op by op",
                    engine_options_.mixed_precision ? ", bf16 with fp32 weights" : ", fp32",
                    schedule_.peak, config.source("training.lr").text()),
        fmt::format(
            "plan: {} steps{}, log every {}, validation every {}, checkpoint every {} to {}",
            course_.total, course_.updates > 0 ? fmt::format(" ({} done)", course_.updates) : "",
            options_.log_every, options_.eval_every, options_.checkpoint_every,
            options_.run_folder.string())};
    report_.plan_json = {{"device", to_string(stream_.device())},
                         {"corpus_seconds", sounds_.seconds()},
                         {"pieces", setup_.rows},
                         {"piece_frames", setup_.crop_frames},
                         {"graphs", engine_options_.graphs},
                         {"mixed_precision", engine_options_.mixed_precision},
                         {"steps", course_.total},
                         {"steps_done", course_.updates},
                         {"lines", report_.plan}};
    if (course_.ended()) {
      tell_nothing_to_do(course_);
      return;
    }
    for (const std::string& line : report_.plan)
      log::info("{}", line);
  }

  size_t pending() const { return steps_behind(stream_.device()); }

  void learn() {
    engine_->step(course_.updates, schedule_.at(course_.updates));
    ++course_.updates;
    log_->tick(course_.updates, course_.total);
    if (report_.run_updates++ == 0) time_first_step();
  }

  void time_first_step() {
    stream_.synchronize();
    report_.first_step_seconds = wall_.seconds();
    stretch_.restart();
    first_syncs_ = engine_->host_syncs();
  }

  /// Takes what steps left, and makes a log point of it.
  void collect(size_t ahead) {
    const auto steps = engine_->collect(ahead);
    if (steps.empty()) return;
    for (size_t i = 0; i < steps.size(); ++i)
      take(steps[i], course_.updates - ahead - steps.size() + i + 1);
    const double seconds = stretch_.seconds();
    stretch_.restart();
    const bool has_first = course_.updates - ahead - steps.size() == setup_.progress.updates;
    const size_t timed = steps.size() - (has_first ? 1 : 0);  // the first was timed apart
    report_.step_seconds += seconds;
    report_.timed_updates += timed;
    point(mean_of(steps), course_.updates - ahead,
          timed > 0 ? std::optional(static_cast<double>(timed) / seconds) : std::nullopt);
  }

  void take(const VocoderLosses& losses, uint64_t step) {
    if (!losses.finite) {
      log_->flush();
      writer_.finish();
      throw_error(ErrorKind::check_failed,
                  "{} of step {} is not finite (loss {}, norm of the gradient {}; of the "
                  "discriminators {} and {}); the checkpoints of before are in {}: lower "
                  "training.lr, or set training.gradient_clip_norm",
                  not_finite_of(losses), step, losses.total, losses.gradient_norm, losses.judging,
                  losses.judge_gradient_norm, options_.run_folder.string());
    }
    if (!report_.first) report_.first = losses;
    report_.last = losses;
  }

  void point(const VocoderLosses& losses, uint64_t step, std::optional<double> speed) {
    const double lr = schedule_.at(step - 1);
    LogEntry entry{
        .step = step,
        .total = course_.total,
        .scalars = {{"loss/total", losses.total},
                    {"loss/mel", losses.mel},
                    {"loss/fooling", losses.fooling},
                    {"loss/features", losses.features},
                    {"loss/judging", losses.judging},
                    {"gradient_norm", losses.gradient_norm},
                    {"judge_gradient_norm", losses.judge_gradient_norm},
                    {"lr", lr}},
        .text = fmt::format("step {}/{}, loss {:.3f}{}, mel {:.4f}, fooling {:.3f}, features "
                            "{:.3f}, judging {:.3f}, lr {:.2e}",
                            step, course_.total, losses.total, speed_text(step, speed), losses.mel,
                            losses.fooling, losses.features, losses.judging, lr)};
    if (speed) entry.scalars.emplace_back("speed/steps_per_second", *speed);
    log_->point(entry,
                {{"step", step},
                 {"lr", lr},
                 {"loss", to_json(losses)},
                 {"steps_per_second", or_null(speed)},
                 {"sound_seconds_per_second", speed ? Json(*speed * sound_per_step_s()) : Json()}});
  }

  std::string speed_text(uint64_t step, std::optional<double> speed) const {
    if (!speed) return {};
    std::string out = fmt::format(", {:.2f} steps/s", *speed);
    if (step < course_.total) {
      const auto left = static_cast<double>(course_.total - step);
      out += fmt::format(", {} left", format_seconds(left / *speed));
    }
    return out + fmt::format(", {:.1f} s of sound/s", *speed * sound_per_step_s());
  }

  void validate() {
    collect(0);
    if (!held_out_) return;
    const double distance = engine_->evaluate(held_out_->bank());
    require_finite_validation(std::isfinite(distance), course_.updates);
    report_.validation = distance;
    const bool best = distance < setup_.progress.best_validation;
    if (best) setup_.progress.best_validation = distance;
    log_->validation(
        {.step = course_.updates,
         .total = course_.total,
         .scalars = {{"validation/mel", distance}},
         .text = fmt::format("step {}: mels of held-out clips {:.4f} apart{}", course_.updates,
                             distance, best ? ", the best" : "")},
        {{"step", course_.updates}, {"validation", {{"mel", distance}}}, {"best", best}});
    if (best) save(true);
    stretch_.restart();
  }

  void save(bool best) {
    collect(0);
    if (saved_updates_ == course_.updates) return;
    saved_updates_ = course_.updates;
    log_->flush();
    RunProgress now = setup_.progress;
    now.updates = course_.updates;
    writer_.finish();  // there is one copy of the state at a time
    writer_.write(
        course_.updates,
        [run_folder = options_.run_folder, vocoder = setup_.vocoder, now,
         state = engine_->state()] {
          return write_vocoder_checkpoint(run_folder, vocoder, now, state);
        },
        best);
    stretch_.restart();
  }

  void finish() {
    collect(0);
    const int signal = interrupted() ? interrupt_signal() : 0;
    if (report_.run_updates > 0) save(false);
    writer_.finish();
    log::set_status("");
    const StoppedRun stopped{signal, course_.updates, writer_.last()};
    if (signal != 0) report_.stopped_by = stopped.by();
    fill_report();
    if (signal == 0) return;
    stopped.tell();
    stopped.end();
  }

  void fill_report() {
    conclude(report_,
             {.updates = course_.updates,
              .host_syncs = engine_->host_syncs() - first_syncs_,
              .memory_peak_bytes = engine_->memory_peak_bytes(),
              .cache_state = setup_.clips.cache_state,
              .best_validation = setup_.progress.best_validation,
              .written = writer_.last(),
              .went_from = setup_.resumed ? setup_.resumed->folder() : std::filesystem::path()});
    report_.sound_per_step_s = sound_per_step_s();
    report_.corpus_seconds = sounds_.seconds();
    report_.sounds = where_sounds_lie();
    report_.graphs = engine_->graphs();
    report_.faults = sounds_.faults();
    report_.device = stream_.device();
    report_.generator = engine_->facts();
    report_.judges = engine_->judge_facts();
    report_.wall_seconds = wall_.seconds();
  }

  const Stopwatch wall_;
  const TrainOptions& options_;
  FileLock lock_;
  VocoderSetup setup_;
  device::Stream stream_;
  HeldSounds sounds_;
  std::optional<HeldSounds> held_out_;
  VocoderEngineOptions engine_options_;
  std::unique_ptr<VocoderEngine> engine_;
  CheckpointWriter writer_;
  RunCourse course_;
  Schedule schedule_;
  SteadyClock clock_;
  std::unique_ptr<RunLog> log_;  // where there is a step to take
  Stopwatch stretch_;
  uint64_t first_syncs_ = 0;  // of the host, in the first step and before
  uint64_t saved_updates_ = 0;
  VocoderReport report_;
};

}  // namespace

VocoderReport train_vocoder(const TrainOptions& options, const Library& library,
                            const device::Platform& platform) {
  return VocoderRun(options, library, platform).run();
}

}  // namespace seda::train
