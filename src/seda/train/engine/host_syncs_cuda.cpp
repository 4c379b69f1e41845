// SPDX-License-Identifier: Apache-2.0
#include <string_view>

#include <c10/cuda/CUDAFunctions.h>
#include <c10/util/Exception.h>

#include "seda/train/engine/host_syncs.h"

namespace seda::train {
namespace {

/// Counts torch's warnings of a synchronizing operation; hands on all others.
class CountingHandler final : public c10::WarningHandler {
 public:
  CountingHandler(uint64_t& count, c10::WarningHandler* next) : count_(count), next_(next) {}

  void process(const c10::Warning& warning) override {
    if (std::string_view(warning.msg()).find("synchronizing CUDA operation") !=
        std::string_view::npos) {
      ++count_;
    } else {
      next_->process(warning);
    }
  }

 private:
  uint64_t& count_;
  c10::WarningHandler* next_;
};

}  // namespace

struct HostSyncCounter::Watch {
  explicit Watch(uint64_t& count)
      : handler(count, c10::WarningUtils::get_warning_handler()), guard(&handler) {
    c10::cuda::warning_state().set_sync_debug_mode(c10::cuda::SyncDebugMode::L_WARN);
  }
  ~Watch() { c10::cuda::warning_state().set_sync_debug_mode(c10::cuda::SyncDebugMode::L_DISABLED); }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  CountingHandler handler;
  c10::WarningUtils::WarningHandlerGuard guard;
};

HostSyncCounter::HostSyncCounter(uint64_t& count) : watch_(std::make_unique<Watch>(count)) {}
HostSyncCounter::~HostSyncCounter() = default;

}  // namespace seda::train
