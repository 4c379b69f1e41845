// SPDX-License-Identifier: Apache-2.0
#include "seda/config/checks.h"

#include <fmt/format.h>

#include "seda/config/detail/parsed_number.h"

namespace seda::config {
namespace {

/// One look at a configuration.
class Check {
 public:
  Check(const Config& config, ProblemList& problems) : config_(config), problems_(problems) {}

  void run() {
    mel_bands();
    mel_frames();
    level();
    batches();
    model_heads();
    tokenizer();
    resume();
    planted_share();
  }

 private:
  bool set(std::string_view path) const { return !config_.is_auto(path); }

  double number(std::string_view path) const {
    const Value& value = config_.value(path);
    if (const auto* integer = std::get_if<int64_t>(&value)) return static_cast<double>(*integer);
    return std::get<double>(value);
  }

  /// "data.mel.fmax is 12000 (seda.yaml:7)"
  std::string said(std::string_view path) const {
    return fmt::format("{} is {} ({})", path, to_text(config_.value(path)),
                       config_.source(path).text());
  }

  /// The place that came last is the one to blame.
  void blame(std::string_view a, std::string_view b, std::string reason) {
    const Place& first = config_.source(a).place;
    const Place& second = config_.source(b).place;
    const bool later = second.line > first.line;
    problems_.add({.code = "contradiction",
                   .key = std::string(later ? b : a),
                   .place = later ? second : first,
                   .evidence = fmt::format("{}, but {}", said(a), said(b)),
                   .cure = std::move(reason)});
  }

  void mel_bands() {
    const bool lower = set("data.mel.fmin");
    const bool upper = set("data.mel.fmax");
    const bool rate = set("data.mel.sample_rate");
    if (lower && upper && number("data.mel.fmin") >= number("data.mel.fmax"))
      blame("data.mel.fmin", "data.mel.fmax", "the lower edge must lie below the upper");
    const double half = rate ? number("data.mel.sample_rate") / 2 : 0;
    const std::string limit = fmt::format("nothing is above half the sample rate, {} Hz", half);
    if (rate && upper && number("data.mel.fmax") > half)
      blame("data.mel.fmax", "data.mel.sample_rate", limit);
    if (rate && lower && number("data.mel.fmin") >= half)
      blame("data.mel.fmin", "data.mel.sample_rate", limit);
  }

  void mel_frames() {
    at_most("data.mel.win_length", "data.mel.n_fft", "the window must fit the transform");
    at_most("data.mel.hop_length", "data.mel.win_length", "a longer hop skips samples");
    if (!set("data.mel.win_length"))
      at_most("data.mel.hop_length", "data.mel.n_fft", "a longer hop skips samples");
  }

  void at_most(std::string_view small, std::string_view large, std::string reason) {
    if (set(small) && set(large) && config_.integer(small) > config_.integer(large))
      blame(small, large, std::move(reason));
  }

  void level() {
    if (set("data.audio.loudness") && set("data.audio.peak"))
      blame("data.audio.loudness", "data.audio.peak", "a clip has one level; set one of them");
  }

  void batches() {
    if (!set("data.batch_frames")) return;
    if (!config_.boolean("data.pad_to_fixed_length")) {
      blame("data.batch_frames", "data.pad_to_fixed_length",
            "only fixed shapes say how many clips fit a budget of frames; turn them on, or leave "
            "data.batch_frames out");
    }
    // A file may have both: the vocoder's stage has no frames to count.
    if (config_.source("data.batch_size").origin == Origin::flag) {
      blame("data.batch_frames", "data.batch_size",
            "a batch is measured by frames or by clips; leave one out, or set data.batch_frames to "
            "none");
    }
  }

  void model_heads() {
    if (!set("model.hidden_size") || !set("model.heads")) return;
    if (config_.integer("model.hidden_size") % config_.integer("model.heads") != 0)
      blame("model.hidden_size", "model.heads", "the heads must divide the width evenly");
  }

  void tokenizer() {
    const std::string kind = set("data.text.tokenizer") ? config_.text("data.text.tokenizer") : "";
    const bool phonemes = config_.boolean("data.text.phonemes");
    if (kind == "phonemes" && !phonemes) {
      blame("data.text.tokenizer", "data.text.phonemes",
            "turn phonemes on, or choose characters or sentencepiece");
    }
    const bool said = config_.source("data.text.phonemes").origin != Origin::default_value;
    if (kind == "characters" && phonemes && said) {
      blame("data.text.tokenizer", "data.text.phonemes", "turn phonemes off, or choose phonemes");
    }
    if (!kind.empty() && kind != "sentencepiece" && set("data.text.tokenizer_model")) {
      blame("data.text.tokenizer_model", "data.text.tokenizer",
            "a model is used by the tokenizer sentencepiece alone");
    }
  }

  void resume() {
    if (set("training.resume") && config_.boolean("training.reset"))
      blame("training.resume", "training.reset", "either go on from it or start anew");
  }

  void planted_share() {
    constexpr std::string_view kWord = "bad_clips=";
    for (const std::string& word : config_.list("debug.inject")) {
      if (!word.starts_with(kWord)) continue;
      const auto share = detail::read_number(std::string_view(word).substr(kWord.size())).value;
      if (share && *share <= 1) continue;
      problems_.add({.code = "out_of_range",
                     .key = "debug.inject",
                     .place = config_.source("debug.inject").place,
                     .evidence = fmt::format("expected a share of the clips, at most 1, found {}",
                                             shown(word)),
                     .cure = "write for example bad_clips=0.005"});
    }
  }

  const Config& config_;
  ProblemList& problems_;
};

}  // namespace

void check_together(const Config& config, ProblemList& problems) {
  Check(config, problems).run();
}

}  // namespace seda::config
