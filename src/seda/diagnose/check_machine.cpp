// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "seda/audio/mel_options.h"
#include "seda/base/units.h"
#include "seda/diagnose/check_names.h"
#include "seda/diagnose/checks.h"
#include "seda/diagnose/writable_place.h"

namespace seda::diagnose {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kGoodRamBytes = 16'000'000'000;  // as memory is sold; 15.6 GiB are shown
constexpr uint64_t kLittleDiskBytes = uint64_t{1} << 30;
constexpr uint64_t kCheckpointBytes = 16;  // of each weight: average, weights, two moments
constexpr int kOtherCheckpoints = 2;       // the best, and the one being written

/// A place that will be written, and about how much.
struct Place {
  std::string what;
  fs::path folder;
  uint64_t bytes = 0;
};

uint64_t record_bytes(const feed::ClipRow& row, const feed::AudioOptions& audio) {
  if (audio.kind == feed::AudioKind::pcm16) return 2 * row.samples;
  const int64_t frames = audio::mel_frames(audio.mel, static_cast<int64_t>(row.samples));
  return static_cast<uint64_t>(frames) * static_cast<uint64_t>(audio.mel.n_mels) * sizeof(float);
}

/// What the cache still lacks, by the clips that were looked at.
Place cache_place(const CorpusView& view) {
  const feed::PrepareOptions& options = view.clips.corpus;
  Place place{"cache", view.cache_folder()};
  if (view.cached()) return place;
  double bytes = 0;
  for (const feed::ClipRow& row : view.clips.source->rows())
    bytes += static_cast<double>(record_bytes(row, options.audio));
  const auto looked_at = static_cast<double>(view.clips.source->rows().size());
  const auto missing =
      static_cast<double>(view.plan ? view.plan->audio_built : view.corpus.utterances.size());
  place.bytes = looked_at > 0 ? static_cast<uint64_t>(bytes / looked_at * missing) : 0;
  return place;
}

Place checkpoint_place(const CheckContext& context) {
  Place place{"checkpoints", context.config.text("training.checkpoint_dir")};
  if (!context.model) return place;
  const auto kept = static_cast<uint64_t>(context.config.integer("training.keep_checkpoints"));
  place.bytes = static_cast<uint64_t>(context.model->parameters) * kCheckpointBytes *
                (kept + kOtherCheckpoints);
  return place;
}

/// Adds what is wrong with a place; returns what is right.
std::string look_at(const Place& place, std::vector<Finding>& findings) {
  std::error_code error;
  const fs::path there = existing_part(place.folder);
  const fs::space_info space = fs::space(there, error);
  if (error)
    return fmt::format("{}: {} cannot be asked ({})", place.what, there.string(), error.message());
  std::string evidence =
      fmt::format("{}: {} free in {}", place.what, format_bytes(space.available), there.string());
  if (place.bytes > 0) evidence += fmt::format(", about {} needed", format_bytes(place.bytes));
  const bool full = space.available < place.bytes;
  if (!full && space.available >= std::max(2 * place.bytes, kLittleDiskBytes)) return evidence;
  findings.push_back(of_machine(
      full ? Severity::error : Severity::warning, FindingCode::little_disk, std::move(evidence),
      place.what == "cache" ? "free some, or data.cache_dir: a folder on a larger disk"
                            : "free some, or training.checkpoint_dir: a folder on a larger disk"));
  return "";
}

}  // namespace

Check check_ram(const CheckContext& context) {
  if (!context.machine.memory_bytes)
    return not_measured(kRam, "/proc/meminfo does not tell", "run where /proc is mounted");
  const uint64_t bytes = *context.machine.memory_bytes;
  const std::string evidence = format_bytes(bytes);
  if (bytes >= kGoodRamBytes) return passed(kRam, evidence);
  return judged(
      kRam,
      {of_machine(Severity::warning, FindingCode::little_ram, evidence + ", expected 16 GB or more",
                  "lower data.batch_size (or data.batch_frames) and data.prefetch_buffer_size if "
                  "memory runs out, or use a machine with more")},
      "");
}

Check check_disk(const CheckContext& context) {
  std::vector<Finding> findings;
  std::string evidence = look_at(checkpoint_place(context), findings);
  if (context.view) {
    const std::string cache = look_at(cache_place(*context.view), findings);
    evidence += (evidence.empty() || cache.empty() ? "" : "; ") + cache;
  }
  return judged(kDisk, std::move(findings), evidence);
}

}  // namespace seda::diagnose
