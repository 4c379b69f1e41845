// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "seda/audio/mel_picture.h"
#include "seda/audio/npy.h"
#include "seda/audio/sound_reader.h"
#include "seda/base/error.h"
#include "seda/base/file.h"
#include "seda/base/log.h"
#include "seda/base/parallel.h"
#include "seda/base/per_thread.h"
#include "seda/base/progress.h"
#include "seda/cli/flags.h"
#include "seda/cli/mel_maker.h"
#include "seda/cli/verbs.h"
#include "seda/feed/audio_options.h"
#include "seda/feed/prepare_options.h"
#include "seda/feed/sound_faults.h"

namespace seda::cli {
namespace {

namespace fs = std::filesystem;

struct MelFlags {
  std::vector<std::string> files;
  std::string output;
  std::string device = "cpu";
  bool png = false;
  bool compare = false;
};

/// One file: where its mel goes, then what came of it.
struct Job {
  fs::path input;
  fs::path output;
  fs::path picture;  ///< Empty: none is wanted.
  size_t frames = 0;
  double seconds = 0;
  double difference = 0;  ///< Largest between the CPU and the GPU, where compared.
  std::optional<Fault> fault;
};

// Where the results go

/// One input and a name that is no folder: that file. Else a folder, or here.
bool is_file_name(const MelFlags& flags) {
  return flags.files.size() == 1 && !flags.output.empty() && !flags.output.ends_with('/') &&
         !fs::is_directory(flags.output);
}

fs::path output_of(const MelFlags& flags, const fs::path& input) {
  if (is_file_name(flags)) return flags.output;
  fs::path name = input.filename();
  return fs::path(flags.output) / name.replace_extension(".npy");
}

void refuse_collisions(const std::vector<Job>& jobs) {
  std::map<fs::path, fs::path> taken;
  for (const Job& job : jobs) {
    const auto [found, fresh] = taken.emplace(job.output, job.input);
    if (fresh) continue;
    throw_error(ErrorKind::usage,
                "{} and {} would both be written to {}; call seda mel for one of them apart, with "
                "another --output",
                found->second.native(), job.input.native(), job.output.native());
  }
}

/// No sound is written over by the mel or the picture of one.
void refuse_inputs(const std::vector<Job>& jobs) {
  std::error_code none;
  std::set<fs::path> inputs;
  for (const Job& job : jobs)
    inputs.insert(fs::weakly_canonical(job.input, none));
  inputs.erase(fs::path());  // of a link that leads to itself
  for (const Job& job : jobs) {
    for (const fs::path& target : {job.output, job.picture}) {
      if (target.empty() || !inputs.contains(fs::weakly_canonical(target, none))) continue;
      throw_error(ErrorKind::usage,
                  "{} is a sound to be read and would be written over; name another --output",
                  target.native());
    }
  }
}

void check_output(const MelFlags& flags) {
  if (flags.output == "-") {
    throw_error(ErrorKind::usage, "--output -: a mel goes to a file; name a .npy file or a folder");
  }
  const size_t files = flags.files.size();
  if (files > 1 && flags.output.ends_with(".npy") && !fs::is_directory(flags.output)) {
    throw_error(ErrorKind::usage,
                "--output {}: names a file, and there are {} inputs; name a folder", flags.output,
                files);
  }
}

std::vector<Job> plan_jobs(const MelFlags& flags) {
  check_output(flags);
  std::vector<Job> jobs;
  for (const std::string& file : flags.files) {
    Job job;
    job.input = file;
    job.output = output_of(flags, file);
    if (flags.png) job.picture = fs::path(job.output).replace_extension(".png");
    if (job.picture == job.output) {
      throw_error(ErrorKind::usage,
                  "--output {}: names the .npy file; --png puts a picture beside it", flags.output);
    }
    jobs.push_back(std::move(job));
  }
  refuse_collisions(jobs);
  refuse_inputs(jobs);
  if (!flags.output.empty()) {
    create_folders(is_file_name(flags) ? folder_of(flags.output) : fs::path(flags.output));
  }
  return jobs;
}

// The work

/// Takes files to mels on disk. Thread-safe.
class MelFiles {
 public:
  MelFiles(const feed::AudioOptions& options, device::Device device, bool compare)
      : options_(options), maker_(make_mel_maker(device, options.mel)) {
    if (compare) reference_ = make_mel_maker(device::kCpu, options.mel);
  }

  void run(Job& job) {
    auto& reader = readers_.local();
    if (!reader) reader.emplace(options_.sound);
    const auto sound = reader->read(job.input);
    if (!sound) {
      job.fault = sound.fault();
      return;
    }
    const auto samples = sound.value().samples;
    const auto mel = maker_->make(samples);
    if (mel.empty()) {
      job.fault = feed::too_short(samples.size(), options_.mel);
      return;
    }
    job.seconds = static_cast<double>(samples.size()) / options_.sound.sample_rate;
    if (reference_ != nullptr) job.difference = difference(mel, reference_->make(samples));
    write(job, mel);
  }

 private:
  static double difference(std::span<const float> a, std::span<const float> b) {
    double largest = 0;
    for (size_t i = 0; i < a.size(); ++i)
      largest = std::max(largest, static_cast<double>(std::abs(a[i] - b[i])));
    return largest;
  }

