// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/reference_loader.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "seda/base/error.h"
#include "seda/base/interrupt.h"
#include "seda/device/copy.h"
#include "seda/feed/batch_layout.h"
#include "seda/text/tokenizer.h"

namespace seda::feed {
namespace {

constexpr size_t kSlots = 2;

std::vector<Batch> make_slots(size_t bytes, device::MemoryResource& memory,
                              device::StreamView stream) {
  std::vector<Batch> slots(kSlots);
  for (Batch& slot : slots)
    slot.memory = device::Buffer(bytes, memory, stream);
  return slots;
}

/// Row `row` of the tokens, their mask and length.
void write_tokens(const std::vector<int32_t>& tokens, int fed, size_t row, const BatchShape& shape,
                  const BatchArrays& out) {
  for (int i = 0; i < shape.tokens; ++i) {
    const size_t at = row * static_cast<size_t>(shape.tokens) + static_cast<size_t>(i);
    const bool real = i < fed;
    out.tokens[at] = real ? tokens[static_cast<size_t>(i)] : text::kPadToken;
    out.token_mask[at] = real ? 1 : 0;
  }
  out.token_lengths[row] = fed;
}

/// Row `row` of the mels, their mask and length.
void write_mel(const ReferenceClip& clip, int fed, float silence, size_t row,
               const BatchShape& shape, const BatchArrays& out) {
  const auto frames = static_cast<size_t>(shape.frames);
  const auto n_mels = static_cast<size_t>(shape.n_mels);
  for (size_t t = 0; t < frames; ++t) {
    const bool real = t < static_cast<size_t>(fed);
    for (size_t band = 0; band < n_mels; ++band) {
      out.mel[(row * n_mels + band) * frames + t] =
          real ? clip.mel[band * static_cast<size_t>(clip.frames) + t] : silence;
    }
    out.mel_mask[row * frames + t] = real ? 1 : 0;
  }
  out.mel_lengths[row] = fed;
}

}  // namespace

ReferenceLoader::ReferenceLoader(std::shared_ptr<const ClipSource> source,
                                 const PrepareOptions& corpus, const FeedOptions& options,
                                 const device::Platform& platform)
    : source_(std::move(source)),
      options_(options),
      plan_(plan_feed(source_->rows(), source_->mel(), options)),
      sampler_(make_sampler(plan_, options)),
      start_ns_(clock_.now_ns()),
      clips_(*source_, corpus, options.inject, clock_),
      faults_(plan_.lengths.clips.size(), options.max_fault_share),
      transfer_(clock_),
      host_(largest_batch_bytes(plan_.buckets, source_->mel().n_mels)),
      memory_(platform, options.roles.model),
      stream_(platform, options.roles.model),
      ring_(make_slots(host_.size(), memory_, stream_), stream_, stream_, clock_) {}

std::optional<BatchLease> ReferenceLoader::next(device::StreamView stream) {
  if (options_.heeds_interrupt) throw_if_interrupted();
  const Stopwatch watch;
  const auto plan = sampler_.next();
  if (!plan) return std::nullopt;
  auto slot = ring_.acquire(stream_);
  if (!slot) throw_error(ErrorKind::internal, "the ring of the reference loader has ended");
  describe(*plan, **slot);
  fill(*plan, **slot);
  send(**slot);
  slot->publish();
  auto lease = ring_.next(stream);
  if (lease) count(**lease, watch.seconds());
  return lease;
}

void ReferenceLoader::describe(const BatchPlan& plan, Batch& batch) const {
  batch.shape = shape_of(plan, plan_, options_.fixed_shapes, source_->mel().n_mels);
  batch.arrays = batch_arrays(batch.shape, batch.memory.data());
  batch.info = {};
  batch.info.bucket = plan.bucket;
  batch.info.epoch = plan.epoch;
  batch.info.batch = plan.batch;
  batch.info.step = plan.step;
  batch.info.repeats = plan.repeats;
  batch.info.last_of_epoch = plan.batch + 1 == sampler_.batches_per_epoch();
}

void ReferenceLoader::fill(const BatchPlan& plan, Batch& batch) {
  for (size_t row = 0; row < plan.clips.size(); ++row) {
    if (options_.heeds_interrupt) throw_if_interrupted();
    fill_row(plan, row, batch);
  }
}

void ReferenceLoader::fill_row(const BatchPlan& plan, size_t row, Batch& batch) {
  uint32_t place = plan.clips[row];
  const ReferenceClip clip = read_or_replace(plan, row, place);
  const ClipLength& length = plan_.lengths.clips[place];
  const BatchArrays out = batch_arrays(batch.shape, host_.data());
  const auto tokens = std::min(static_cast<int>(clip.tokens.size()), length.tokens);
  const auto frames = static_cast<int>(std::min<int64_t>(clip.frames, batch.shape.frames));
  write_tokens(clip.tokens, tokens, row, batch.shape, out);
  write_mel(clip, frames, audio::mel_silence(source_->mel()), row, batch.shape, out);
  out.speakers[row] = source_->speaker(length.row);
  out.languages[row] = source_->language(length.row);
  batch.info.clips.push_back(length.row);
  batch.info.replaced += place != plan.clips[row] ? 1 : 0;
  batch.info.real_tokens += tokens;
  batch.info.real_frames += frames;
}

/// The clip at `place` among the lengths; where it is bad, the first that can stand in for it,
/// whose place it then is.
ReferenceClip ReferenceLoader::read_or_replace(const BatchPlan& plan, size_t row, uint32_t& place) {
  const BatchShape shape = shape_of(plan, plan_, options_.fixed_shapes, source_->mel().n_mels);
  uint64_t attempt = 0;
  for (;;) {
    const uint32_t clip = plan_.lengths.clips[place].row;
    auto read = clips_.read(clip);
    if (read) return std::move(read).value();
    faults_.add(clip, read.fault());
    const auto other = stand_in(plan, row, shape, attempt);
    if (!other) {
      throw_error(ErrorKind::check_failed,
                  "every clip that could stand in for '{}' is bad too; see the faults",
                  source_->id(plan_.lengths.clips[plan.clips[row]].row));
    }
    place = *other;
  }
}

/// The next clip that fits the shape, from `attempt` on.
std::optional<uint32_t> ReferenceLoader::stand_in(const BatchPlan& plan, size_t row,
                                                  const BatchShape& shape,
                                                  uint64_t& attempt) const {
  while (const auto other = sampler_.replacement(plan, row, attempt++)) {
    const ClipLength& length = plan_.lengths.clips[*other];
    if (length.tokens <= shape.tokens && length.frames <= shape.frames) return other;
  }
  return std::nullopt;
}

void ReferenceLoader::send(const Batch& batch) {
  const pipeline::ActivityScope busy(transfer_, pipeline::Activity::busy);
  std::this_thread::sleep_for(
      std::chrono::duration<double, std::milli>(options_.inject.transfer_ms));
  const size_t bytes = batch_bytes(batch.shape);
  device::copy(batch.memory.location(), device::on_host(host_.data()), bytes, stream_);
  stream_.synchronize();
  transfer_.add(1, bytes);
}

void ReferenceLoader::count(const Batch& batch, double seconds) {
  ++given_.batches;
  given_.clips += batch.info.clips.size();
  given_.replaced += batch.info.replaced;
  given_.real_frames += batch.info.real_frames;
  given_.frames += int64_t{batch.shape.batch} * batch.shape.frames;
  given_.wait_s += seconds;
}

LoaderStatistics ReferenceLoader::statistics() const {
  LoaderStatistics out = given_;
  out.seconds = static_cast<double>(clock_.now_ns() - start_ns_) * 1e-9;
  out.slots = ring_.statistics();
  out.stages = clips_.stages();
  out.stages.push_back({"transfer", transfer_.snapshot()});
  return out;
}

}  // namespace seda::feed
