// SPDX-License-Identifier: Apache-2.0
// The native loader, on every path, against the reference loader: element for element, in order,
// over two epochs. SEDA_EQUALITY_CLIPS sets the size of the corpus.
#include <cstdlib>

#include <gtest/gtest.h>

#include "seda/feed/make_loader.h"
#include "seda/feed/native_loader.h"
#include "seda/feed/reference_loader.h"
#include "tests/feed/clips.h"
#include "tests/feed/loader_world.h"

namespace seda::feed {
namespace {

constexpr double kMelTolerance = 1e-3;  // between devices
constexpr int kUsualClips = 60;

int corpus_size() {
  const char* said = std::getenv("SEDA_EQUALITY_CLIPS");
  return said == nullptr ? kUsualClips : std::atoi(said);
}

/// Where the native loader's clips come from.
struct Path {
  std::string name;
  bool use_cache = true;
  AudioKind kind = AudioKind::pcm16;
  bool mapped = true;
  bool resident = false;
  bool fixed_shapes = true;
  double bad_share = 0;
  int batch_frames = 0;
};

const std::vector<Path> kPaths = {
    {"files", false},
    {"cache_samples", true, AudioKind::pcm16},
    {"cache_mels", true, AudioKind::mel},
    {"cache_read_samples", true, AudioKind::pcm16, false},
    {"cache_read_mels", true, AudioKind::mel, false},
    {"resident_samples", true, AudioKind::pcm16, true, true},
    {"resident_mels", true, AudioKind::mel, true, true},
    {"resident_files", false, AudioKind::pcm16, true, true},
    {"shapes_by_batch", true, AudioKind::pcm16, true, false, false},
    {"bad_clips", true, AudioKind::mel, true, false, true, 0.2},
    {"bad_clips_in_shapes_by_batch", true, AudioKind::pcm16, true, false, false, 0.2},
    {"frame_budget", true, AudioKind::pcm16, true, false, true, 0, 900},
    {"frame_budget_of_mels", true, AudioKind::mel, true, false, true, 0, 900},
    {"frame_budget_resident", true, AudioKind::pcm16, true, true, true, 0, 900},
    {"frame_budget_below_a_clip", true, AudioKind::pcm16, true, false, true, 0, 150},
    {"frame_budget_with_bad_clips", false, AudioKind::pcm16, true, false, true, 0.2, 900},
};

/// Clips of many lengths, loud in every band: where there is next to nothing, its logarithm is that
/// of the rounding.
class VariedClips : public Clips {
 public:
  explicit VariedClips(int count) : Clips(count) {
    for (int i = 0; i < count; ++i) {
      set(i,
          "Line " + std::to_string(i) + std::string(static_cast<size_t>(i * 13 % 50), 'a') + ".");
      write(wav_name(i),
            audio::wav_bytes(noise(i, 3000 + static_cast<size_t>(i * 7919 % 60000)), kRate));
    }
    save();
  }

 private:
  static std::vector<int16_t> noise(int i, size_t samples) {
    Random random(static_cast<uint64_t>(i));
    std::vector<int16_t> out(samples);
    for (int16_t& sample : out)
      sample = static_cast<int16_t>(static_cast<int>(random.below(20000)) - 10000);
    return out;
  }
};

class LoaderEqualityTest : public testing::TestWithParam<RolesCase> {
 protected:
  LoaderEqualityTest() : world_(GetParam()), corpus_(corpus_size()) {}
  void SetUp() override {
    if (const std::string why = world_.absence(); !why.empty()) GTEST_SKIP() << why;
  }

  FeedOptions options(const Path& path, const Roles& roles) const {
    FeedOptions out;
    out.roles = roles;
    out.workers = 3;
    out.batch_size = 8;
    out.num_buckets = 4;
    out.order.seed = 5;
    out.limits = {.max_symbols = 50, .max_frames = 200, .overlong = Overlong::truncate};
    out.max_fault_share = 1;
    out.inject.bad_share = path.bad_share;
    out.resident = path.resident;
    out.fixed_shapes = path.fixed_shapes;
    out.batch_frames = path.batch_frames;
    out.announce = false;
    return out;
  }

  OpenedClips open(const Path& path) const {
    OpenOptions opening;
    opening.prepare = corpus_.options();
    opening.prepare.audio.kind = path.kind;
    opening.use_cache = path.use_cache;
    opening.memory_mapping = path.mapped;
    return open_clips(opening);
  }

  void compare(const Path& path) {
    const OpenedClips clips = open(path);
    FeedOptions plain = options(path, {device::kCpu, device::kCpu});
    plain.native = false;
    const auto reference = make_loader(clips, plain, world_.platform());
    const auto native = make_loader(clips, options(path, GetParam().roles), world_.platform());
    const device::Stream consumer(world_.platform(), GetParam().roles.model);
    const device::StreamView host = world_.platform().default_stream(device::kCpu);
    ASSERT_EQ(native->batches_per_epoch(), reference->batches_per_epoch());
    for (size_t i = 0; i < 2 * (native->batches_per_epoch() + 1); ++i) {
      const auto wanted = reference->next(host);
      const auto found = native->next(consumer);
      ASSERT_EQ(found.has_value(), wanted.has_value()) << path.name << ", call " << i;
      if (!found) continue;
      ASSERT_LE(difference(to_host(*found), to_host(*wanted)), kMelTolerance)
          << path.name << ", call " << i;
    }
    EXPECT_EQ(native->faults(), reference->faults());
  }

  RolesWorld world_;
  VariedClips corpus_;
};

TEST_P(LoaderEqualityTest, GivesTheReferenceLoadersBatches) {
  for (const Path& path : kPaths)
    ASSERT_NO_FATAL_FAILURE(compare(path));
}

INSTANTIATE_TEST_SUITE_P(Roles, LoaderEqualityTest, testing::ValuesIn(kRolesCases),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace seda::feed