  void write(Job& job, std::span<const float> mel) const {
    const auto n_mels = static_cast<size_t>(options_.mel.n_mels);
    job.frames = mel.size() / n_mels;
    audio::write_npy(job.output, mel, std::array{n_mels, job.frames});
    if (job.picture.empty()) return;
    const auto picture = audio::draw_mel(mel, options_.mel, job.input.filename().native());
    write_file(job.picture, audio::png_bytes(picture));
  }

  const feed::AudioOptions& options_;
  std::unique_ptr<MelMaker> maker_;
  std::unique_ptr<MelMaker> reference_;  // null: nothing to compare with
  PerThread<std::optional<audio::SoundReader>> readers_;
};

void run_jobs(std::vector<Job>& jobs, MelFiles& files, int threads, bool quiet) {
  const SteadyClock clock;
  LogProgressSink sink;
  Progress progress({"mel", "files", jobs.size(), progress_style(quiet), terminal_width()}, clock,
                    sink);
  parallel_for(jobs.size(), {.threads = threads, .grain = 1, .name = "mel"},
               [&](size_t begin, size_t end) {
                 for (size_t i = begin; i < end; ++i)
                   files.run(jobs[i]);
                 progress.advance(end - begin);
               });
}

// What is said of it

double largest_difference(const std::vector<Job>& jobs) {
  double largest = 0;
  for (const Job& job : jobs)
    largest = std::max(largest, job.difference);
  return largest;
}

Json to_json(const std::vector<Job>& jobs, int n_mels, device::Device device, bool compare) {
  Json out = {
      {"files", Json::array()}, {"faults", Json::array()}, {"device", device::to_string(device)}};
  if (compare) out["max_abs_difference"] = largest_difference(jobs);
  for (const Job& job : jobs) {
    if (job.fault) {
      out["faults"].push_back({{"id", job.input.native()},
                               {"code", job.fault->code},
                               {"evidence", job.fault->evidence}});
      continue;
    }
    Json file = {{"path", job.input.native()},
                 {"frames", job.frames},
                 {"n_mels", n_mels},
                 {"seconds", job.seconds},
                 {"output", job.output.native()}};
    if (!job.picture.empty()) file["picture"] = job.picture.native();
    out["files"].push_back(std::move(file));
  }
  return out;
}

std::string to_text(const Job& job, int n_mels) {
  std::string out = fmt::format("{}  {:.3f} s  {} x {}  {}", job.input.native(), job.seconds,
                                n_mels, job.frames, job.output.native());
  if (!job.picture.empty()) out += fmt::format("  {}", job.picture.native());
  return out + "\n";
}

/// --compare without a device means the first GPU: the CPU is the other side.
device::Device device_of(const MelFlags& flags) {
  const device::Device device = device::parse_device(flags.device);
  return flags.compare && device.is_cpu() ? device::cuda(0) : device;
}

void run(const config::Config& config, const MelFlags& flags, const Common& common) {
  const feed::AudioOptions options = feed::audio_options(config, false);
  const device::Device device = device_of(flags);
  MelFiles files(options, device, flags.compare);
  std::vector<Job> jobs = plan_jobs(flags);
  run_jobs(jobs, files, feed::worker_threads(config), common.quiet);
  size_t bad = 0;
  for (const Job& job : jobs) {
    if (job.fault) {
      ++bad;
      log::error("{}: {}: {}", job.input.native(), job.fault->code, job.fault->evidence);
    } else if (!common.json) {
      print(to_text(job, options.mel.n_mels));
    }
  }
  if (common.json) {
    print_json(to_json(jobs, options.mel.n_mels, device, flags.compare));
  } else if (flags.compare) {
    print(fmt::format("cpu and {} differ by at most {:.1e}\n", device::to_string(device),
                      largest_difference(jobs)));
  }
  if (bad > 0) throw_error(ErrorKind::check_failed, "{} of {} files have no mel", bad, jobs.size());
}

}  // namespace

void add_mel(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("mel", "log-mel spectrograms of sound files");
  const auto flags = std::make_shared<MelFlags>();
  verb->add_option("FILE", flags->files, "sound files: wav, flac, ogg, opus, mp3")->required();
  verb->add_option("-o,--output", flags->output,
                   "a file for one input, a folder for many [NAME.npy, here]")
      ->type_name("PATH");
  verb->add_flag("--png", flags->png, "also a picture, NAME.png beside it");
  verb->add_option("--device", flags->device, "cpu, cuda or cuda:N [cpu]")->type_name("DEVICE");
  verb->add_flag("--compare", flags->compare,
                 "make every mel on the CPU too and say how far the GPU's differs");
  const auto common = add_common(*verb);
  const auto config_flags = add_config_flags(*verb, {"data.mel", "data.audio", "data.num_workers"});
  verb->footer(
      "Examples:\n  seda mel clip.wav\n  seda mel clip.wav --png --output out/clip.npy\n  seda mel "
      "corpora/voice/wavs/*.wav --output mels --preset tacotron2\n  seda mel clip.flac "
      "--sample-rate 16000 --trim-silence --json\n  seda mel clip.wav --device cuda --compare");
  verb->callback([=] { run(config_flags->load().config, *flags, *common); });
}

}  // namespace seda::cli
