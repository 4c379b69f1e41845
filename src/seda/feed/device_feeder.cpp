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
  const auto meter = [&](const char* name, device::StreamView stream) {
    return std::make_unique<DeviceMeter>(name, stream, parts_.trace);
  };
  const auto slots = [&](size_t bytes, device::StreamView filled, device::StreamView used) {
    return std::make_unique<BatchRing>(
        make_batches(parts_.data_slots, bytes, parts_.clips, *parts_.data_memory, filled), filled,
        used, clock);
  };
  uploads_ = meter("upload", streams.upload());
  if (parts_.input_bytes == 0) return;
  features_ = meter("features", streams.work());
  featurize_ =
      std::make_unique<FeaturizeCuda>(parts_.mel, parts_.kind, *parts_.data_memory, streams.work());
  inputs_ = slots(parts_.input_bytes, streams.upload(), streams.work());
  if (parts_.output_bytes == 0) return;
  transfers_ = meter("transfer", streams.transfer());
  outputs_ = slots(parts_.output_bytes, streams.work(), streams.transfer());
}

DeviceFeeder::~DeviceFeeder() = default;

bool DeviceFeeder::turn(const std::stop_token& stop) {
  auto staged = host_.next(parts_.streams.upload(), stop);
  if (!staged) return false;
  if (!inputs_) return forward(*std::move(staged), stop);
  if (!upload(*std::move(staged))) return false;
  return outputs_ ? make_apart() && send(stop) : make_in_place(stop);
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

bool DeviceFeeder::upload(BatchLease staged) {
  const device::StreamView stream = parts_.streams.upload();
  auto input = inputs_->acquire(stream);
  if (!input) return false;
  take_over(*staged, **input);
  const size_t bytes = packed_bytes(packed(staged->shape));
  uploads_->begin();
  hold_up(stream);
  device::copy((*input)->memory.location(), staged->memory.location(), bytes, stream);
  uploads_->end(bytes);
  staged.release(stream);
  input->publish(stream);
  return true;
}

bool DeviceFeeder::make_in_place(const std::stop_token& stop) {
  const device::StreamView stream = parts_.streams.work();
  auto staged = inputs_->next(stream);
  auto target = model_.acquire(stream, stop);
  if (!staged || !target) return false;
  featurize(**staged, **target);
  staged->release(stream);
  target->publish(stream);
  return true;
}

bool DeviceFeeder::make_apart() {
  const device::StreamView stream = parts_.streams.work();
  auto staged = inputs_->next(stream);
  auto made = outputs_->acquire(stream);
  if (!staged || !made) return false;
  featurize(**staged, **made);
  staged->release(stream);
  made->publish(stream);
  return true;
}

bool DeviceFeeder::send(const std::stop_token& stop) {
  const device::StreamView stream = parts_.streams.transfer();
  auto made = outputs_->next(stream);
  auto target = model_.acquire(stream, stop);
  if (!made || !target) return false;
  take_over(**made, **target);
  const size_t bytes = batch_bytes((*made)->shape);
  transfers_->begin();
  device::copy((*target)->memory.location(), (*made)->memory.location(), bytes, stream);
  transfers_->end(bytes);
  made->release(stream);
  target->publish(stream);
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
  const auto add = [&](const char* name, const std::unique_ptr<DeviceMeter>& meter) {
    if (meter) out.push_back({name, meter->statistics()});
  };
  add("upload", uploads_);
  add("features", features_);
  add("transfer", transfers_);
  return out;
}

}  // namespace seda::feed
