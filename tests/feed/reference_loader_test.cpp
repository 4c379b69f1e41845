// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/reference_loader.h"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/feed/cache_source.h"
#include "seda/feed/file_source.h"
#include "tests/feed/clips.h"
#include "tests/feed/loader_world.h"
#include "tests/support/error_message.h"
#include "tests/support/fake_backend.h"

namespace seda::feed {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::error_message;
using testing_support::FakePlatform;

/// A corpus, its cache, and a machine with one fake GPU.
struct Setting {
  explicit Setting(Clips& clips, AudioKind kind = AudioKind::mel) : corpus(clips) {
    prepare_options = corpus.options();
    prepare_options.read.validation_share = 0;
    prepare_options.audio.kind = kind;
    const auto report = prepare(prepare_options);
    source = std::make_shared<CacheSource>(report.cache, *report.listing, cache::OpenOptions{});
    options.batch_size = 4;
    options.order.seed = 7;
    options.max_fault_share = 1;
  }

  ReferenceLoader loader() const {
    return ReferenceLoader(source, prepare_options, options, machine.platform);
  }
  device::StreamView cpu() const { return machine.platform.default_stream(device::kCpu); }

  Clips& corpus;
  FakePlatform machine{{.devices = 1, .memory_bytes = uint64_t{256} << 20}};
  PrepareOptions prepare_options;
  std::shared_ptr<const ClipSource> source;
  FeedOptions options;
};

std::vector<HostBatch> epoch(Loader& loader, device::StreamView stream) {
  std::vector<HostBatch> out;
  while (const auto lease = loader.next(stream))
    out.push_back(to_host(*lease));
  return out;
}

/// Tokens and mel of a clip of the corpus, whole.
struct Expected {
  std::vector<int32_t> tokens;
  std::vector<float> mel;
  size_t frames = 0;
};

Expected expected_of(const Setting& setting, uint32_t row) {
  const auto& options = setting.prepare_options;
  const text::Frontend frontend(options.text.frontend,
                                text::make_fixed_tokenizer(options.text.frontend, true));
  const auto samples = Clips::tone(static_cast<int>(row), setting.source->rows()[row].samples);
  Expected out;
  out.tokens = frontend.apply(setting.corpus.read().utterances[row].text, "").encoded.tokens;
  const audio::MelCpu mel(options.audio.mel);
  audio::MelCpu::Workspace workspace(mel);
  out.frames = static_cast<size_t>(mel.frames(std::ssize(samples)));
  out.mel.resize(80 * out.frames);
  mel.apply(samples, workspace, {out.mel.data(), out.frames, out.frames});
  return out;
}

/// Every element of a row, real or padding.
void check_row(const Setting& setting, const HostBatch& batch, size_t row) {
  const Expected whole = expected_of(setting, batch.info.clips[row]);
  const auto width = static_cast<size_t>(batch.shape.frames);
  const auto places = static_cast<size_t>(batch.shape.tokens);
  const size_t frames = std::min(whole.frames, width);
  const size_t tokens = std::min(whole.tokens.size(), places);
  EXPECT_EQ(batch.mel_lengths[row], static_cast<int32_t>(frames));
  EXPECT_EQ(batch.token_lengths[row], static_cast<int32_t>(tokens));
  for (size_t t = 0; t < width; ++t) {
    ASSERT_EQ(batch.mel_mask[row * width + t], t < frames ? 1 : 0);
    for (size_t band = 0; band < 80; ++band) {
      ASSERT_EQ(batch.mel[(row * 80 + band) * width + t],
                t < frames ? whole.mel[band * whole.frames + t] : std::log(1e-5F));
    }
  }
  for (size_t i = 0; i < places; ++i) {
    ASSERT_EQ(batch.token_mask[row * places + i], i < tokens ? 1 : 0);
    ASSERT_EQ(batch.tokens[row * places + i], i < tokens ? whole.tokens[i] : 0);
  }
}

void check_rows(const Setting& setting, const std::vector<HostBatch>& batches) {
  for (const HostBatch& batch : batches) {
    for (size_t row = 0; row < batch.info.clips.size(); ++row)
      check_row(setting, batch, row);
  }
}

std::set<uint32_t> clips_of(const std::vector<HostBatch>& batches) {
  std::set<uint32_t> out;
  for (const HostBatch& batch : batches)
    out.insert(batch.info.clips.begin(), batch.info.clips.end());
  return out;
}

TEST(ReferenceLoader, BatchesAreTheClipsPadded) {
  Clips corpus(10);
  const Setting setting(corpus);
  ReferenceLoader loader = setting.loader();
  const auto batches = epoch(loader, setting.cpu());
  ASSERT_EQ(batches.size(), 3u);
  check_rows(setting, batches);
  EXPECT_EQ(clips_of(batches).size(), 10u);
  EXPECT_TRUE(batches[2].info.last_of_epoch);
  EXPECT_FALSE(batches[1].info.last_of_epoch);
}

TEST(ReferenceLoader, MasksFollowTheLengths) {
  Clips corpus(2);
  corpus.sing(0, 256 * 8);
  corpus.sing(1, 256 * 11);
  corpus.set(0, "a b");
  corpus.set(1, "abc d");
  corpus.save();
  Setting setting(corpus);
  setting.options.batch_size = 2;
  setting.options.fixed_shapes = false;
  setting.options.order.shuffle = false;
  ReferenceLoader loader = setting.loader();
  const auto batches = epoch(loader, setting.cpu());
  ASSERT_EQ(batches.size(), 1u);
  const HostBatch& batch = batches[0];
  EXPECT_EQ(batch.shape, (BatchShape{2, 11, 11, 80}));
  EXPECT_THAT(batch.mel_mask, ElementsAre(1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0,  //
                                          1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1));
  EXPECT_THAT(batch.token_mask, ElementsAre(1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0,  //
                                            1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1));
  EXPECT_THAT(batch.mel_lengths, ElementsAre(8, 11));
  EXPECT_THAT(batch.token_lengths, ElementsAre(7, 11));
  EXPECT_EQ(batch.info.real_frames, 19);
  EXPECT_EQ(batch.info.real_tokens, 18);
}

TEST(ReferenceLoader, OrderIsTheSamplers) {
  Clips corpus(13);
  const Setting setting(corpus);
  ReferenceLoader loader = setting.loader();
  Sampler sampler(loader.plan().lengths.clips, loader.plan().buckets, setting.options.order);
  for (int run = 0; run < 2; ++run) {
    for (const HostBatch& batch : epoch(loader, setting.cpu())) {
      const auto plan = sampler.next();
      ASSERT_TRUE(plan);
      EXPECT_EQ(batch.info.step, plan->step);
      EXPECT_EQ(batch.info.repeats, plan->repeats);
      for (size_t row = 0; row < batch.info.clips.size(); ++row)
        EXPECT_EQ(batch.info.clips[row], loader.plan().lengths.clips[plan->clips[row]].row);
    }
    EXPECT_FALSE(sampler.next());
    EXPECT_EQ(loader.state(), sampler.state());
  }
}

TEST(ReferenceLoader, GoesOnFromAState) {
  Clips corpus(12);
  Setting setting(corpus);
  ReferenceLoader whole = setting.loader();
  const auto all = epoch(whole, setting.cpu());
  setting.options.start = {0, 1};
  ReferenceLoader later = setting.loader();
  EXPECT_EQ(later.state(), (SamplerState{0, 1}));
  const auto rest = epoch(later, setting.cpu());
  ASSERT_EQ(rest.size(), 2u);
  EXPECT_EQ(rest[0].info.clips, all[1].info.clips);
  EXPECT_EQ(rest[0].mel, all[1].mel);
}

TEST(ReferenceLoader, DoesNotDependOnWhereRowsComeFrom) {
  Clips corpus(8);
  Setting setting(corpus, AudioKind::pcm16);
  ReferenceLoader cached = setting.loader();
  setting.source = std::make_shared<FileSource>(setting.prepare_options);
  ReferenceLoader raw = setting.loader();
  const auto a = epoch(cached, setting.cpu());
  const auto b = epoch(raw, setting.cpu());
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].info.clips, b[i].info.clips);
    EXPECT_EQ(a[i].mel, b[i].mel);
    EXPECT_EQ(a[i].tokens, b[i].tokens);
    EXPECT_EQ(a[i].languages, b[i].languages);
  }
}

