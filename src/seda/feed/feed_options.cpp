// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/feed_options.h"

#include <fmt/format.h>

#include "seda/base/error.h"
#include "seda/feed/prepare_options.h"

namespace seda::feed {
namespace {

constexpr uint64_t kMegabyte = uint64_t{1} << 20;

int number_or_zero(const config::Config& config, std::string_view key) {
  return config.is_auto(key) ? 0 : static_cast<int>(config.integer(key));
}

device::Device device_or(const config::Config& config, std::string_view key,
                         device::Device otherwise) {
  return config.is_auto(key) ? otherwise : device::parse_device(config.text(key));
}

Roles roles_of(const config::Config& config, const device::Platform& platform) {
  const device::Device first = platform.cuda_absence().empty() ? device::cuda(0) : device::kCpu;
  Roles roles;
  roles.model = device_or(config, "data.model_gpu", first);
  roles.data = device_or(config, "data.data_gpu", roles.model);
  platform.backend(roles.model);
  platform.backend(roles.data);
  return roles;
}

Budgets budgets_of(const config::Config& config) {
  const auto bytes = [&](std::string_view key) {
    return static_cast<uint64_t>(config.integer(key)) * kMegabyte;
  };
  return {config.boolean("data.memory_isolation"), bytes("data.data_gpu_memory"),
          bytes("data.model_gpu_memory")};
}

/// `keys` name what asks for `bytes` on `device`. The host has no budget.
void check_budget(std::string_view keys, uint64_t bytes, device::Device device,
                  const device::Platform& platform) {
  if (device.is_cpu()) return;
  const uint64_t total = platform.memory(device).total_bytes;
  if (bytes <= total) return;
  throw_error(
      ErrorKind::config,
      "{}: expected at most the memory of {}, {} MB, found {} MB; lower the budget, or turn "
      "data.memory_isolation off",
      keys, device::to_string(device), total / kMegabyte, bytes / kMegabyte);
}

void check_budgets(const FeedOptions& options, const device::Platform& platform) {
  const auto& [isolated, data, model] = options.budgets;
  if (!isolated) return;
  check_budget("data.data_gpu_memory", data, options.roles.data, platform);
  check_budget("data.model_gpu_memory", model, options.roles.model, platform);
  if (options.roles.data != options.roles.model) return;
  check_budget("data.data_gpu_memory and data.model_gpu_memory together", data + model,
               options.roles.model, platform);
}

LengthLimits limits_of(const config::Config& config) {
  return {static_cast<int>(config.integer("data.max_text_length")),
          static_cast<int>(config.integer("data.max_mel_frames")),
          config.text("data.overlong") == "truncate" ? Overlong::truncate : Overlong::skip};
}

void read_pipeline(const config::Config& config, FeedOptions& options) {
  options.native = config.boolean("data.native_loading");
  options.native_set_by = config.source("data.native_loading").text();
  options.workers = worker_threads(config);
  options.prefetch = number_or_zero(config, "data.prefetch_buffer_size");
  options.slots = static_cast<int>(config.integer("data.pipeline_buffer_size"));
  options.one_deeper = config.boolean("data.enhanced_gpu_prefetch");
  options.prefetch_to_gpu = config.boolean("data.prefetch_to_gpu");
  options.own_copy_stream = config.boolean("data.optimize_cpu_gpu_overlap");
  options.pinned = config.boolean("data.pin_memory");
  options.resident = config.boolean("data.cache_dataset");
}

}  // namespace

int wanted_slots(const FeedOptions& options) {
  return options.slots + (options.one_deeper ? 1 : 0);
}

bool sends_batches(const FeedOptions& options) {
  const Roles& roles = options.roles;
  return roles.data.is_cuda() && (roles.data != roles.model || options.transfer_always);
}

const char* batch_key(const FeedOptions& options) {
  return options.batch_frames > 0 ? "data.batch_frames" : "data.batch_size";
}

std::string batch_words(const FeedOptions& options) {
  return options.batch_frames > 0 ? fmt::format("at most {} frames", options.batch_frames)
                                  : fmt::format("{} clips", options.batch_size);
}

FeedOptions feed_options(const config::Config& config, const device::Platform& platform) {
  FeedOptions options;
  options.roles = roles_of(config, platform);
  options.budgets = budgets_of(config);
  check_budgets(options, platform);
  read_pipeline(config, options);
  options.batch_size = static_cast<int>(config.integer("data.batch_size"));
  options.batch_frames = number_or_zero(config, "data.batch_frames");
  options.num_buckets = number_or_zero(config, "data.num_buckets");
  options.fixed_shapes = config.boolean("data.pad_to_fixed_length");
  options.limits = limits_of(config);
  options.max_fault_share = config.number("data.max_fault_share");
  options.order.seed = static_cast<uint64_t>(config.integer("training.seed"));
  options.inject = parse_inject(config.list("debug.inject"));
  return options;
}

}  // namespace seda::feed
