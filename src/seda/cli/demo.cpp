// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "seda/audio/level.h"
#include "seda/audio/wav_writer.h"
#include "seda/base/clock.h"
#include "seda/base/file.h"
#include "seda/base/log.h"
#include "seda/base/random.h"
#include "seda/base/units.h"
#include "seda/cli/flags.h"
#include "seda/cli/limits.h"
#include "seda/cli/verbs.h"
#include "seda/corpus/make_corpus.h"
#include "seda/speak/studio.h"
#include "seda/speak/synthesizer.h"
#include "seda/train/load_library.h"
#include "seda/train/train.h"

namespace seda::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 10> kDigits = {"zero", "one", "two",   "three", "four",
                                                 "five", "six", "seven", "eight", "nine"};
constexpr const char* kSaid = "four two seven nine.";
constexpr int kSampleRate = 16000;  // flite's own

// What two cores do in three minutes; on a GPU there is no need to hurry.
constexpr int64_t kCpuSteps = 1500;
constexpr int64_t kGpuSteps = 4000;

struct DemoFlags {
  fs::path folder = "seda-demo";
  std::optional<int64_t> steps;
  size_t clips = 400;
};

/// What took how long.
struct DemoTimes {
  double corpus_s = 0;
  double train_s = 0;
  double synth_s = 0;
};

/// Rows of digits, few enough words that minutes of training do: "three eight one."
std::string transcripts(size_t clips) {
  std::string out;
  Random random(7);
  for (size_t i = 0; i < clips; ++i) {
    out += fmt::format("digits-{:04}|", i);
    const uint64_t words = 2 + random.below(3);
    for (uint64_t word = 0; word < words; ++word) {
      out += word > 0 ? " " : "";
      out += kDigits[random.below(kDigits.size())];
    }
    out += ".\n";
  }
  return out;
}

corpus::CorpusReport make_practice(const DemoFlags& flags, ProgressStyle progress) {
  create_folders(flags.folder);
  write_file(flags.folder / "transcripts.csv", transcripts(flags.clips));
  corpus::CorpusOptions options;
  options.folder = flags.folder / "corpus";
  options.transcripts = flags.folder / "transcripts.csv";
  options.voices = {"rms"};
  options.sample_rate = kSampleRate;
  options.progress = progress;
  return corpus::make_corpus(options);
}

/// As a user would write it in a file.
config::Config demo_config(const DemoFlags& flags, bool gpu) {
  config::Config config;
  const auto set = [&](const char* key, config::Value value) {
    config.set(key, std::move(value),
               {.origin = config::Origin::flag, .place = {}, .flag = "seda demo"});
  };
  const int64_t steps = flags.steps.value_or(gpu ? kGpuSteps : kCpuSteps);
  set("data.text.phonemes", false);
  set("data.text.tokenizer", std::string("characters"));
  set("data.text.language", std::string("en"));
  set("data.text.add_blank", false);
  set("data.mel.sample_rate", int64_t{kSampleRate});
  set("data.batch_size", int64_t{8});
  set("training.checkpoint_dir", (flags.folder / "run").string());
  set("training.max_steps", steps);
  set("training.epochs", int64_t{1'000'000});
  set("training.lr", 1e-3);
  set("training.warmup_steps", std::min<int64_t>(100, steps / 4 + 1));
  set("training.average_decay", 0.99);
  set("training.eval_every", std::max<int64_t>(1, steps / 2));
  set("training.checkpoint_every", steps);
  set("training.log_every", int64_t{20});
  return config;
}

/// Writes what the newest weights say of a line that no clip has.
void say(const train::Checkpoint& checkpoint, const fs::path& wav) {
  const auto frontend = checkpoint.frontend();
  const speak::Synthesizer synthesizer(checkpoint.voice(), *frontend, {});
  const std::vector<std::string> texts = {kSaid};
  const auto scripts = synthesizer.read(texts);
  const speak::Studio studio(checkpoint, {});
  std::vector<float> sound;
  synthesizer.speak(scripts, studio.instruments(), [&](const speak::Speech& speech) {
    sound.insert(sound.end(), speech.samples.begin(), speech.samples.end());
  });
  std::vector<int16_t> samples;
  audio::to_pcm16(sound, 1, samples);
  audio::write_wav(wav, samples, checkpoint.voice().mel.sample_rate);
}

Json demo_json(const corpus::CorpusReport& corpus, const train::TrainReport& report,
               const DemoTimes& times, const fs::path& wav) {
  return {{"clips", corpus.clips},
          {"train", train::to_json(report)},
          {"sample", wav.string()},
          {"text", kSaid},
          {"seconds",
           {{"corpus", times.corpus_s}, {"train", times.train_s}, {"synth", times.synth_s}}}};
}

std::string demo_text(const DemoFlags& flags, const corpus::CorpusReport& corpus,
                      const train::TrainReport& report, const DemoTimes& times,
                      const fs::path& wav) {
  std::string out = train::report_text(report);
  out += fmt::format("\nwhat happened\n  corpus  {:>9}  {} clips, {} of speech in {}\n",
                     format_seconds(times.corpus_s), corpus.clips, format_seconds(corpus.audio_s),
                     (flags.folder / "corpus").string());
  out += fmt::format("  train   {:>9}  tiny, {} steps; log, checkpoints, samples in {}\n",
                     format_seconds(times.train_s), report.run_updates,
                     (flags.folder / "run").string());
  out += fmt::format("  synth   {:>9}  \"{}\", which no clip says, in {}\n",
                     format_seconds(times.synth_s), kSaid, wav.string());
  return out;
}

void run(const DemoFlags& flags, const Common& common) {
  const train::Library& library = train::load_library();
  const device::Platform platform;
  const ProgressStyle progress = progress_style(common.quiet);
  DemoTimes times;
  Stopwatch time;
  const auto corpus = make_practice(flags, progress);
  times.corpus_s = time.seconds();
  time.restart();
  train::TrainOptions options = train::train_options(
      demo_config(flags, platform.has(device::cuda(0))), flags.folder / "corpus");
  options.progress = progress;
  const auto report = train::train(options, library, platform);
  times.train_s = time.seconds();
  time.restart();
  const fs::path wav = flags.folder / "sample.wav";
  say(train::Checkpoint::open(report.checkpoint), wav);
  times.synth_s = time.seconds();
  if (common.json) {
    print_json(demo_json(corpus, report, times, wav));
  } else {
    print(demo_text(flags, corpus, report, times, wav));
  }
}

}  // namespace

void add_demo(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("demo", "a corpus, a voice and a spoken sample in minutes");
  const auto flags = std::make_shared<DemoFlags>();
  verb->add_option("OUT", flags->folder, "folder to make, or to go on in [seda-demo]");
  integer(verb->add_option("--steps", flags->steps, "steps of training [1500; 4000 on a GPU]"), 1,
          10'000'000);
  const auto common = add_common(*verb);
  verb->footer("Examples:\n  seda demo\n  seda demo /tmp/demo --steps 2000 --json");
  verb->callback([=] { run(*flags, *common); });
}

}  // namespace seda::cli
