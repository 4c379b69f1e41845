// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "seda/diagnose/cause.h"
#include "seda/pipeline/slot_schedule.h"
#include "seda/train/library.h"
#include "seda/train/train_options.h"

namespace seda::train {

struct DualProfileOptions {
  size_t steps = 100;
  double most_s = 20;        ///< Of each of the two runs.
  bool watches_gpus = true;  ///< Off: utilisation, memory and power of GPUs are not asked for.
};

/// What one device did for its role; what was not measured is empty.
struct RoleUse {
  std::string role;  ///< "data", "model".
  device::Device device;
  std::optional<double> busy;  ///< Work of the role / time: of the data role by events of its
                               ///< streams, of the model by its GPU's kernels; where these cannot
                               ///< be recorded, the share in which it did not wait for data.
  std::optional<uint64_t> budget_bytes;  ///< None without memory isolation.
  // As the driver sees the device, whoever works there.
  // NOLINTBEGIN(readability-redundant-member-init): g++ wants them where fewer are given
  std::optional<double> utilization{};     ///< In the run.
  std::optional<uint64_t> memory_bytes{};  ///< After it.
  // NOLINTEND(readability-redundant-member-init)
};

/// Which of the documented levels two GPUs reach.
enum class DualLevel { not_measured, below_minimum, minimum, good, excellent };
std::string_view to_string(DualLevel level);

/// Two roles, measured beside a run with one device for both.
struct DualProfile {
  std::vector<RoleUse> roles;           ///< Data, model.
  bool shares_device = false;           ///< Both roles are on one: no gain can be expected.
  std::optional<double> transfer_gb_s;  ///< Finished batches, from device to device.
  std::array<double, pipeline::kSlotStates> dwell_s{};  ///< Of a batch in each state of a slot.
  std::optional<double> variation;                      ///< Nothing where each shape came once.
  double stall = 0;
  double steps_per_second = 0;             ///< With both roles as given,
  double one_device_steps_per_second = 0;  ///< with both on the model's device.
  double gain = 0;                         ///< The first over the second.
  DualLevel level = DualLevel::not_measured;
  diagnose::Verdict verdict;
};

/// Trains a little with the roles as configured, and as long with both on the model's device.
///
/// Nothing is kept of the training. Ctrl-C is an Error(interrupted).
DualProfile profile_dual(const TrainOptions& train, const Library& library,
                         const device::Platform& platform, const DualProfileOptions& options);

/// By the busy shares, the variation and the gain.
DualLevel level_of(double data_busy, double model_busy, double variation, double gain);

}  // namespace seda::train
