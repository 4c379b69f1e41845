// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "seda/base/clock.h"
#include "seda/base/trace.h"
#include "seda/device/memory_resource.h"
#include "seda/device/platform.h"
#include "seda/feed/batch.h"
#include "seda/feed/clip_source.h"
#include "seda/feed/device_meter.h"
#include "seda/feed/featurize_cuda.h"
#include "seda/feed/feed_options.h"
#include "seda/feed/loader.h"
#include "seda/feed/packed_layout.h"
#include "seda/feed/resident_corpus.h"

namespace seda::feed {

/// Streams on which batches travel. Of the data device where it is a GPU, else of the model's. Of
/// normal priority: a trainer on the same GPU runs on one of high priority and goes first.
struct FeedStreams {
  FeedStreams(const device::Platform& platform, const FeedOptions& options);

  device::StreamView upload() const { return copy_ ? copy_->view() : work_.view(); }
  device::StreamView work() const { return work_.view(); }
  device::StreamView transfer() const { return transfer_ ? transfer_->view() : work_.view(); }
  /// The one on which a slot of the model device is filled.
  device::StreamView last() const { return last_; }

 private:
  device::Stream work_;
  std::optional<device::Stream> copy_;
  std::optional<device::Stream> transfer_;
  device::StreamView last_;
};

/// How batches are made on their way.
struct FeederParts {
  const device::Platform& platform;
  const FeedOptions& options;
  const FeedStreams& streams;
  AudioKind kind = AudioKind::pcm16;
  audio::MelOptions mel;
  int data_slots = 2;
  int clips = 0;                                  ///< Of the largest batch.
  size_t input_bytes = 0;                         ///< Of each upload; 0: batches arrive finished.
  size_t output_bytes = 0;                        ///< 0: batches are made in the model's slots.
  device::MemoryResource* data_memory = nullptr;  ///< Of the data device.
  const ResidentCorpus* resident = nullptr;       ///< Holds the clips, if not the uploads.
  TraceRecorder* trace = nullptr;
};

/// Brings gathered batches to the model device: upload, mel and padding on the data device, and a
/// copy to the model device where it is another.
///
/// Only enqueues; each step follows the one before, and the last use of the memory it writes, by
/// events of the rings. One thread at a time.
class DeviceFeeder {
 public:
  /// `host` and `model` outlive it.
  DeviceFeeder(const FeederParts& parts, BatchRing& host, BatchRing& model, const Clock& clock);
  ~DeviceFeeder();

  /// One batch. Waits for it, and for a slot; false once there is none, or `stop` was requested.
  bool turn(const std::stop_token& stop);

  /// "upload", "features" and "transfer", where there are such.
  std::vector<LoaderStage> stages() const;

 private:
  bool forward(BatchLease staged, const std::stop_token& stop);
  bool upload(BatchLease staged);
  bool make_in_place(const std::stop_token& stop);
  bool make_apart();
  bool send(const std::stop_token& stop);
  void featurize(const Batch& staged, Batch& out);
  PackedShape packed(const BatchShape& shape) const;
  void hold_up(device::StreamView stream) const;

  FeederParts parts_;
  BatchRing& host_;
  BatchRing& model_;
  std::unique_ptr<FeaturizeCuda> featurize_;
  std::unique_ptr<BatchRing> inputs_;   // packed, on the data device
  std::unique_ptr<BatchRing> outputs_;  // finished, on the data device
  std::unique_ptr<DeviceMeter> uploads_;
  std::unique_ptr<DeviceMeter> features_;
  std::unique_ptr<DeviceMeter> transfers_;
};

/// Batches of so many bytes each, with room for the names of `clips`.
std::vector<Batch> make_batches(int count, size_t bytes, int clips,
                                device::MemoryResource& resource, device::StreamView stream);

}  // namespace seda::feed
