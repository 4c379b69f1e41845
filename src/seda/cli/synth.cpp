// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "seda/base/clock.h"
#include "seda/base/error.h"
#include "seda/base/log.h"
#include "seda/base/progress.h"
#include "seda/cli/flags.h"
#include "seda/cli/limits.h"
#include "seda/cli/speech_output.h"
#include "seda/cli/speech_texts.h"
#include "seda/cli/verbs.h"
#include "seda/speak/studio.h"
#include "seda/speak/synthesizer.h"
#include "seda/train/checkpoint.h"

namespace seda::cli {
namespace {

namespace fs = std::filesystem;

struct SynthFlags {
  std::vector<std::string> texts;
  std::vector<std::string> files;
  std::string checkpoint;
  std::string reference;
  std::string solver = "euler";
  std::string output;
  bool exact = false;  // fp32, wherever
  std::optional<int> batch_size;
  speak::SynthesisOptions options;
  speak::StudioOptions studio;
};

/// What the flags say, checked.
speak::SynthesisOptions synthesis_options(const SynthFlags& flags) {
  speak::SynthesisOptions options = flags.options;
  options.speech.solver =
      flags.solver == "midpoint" ? model::Solver::midpoint : model::Solver::euler;
  if (!flags.reference.empty()) options.reference = flags.reference;
  if (is_stdout(flags.output)) options.batch_size = 1;  // sooner heard
  if (flags.batch_size) options.batch_size = *flags.batch_size;
  speak::check(options);
  return options;
}

speak::StudioOptions studio_options(const SynthFlags& flags) {
  speak::StudioOptions options = flags.studio;
  if (flags.exact) options.mixed_precision = false;
  return options;
}

/// What --checkpoint names, else the folder that a run of this configuration has.
fs::path checkpoint_folder(const SynthFlags& flags, const config::Config& config) {
  constexpr const char* kKey = "training.checkpoint_dir";
  if (!flags.checkpoint.empty()) return flags.checkpoint;
  if (config.source(kKey).origin != config::Origin::default_value ||
      fs::is_directory(config.text(kKey)))
    return config.text(kKey);
  throw_error(
      ErrorKind::usage,
      "which voice? --checkpoint DIR names a checkpoint, or a run's folder of them; so does "
      "{} in the configuration",
      kKey);
}

/// Of a folder of checkpoints the best, where one is known, else the newest.
train::Checkpoint open_checkpoint(const fs::path& folder) {
  const fs::path best = train::best_checkpoint(folder);
  return train::Checkpoint::open(best.empty() ? folder : best);
}

size_t count_sentences(std::span<const speak::Script> scripts) {
  size_t count = 0;
  for (const speak::Script& script : scripts)
    count += script.sentences.size();
  return count;
}

/// What speaking took, in seconds.
struct SynthTimes {
  double all_s = 0;
  speak::SpeakingTimes parts;
};

/// Speaks with progress.
SynthTimes speak_all(const speak::Synthesizer& synthesizer, std::span<const speak::Script> scripts,
                     const speak::Studio& studio, SpeechOutput& output, bool quiet) {
  const SteadyClock clock;
  LogProgressSink sink;
  Progress progress(
      {"synth", "sentences", count_sentences(scripts), progress_style(quiet), terminal_width()},
      clock, sink);
  const int64_t begin = clock.now_ns();
  const speak::SpeakingTimes parts = synthesizer.speak(
      scripts, studio.instruments(), [&](const speak::Speech& speech) { output.take(speech); },
      [&](size_t sentences) { progress.advance(sentences); });
  return {static_cast<double>(clock.now_ns() - begin) * 1e-9, parts};
}

double total_seconds(std::span<const SpokenText> spoken) {
  double total = 0;
  for (const SpokenText& text : spoken)
    total += text.seconds;
  return total;
}

/// Of sound; 0 where there is none.
double real_time_factor(double synthesis_s, double sound_s) {
  return sound_s > 0 ? synthesis_s / sound_s : 0;
}

std::string summary(double synthesis_s, double sound_s) {
  const double factor = real_time_factor(synthesis_s, sound_s);
  return fmt::format("{:.2f} s of speech in {:.2f} s: real-time factor {:.4f}, {:.1f}× real time",
                     sound_s, synthesis_s, factor, factor > 0 ? 1 / factor : 0);
}

Json to_json(std::span<const SpokenText> spoken, const SynthTimes& times,
             const speak::Studio& studio, const train::Checkpoint& checkpoint) {
  Json outputs = Json::array();
  for (const SpokenText& text : spoken)
    outputs.push_back({{"text", text.text}, {"path", text.path}, {"seconds", text.seconds}});
  return {{"outputs", std::move(outputs)},
          {"synthesis_seconds", times.all_s},
          {"voice_seconds", times.parts.voice_s},
          {"vocoder_seconds", times.parts.vocoder_s},
          {"real_time_factor", real_time_factor(times.all_s, total_seconds(spoken))},
          {"times_real_time", total_seconds(spoken) / times.all_s},
          {"vocoder", studio.instruments().vocoder.name()},
          {"device", device::to_string(studio.device())},
          {"precision", studio.precision()},
          {"checkpoint", checkpoint.folder().native()}};
}

void report(std::span<const SpokenText> spoken, double synthesis_s, bool to_stdout) {
  const std::string line = summary(synthesis_s, total_seconds(spoken));
  if (to_stdout) {
    log::info("{}", line);  // stdout is the sound's
    return;
  }
  for (const SpokenText& text : spoken)
    print(fmt::format("{}  {:.2f} s  {}\n", text.path, text.seconds, text.text));
  print(line + "\n");
}

void run(const config::Config& config, const SynthFlags& flags, const Common& common) {
  if (common.json && is_stdout(flags.output)) {
    throw_error(ErrorKind::usage, "--json and --output - both want stdout; give one of them");
  }
  const speak::SynthesisOptions options = synthesis_options(flags);
  const train::Checkpoint checkpoint = open_checkpoint(checkpoint_folder(flags, config));
  const auto texts = read_speech_texts(flags.texts, flags.files);
  const auto output = make_speech_output(flags.output, texts, checkpoint.voice().mel.sample_rate);
  const auto frontend = checkpoint.frontend();
  const speak::Synthesizer synthesizer(checkpoint.voice(), *frontend, options);
  const auto scripts = synthesizer.read(texts);
  const speak::Studio studio(checkpoint, studio_options(flags));
  log::info("voice: {} ({} updates), on {}, {}", checkpoint.folder().string(),
            checkpoint.progress().updates, device::to_string(studio.device()), studio.precision());
  const SynthTimes times = speak_all(synthesizer, scripts, studio, *output, common.quiet);
  if (common.json) {
    print_json(to_json(output->spoken(), times, studio, checkpoint));
  } else {
    report(output->spoken(), times.all_s, is_stdout(flags.output));
  }
}

void add_what(CLI::App& verb, SynthFlags& flags) {
  verb.add_option("-t,--text", flags.texts, "what to say; may come several times")
      ->type_name("TEXT")
      ->allow_extra_args(false);
  verb.add_option("-f,--file", flags.files, "files with a text on each line [stdin]; - is stdin")
      ->type_name("FILE")
      ->allow_extra_args(false);
  verb.add_option("-c,--checkpoint", flags.checkpoint,
                  "a checkpoint, or a run's folder: its best, else its newest "
                  "[training.checkpoint_dir]")
      ->type_name("DIR");
  verb.add_option("-o,--output", flags.output,
                  "a file for one text, a folder for many, - for stdout [speech.wav, speech/]")
      ->type_name("PATH");
}

void add_how(CLI::App& verb, SynthFlags& flags) {
  speak::SynthesisOptions& options = flags.options;
  verb.add_option("--speaker", options.speaker, "name or number [the first]")->type_name("NAME");
  verb.add_option("--language", options.language, "name or number [detected]")->type_name("NAME");
  verb.add_option("--reference-audio", flags.reference,
                  "speak like this clip: wav, flac, ogg, opus, mp3")
      ->type_name("FILE");
  number(verb.add_option("--speaking-rate", options.speech.rate, "2: twice as fast [1]"), 0.25, 4);
  number(verb.add_option("--temperature", options.speech.temperature,
                         "how far readings may differ [0.667]"),
         0, 2);
  integer(verb.add_option("--steps", options.speech.steps, "of the solver [10]"), 1, 1000);
  one_of(verb.add_option("--solver", flags.solver, "of the flow [euler]"), {"euler", "midpoint"});
  number(verb.add_option("--guidance", options.speech.guidance,
                         "how strongly the text is held to [0]"),
         0, 20);
  integer(verb.add_option("--seed", options.speech.seed, "another reading of the same text [0]"), 0,
          kMostSeed);
  number(verb.add_option("--pause", options.join.pause_s, "seconds between two sentences [0.2]"), 0,
         60);
  verb.add_option(
          "--vocoder", flags.studio.vocoder,
          "griffin_lim, a vocoder of `seda train --stage vocoder` (file, checkpoint or run's "
          "folder), or weights of a HiFi-GAN generator (scripts/convert_hifigan.py) "
          "[griffin_lim]")
      ->type_name("griffin_lim|PATH");
  verb.add_option("--device", flags.studio.device, "cpu, cuda or cuda:N [the first GPU, else cpu]")
      ->type_name("DEVICE");
  verb.add_flag("--no-mixed-precision", flags.exact,
                "speak in fp32 [bf16 on a GPU, and on a CPU that multiplies it]");
  integer(verb.add_option("--batch-size", flags.batch_size,
                          "sentences spoken together [16; 1 to stdout]"),
          1, 1024);
}

}  // namespace

void add_synth(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("synth", "speak text with a trained voice");
  const auto flags = std::make_shared<SynthFlags>();
  add_what(*verb, *flags);
  add_how(*verb, *flags);
  const auto common = add_common(*verb);
  const auto config_flags = add_config_flags(*verb, {"training.checkpoint_dir"});
  verb->footer(
      "Examples:\n  seda synth --checkpoint runs/voice --text 'Hello there.'\n  seda synth "
      "--checkpoint runs/voice --file lines.txt --output spoken --json\n  seda synth --checkpoint "
      "runs/voice --text 'Like this.' --reference-audio clip.wav\n  echo 'Read to me.' | seda "
      "synth "
      "--checkpoint runs/voice --output - | aplay\n  seda synth --checkpoint runs/voice --text "
      "'Clearer.' --vocoder checkpoints/vocoder --steps 20 --solver midpoint");
  verb->callback([=] { run(config_flags->load().config, *flags, *common); });
}

}  // namespace seda::cli