TEST(ReferenceLoader, FreeShapesAreThoseOfTheLongestClips) {
  Clips corpus(6);
  for (int i = 0; i < 6; ++i)
    corpus.sing(i, 256 * (10 + 5 * static_cast<size_t>(i)));
  Setting setting(corpus);
  setting.options.fixed_shapes = false;
  setting.options.batch_size = 2;
  ReferenceLoader loader = setting.loader();
  const auto batches = epoch(loader, setting.cpu());
  check_rows(setting, batches);
  for (const HostBatch& batch : batches) {
    EXPECT_EQ(batch.shape.frames, std::ranges::max(batch.mel_lengths));
    EXPECT_EQ(batch.shape.tokens, std::ranges::max(batch.token_lengths));
  }
}

TEST(ReferenceLoader, CutsOverlongClipsFromTheirEnd) {
  Clips corpus(4);
  corpus.sing(2, 256 * 40);
  Setting setting(corpus);
  setting.options.limits = {10, 16, Overlong::truncate};
  ReferenceLoader loader = setting.loader();
  const auto batches = epoch(loader, setting.cpu());
  ASSERT_EQ(batches.size(), 1u);
  check_rows(setting, batches);
  EXPECT_EQ(std::ranges::max(batches[0].mel_lengths), 16);
  EXPECT_THAT(batches[0].token_lengths, Each(21));
}

