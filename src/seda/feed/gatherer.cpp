// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/gatherer.h"

#include <numeric>

#include "seda/base/error.h"
#include "seda/base/interrupt.h"
#include "seda/feed/sound_faults.h"

namespace seda::feed {

Gatherer::Gatherer(const GatherParts& parts, WorkBoard& board, FaultLog& faults, const Clock& clock)
    : parts_(parts),
      board_(board),
      faults_(faults),
      read_("read", clock),
      decode_("decode", clock),
      make_mel_("mel", clock) {
  if (parts.content == SlotContent::finished) mel_.emplace(parts.source.mel());
}

Gatherer::Hands& Gatherer::hands(int worker) {
  const auto index = static_cast<size_t>(worker);
  const MutexLock lock(mutex_);
  if (index >= hands_.size()) hands_.resize(index + 1);
  auto& place = hands_[index];
  if (!place) {
    place = std::make_unique<Hands>();
    place->reader = parts_.source.make_reader();
    if (mel_) place->writer = std::make_unique<PaddedRowWriter>(*mel_);
  }
  return *place;
}

bool Gatherer::work(pipeline::Worker& worker) {
  if (parts_.heeds_interrupt) throw_if_interrupted();
  const auto unit = board_.take(worker, read_.recorder);
  if (!unit) return false;
  OpenBatch& open = board_.batch(*unit);
  Hands& own = hands(worker.index);
  for (int row = unit->first; row < unit->first + unit->count; ++row)
    fill_row(own, open, row);
  if (!board_.is_last(*unit)) return true;
  finish(open);
  board_.publish(*unit);
  return true;
}

void Gatherer::fill_row(Hands& hands, OpenBatch& open, int row) {
  const auto index = static_cast<size_t>(row);
  auto fault = try_clip(hands, open, row, open.places[index]);
  for (uint64_t attempt = 0; fault;) {
    faults_.add(open.batch->info.clips[index], *fault);
    const auto place = board_.replacement(open, index, attempt);
    if (!place) {
      throw_error(ErrorKind::check_failed,
                  "every clip that could stand in for '{}' is bad too; see the faults",
                  parts_.source.id(open.batch->info.clips[index]));
    }
    fault = try_clip(hands, open, row, *place);
  }
}

std::optional<Fault> Gatherer::try_clip(Hands& hands, OpenBatch& open, int row, uint32_t place) {
  Batch& batch = *open.batch;
  const uint32_t clip = parts_.plan.lengths.clips[place].row;
  batch.info.clips[static_cast<size_t>(row)] = clip;
  const Row target{batch.shape, batch.memory.data(), row, parts_.source.speaker(clip),
                   parts_.source.language(clip)};
  return parts_.content == SlotContent::rows ? point(target, clip) : gather(hands, target, clip);
}

std::optional<Fault> Gatherer::gather(Hands& hands, const Row& row, uint32_t clip) {
  StageWalk walk(parts_.trace);
  walk.enter(read_);
  if (auto fault = hands.reader->fetch(clip)) return fault;
  if (parts_.source.decodes()) walk.enter(decode_);
  const auto content = hands.reader->content();
  if (!content) return content.fault();
  if (fed_frames(content.value(), parts_.source.mel(), row.shape.frames) == 0) {
    Fault fault = too_short(content.value().samples.size(), parts_.source.mel());
    fault.id = parts_.source.id(clip);
    return fault;
  }
  write(hands, walk, content.value(), row);
  return std::nullopt;
}

void Gatherer::write(Hands& hands, StageWalk& walk, const ClipContent& content, const Row& row) {
  if (!mel_) {
    write_packed(content, packed(row.shape), parts_.source.mel(), row);
    read_.recorder.add(1, content.samples.size_bytes() + content.mel.size_bytes());
    return;
  }
  if (parts_.source.kind() == AudioKind::pcm16) {
    walk.enter(make_mel_);
    make_mel_.recorder.add(1);
  }
  hands.writer->write(content, row);
  read_.recorder.add(1, content.samples.size_bytes() + content.mel.size_bytes());
}

std::optional<Fault> Gatherer::point(const Row& row, uint32_t clip) {
  const auto found = parts_.resident->place(clip);
  if (!found) return resident_fault(*parts_.resident, parts_.source, clip);
  write_resident(*found, packed(row.shape), row);
  read_.recorder.add(1);
  return std::nullopt;
}

PackedShape Gatherer::packed(const BatchShape& shape) const {
  return packed_shape(shape, parts_.source.kind(), parts_.source.mel(),
                      parts_.content == SlotContent::packed);
}

void Gatherer::finish(const OpenBatch& open) const {
  Batch& batch = *open.batch;
  const HostLengths lengths = host_lengths(batch);
  BatchInfo& info = batch.info;
  info.real_frames = std::accumulate(lengths.frames.begin(), lengths.frames.end(), int64_t{0});
  info.real_tokens = std::accumulate(lengths.tokens.begin(), lengths.tokens.end(), int64_t{0});
  info.replaced = 0;
  for (size_t row = 0; row < open.places.size(); ++row)
    info.replaced += info.clips[row] != parts_.plan.lengths.clips[open.places[row]].row ? 1 : 0;
}

Gatherer::HostLengths Gatherer::host_lengths(const Batch& batch) const {
  const auto size = static_cast<size_t>(batch.shape.batch);
  if (parts_.content == SlotContent::finished) {
    return {{batch.arrays.mel_lengths, size}, {batch.arrays.token_lengths, size}};
  }
  const PackedArrays arrays = packed_arrays(packed(batch.shape), batch.memory.data());
  return {{arrays.mel_lengths, size}, {arrays.token_lengths, size}};
}

std::vector<LoaderStage> Gatherer::stages() const {
  std::vector<LoaderStage> out;
  out.push_back({read_.name, read_.recorder.snapshot()});
  if (parts_.source.decodes()) out.push_back({decode_.name, decode_.recorder.snapshot()});
  if (mel_ && parts_.source.kind() == AudioKind::pcm16) {
    out.push_back({make_mel_.name, make_mel_.recorder.snapshot()});
  }
  return out;
}

}  // namespace seda::feed
