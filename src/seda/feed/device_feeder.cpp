// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/device_feeder.h"

#include <utility>

#include "seda/device/copy.h"
#include "seda/device/occupy.h"
#include "seda/feed/batch_layout.h"

namespace seda::feed {
namespace {

device::Device working_device(const Roles& roles) {
  return roles.data.is_cuda() ? roles.data : roles.model;
}

/// What the host knows, without the memory. Allocates nothing where the target has had such before.
void take_over(const Batch& from, Batch& to) {
  to.shape = from.shape;
  to.info = from.info;
  to.arrays = batch_arrays(to.shape, to.memory.data());
}

}  // namespace

FeedStreams::FeedStreams(const device::Platform& platform, const FeedOptions& options)
    : work_(platform, working_device(options.roles)) {
  if (options.own_copy_stream) copy_.emplace(platform, work_.device());
  const bool sends = sends_batches(options);
  if (sends && options.own_copy_stream) transfer_.emplace(platform, work_.device());
  last_ = sends ? transfer() : options.roles.data.is_cuda() ? work() : upload();
}

std::vector<Batch> make_batches(int count, size_t bytes, int clips,
                                device::MemoryResource& resource, device::StreamView stream) {
  std::vector<Batch> out(static_cast<size_t>(count));
  for (Batch& batch : out) {
    batch.memory = device::Buffer(bytes, resource, stream);
    batch.info.clips.reserve(static_cast<size_t>(clips));
  }
  return out;
}

DeviceFeeder::DeviceFeeder(const FeederParts& parts, BatchRing& host, BatchRing& model,
                           const Clock& clock)
    : parts_(parts), host_(host), model_(model) {
  const FeedStreams& streams = parts_.streams;
  const int clips = parts_.options.batch_size;
  uploads_.emplace("upload", streams.upload(), parts_.trace);
  if (parts_.input_bytes == 0) return;
  features_.emplace("features", streams.work(), parts_.trace);
  featurize_.emplace(parts_.mel, parts_.kind, *parts_.data_memory, streams.work());
  inputs_.emplace(make_batches(parts_.data_slots, parts_.input_bytes, clips, *parts_.data_memory,
                               streams.upload()),
                  streams.upload(), streams.work(), clock);
  if (parts_.output_bytes == 0) return;
  transfers_.emplace("transfer", streams.transfer(), parts_.trace);
  outputs_.emplace(make_batches(parts_.data_slots, parts_.output_bytes, clips, *parts_.data_memory,
                                streams.work()),
                   streams.work(), streams.transfer(), clock);
}

DeviceFeeder::~DeviceFeeder() = default;

bool DeviceFeeder::turn(const std::stop_token& stop) {
  auto staged = host_.next(parts_.streams.upload(), stop);
  if (!staged) return false;
  if (!inputs_) return forward(*std::move(staged), stop);
  upload(*std::move(staged));
  return outputs_ ? make_and_send(stop) : make_in_place(stop);
}

/// A batch that is finished goes as it is.
bool DeviceFeeder::forward(BatchLease staged, const std::stop_token& stop) {
  const device::StreamView stream = parts_.streams.upload();
  auto target = model_.acquire(stream, stop);
  if (!target) return false;
  take_over(*staged, **target);
  const size_t bytes = batch_bytes(staged->shape);
  uploads_->begin();
  hold_up(stream);
  device::copy((*target)->memory.location(), staged->memory.location(), bytes, stream);
  uploads_->end(bytes);
  staged.release(stream);
  target->publish(stream);
  return true;
}

void DeviceFeeder::upload(BatchLease staged) {
  const device::StreamView stream = parts_.streams.upload();
  auto input = inputs_->acquire(stream);
  take_over(*staged, **input);
  const size_t bytes = packed_bytes(packed(staged->shape));
  uploads_->begin();
  hold_up(stream);
  device::copy((*input)->memory.location(), staged->memory.location(), bytes, stream);
  uploads_->end(bytes);
  staged.release(stream);
  input->publish(stream);
}

bool DeviceFeeder::make_in_place(const std::stop_token& stop) {
  const device::StreamView stream = parts_.streams.work();
  auto packed = inputs_->next(stream);
  auto target = model_.acquire(stream, stop);
  if (!target) return false;
  featurize(**packed, **target);
  packed->release(stream);
  target->publish(stream);
  return true;
}

bool DeviceFeeder::make_and_send(const std::stop_token& stop) {
  const device::StreamView work = parts_.streams.work();
  const device::StreamView sending = parts_.streams.transfer();
  {
    auto packed = inputs_->next(work);
    auto made = outputs_->acquire(work);
    featurize(**packed, **made);
    packed->release(work);
    made->publish(work);
  }
  auto made = outputs_->next(sending);
  auto target = model_.acquire(sending, stop);
  if (!target) return false;
  take_over(**made, **target);
  const size_t bytes = batch_bytes((*made)->shape);
  transfers_->begin();
  device::copy((*target)->memory.location(), (*made)->memory.location(), bytes, sending);
  transfers_->end(bytes);
  made->release(sending);
  target->publish(sending);
  return true;
}

PackedShape DeviceFeeder::packed(const BatchShape& shape) const {
  return packed_shape(shape, parts_.kind, parts_.mel, parts_.resident == nullptr);
}

void DeviceFeeder::featurize(const Batch& staged, Batch& out) {
  take_over(staged, out);
  PackedBatch clips = packed_batch(packed(out.shape), staged.memory.data());
  if (parts_.resident != nullptr) {
    clips.sounds = parts_.resident->base().sounds;
    clips.tokens = parts_.resident->base().tokens;
  }
  features_->begin();
  featurize_->apply(clips, out.shape, out.arrays, parts_.streams.work());
  features_->end(batch_bytes(out.shape));
}

void DeviceFeeder::hold_up(device::StreamView stream) const {
  if (parts_.options.inject.transfer_ms > 0) {
    device::occupy(stream, parts_.options.inject.transfer_ms * 1e-3);
  }
}

std::vector<LoaderStage> DeviceFeeder::stages() const {
  std::vector<LoaderStage> out;
  const auto add = [&](const char* name, std::optional<DeviceMeter>& meter) {
    if (meter) out.push_back({name, meter->statistics()});
  };
  add("upload", uploads_);
  add("features", features_);
  add("transfer", transfers_);
  return out;
}

}  // namespace seda::feed