TEST(ReferenceLoader, ReplacesABadClipAsTheSamplerSays) {
  Clips corpus(8);
  Setting setting(corpus);
  std::filesystem::remove(corpus.wav(3));
  ReferenceLoader loader = setting.loader();
  Sampler sampler(loader.plan().lengths.clips, loader.plan().buckets, setting.options.order);
  const auto batches = epoch(loader, setting.cpu());
  EXPECT_FALSE(clips_of(batches).contains(3));
  uint32_t replaced = 0;
  for (const HostBatch& batch : batches) {
    replaced += batch.info.replaced;
    const auto plan = sampler.next();
    for (size_t row = 0; row < plan->clips.size(); ++row) {
      const bool bad = plan->clips[row] == 3;
      EXPECT_EQ(batch.info.clips[row],
                bad ? *sampler.replacement(*plan, row, 0) : plan->clips[row]);
    }
  }
  EXPECT_EQ(replaced, 1u);
  ASSERT_EQ(loader.faults().size(), 1u);
  EXPECT_EQ(loader.faults()[0].id, Clips::id(3));
  EXPECT_EQ(loader.faults()[0].code, "audio_missing");
  EXPECT_EQ(loader.statistics().replaced, 1u);
}

TEST(ReferenceLoader, AClipThatIsGoneFromTheCorpusIsBad) {
  Clips corpus(8);
  Setting setting(corpus);
  corpus.remove(5);
  corpus.save();
  ReferenceLoader loader = setting.loader();
  epoch(loader, setting.cpu());
  ASSERT_EQ(loader.faults().size(), 1u);
  EXPECT_EQ(loader.faults()[0].code, "clip_gone");
}

TEST(ReferenceLoader, StopsAtTooManyBadClips) {
  Clips corpus(8);
  Setting setting(corpus);
  setting.options.max_fault_share = 0.2;
  for (const int clip : {1, 4})
    std::filesystem::remove(corpus.wav(clip));
  ReferenceLoader loader = setting.loader();
  const std::string message = error_message([&] { epoch(loader, setting.cpu()); });
  EXPECT_THAT(message, HasSubstr("2 of 8 clips are bad"));
  EXPECT_THAT(message, HasSubstr(Clips::id(1)));
  EXPECT_THAT(message, HasSubstr(Clips::id(4)));
}

TEST(ReferenceLoader, WhereAllAreBadSaysSo) {
  Clips corpus(3);
  Setting setting(corpus);
  for (const int clip : {0, 1, 2})
    std::filesystem::remove(corpus.wav(clip));
  ReferenceLoader loader = setting.loader();
  EXPECT_THAT(error_message([&] { epoch(loader, setting.cpu()); }),
              HasSubstr("every clip that could stand in"));
}

TEST(ReferenceLoader, MeetsPlantedFaults) {
  Clips corpus(20);
  Setting setting(corpus);
  setting.options.inject = {.bad_share = 0.3};
  ReferenceLoader loader = setting.loader();
  epoch(loader, setting.cpu());
  EXPECT_GT(loader.faults().size(), 0u);
  for (const Fault& fault : loader.faults())
    EXPECT_EQ(fault.code, "injected");
}

TEST(ReferenceLoader, BringsBatchesToAGpu) {
  Clips corpus(10);
  Setting setting(corpus);
  ReferenceLoader host = setting.loader();
  setting.options.roles.model = device::cuda(0);
  const auto expected = epoch(host, setting.cpu());
  std::vector<HostBatch> batches;
  {
    ReferenceLoader loader = setting.loader();
    const device::Stream stream(setting.machine.platform, device::cuda(0));
    batches = epoch(loader, stream);
  }
  ASSERT_EQ(batches.size(), expected.size());
  for (size_t i = 0; i < batches.size(); ++i) {
    EXPECT_EQ(batches[i].mel, expected[i].mel);
    EXPECT_EQ(batches[i].tokens, expected[i].tokens);
    EXPECT_EQ(batches[i].token_mask, expected[i].token_mask);
  }
  EXPECT_THAT(setting.machine.backend->violations(), testing::IsEmpty());
  EXPECT_EQ(setting.machine.backend->used_bytes(0), 0u);
}

TEST(ReferenceLoader, CountsWhatItDid) {
  Clips corpus(8);
  const Setting setting(corpus);
  ReferenceLoader loader = setting.loader();
  const auto batches = epoch(loader, setting.cpu());
  const LoaderStatistics statistics = loader.statistics();
  EXPECT_EQ(statistics.batches, batches.size());
  EXPECT_EQ(statistics.clips, 8u);
  std::vector<std::string> names;
  for (const LoaderStage& stage : statistics.stages)
    names.push_back(stage.name);
  EXPECT_THAT(names, ElementsAre("read", "text", "decode", "mel", "transfer"));
  EXPECT_EQ(statistics.stages[2].work.count, 8u);
  EXPECT_GT(statistics.wait_s, 0);
}

}  // namespace
}  // namespace seda::feed
