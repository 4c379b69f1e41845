// SPDX-License-Identifier: Apache-2.0
#include "seda/model/noise.h"

#include <utility>

#include <ATen/Parallel.h>

#include "seda/base/error.h"
#include "seda/model/detail/noise_cpu.h"
#include "seda/model/detail/noise_fill.h"

namespace seda::model {
namespace {

using detail::NoiseKind;
using detail::NoiseTask;

constexpr uint32_t kMostSites = 1U << 16;

uint32_t place_of(NoiseUse use, uint32_t site) {
  if (site < kMostSites) return static_cast<uint32_t>(use) << 16 | site;
  throw_error(ErrorKind::internal, "noise: expected a site below {}, found {}", kMostSites, site);
}

void fill_on_cpu(const NoiseTask& task) {
  const int64_t grain = std::max<int64_t>(1, 16384 / std::max<int64_t>(1, task.row_size));
  at::parallel_for(0, task.rows, grain,
                   [&](int64_t begin, int64_t end) { detail::fill_noise_cpu(task, begin, end); });
}

}  // namespace

Noise::Noise(uint64_t seed, torch::Tensor batch, int rank, int ranks, int batches_an_update)
    : seed_(seed),
      batch_(std::move(batch)),
      rank_(rank),
      ranks_(ranks),
      batches_an_update_(batches_an_update) {
  if (batch_.scalar_type() == torch::kInt64 && batch_.numel() == 1) return;
  throw_error(ErrorKind::internal, "noise: expected an int64 scalar as batch");
}

torch::Tensor Noise::update() const {
  return batches_an_update_ == 1 ? batch_ : batch_.floor_divide(batches_an_update_);
}

NoiseTask Noise::task_of(NoiseKind kind, uint32_t place, double keep) const {
  NoiseTask task{};
  task.seed = seed_;
  task.batch = batch_.const_data_ptr<int64_t>();
  task.place = place;
  task.first_row = static_cast<uint32_t>(rank_);
  task.row_step = static_cast<uint32_t>(ranks_);
  task.kind = kind;
  task.keep = static_cast<float>(keep);
  return task;
}

torch::Tensor Noise::filled(torch::IntArrayRef shape, NoiseKind kind, uint32_t place,
                            double keep) const {
  auto values = torch::empty(shape, batch_.options().dtype(torch::kFloat32));
  NoiseTask task = task_of(kind, place, keep);
  task.rows = values.size(0);
  task.row_size = values.numel() / std::max<int64_t>(1, values.size(0));
  task.values = values.data_ptr<float>();
  if (values.is_cuda()) {
    detail::fill_noise_cuda(task, values.get_device());
  } else {
    fill_on_cpu(task);
  }
  return values;
}

torch::Tensor Noise::normal(torch::IntArrayRef shape, NoiseUse use, uint32_t site) const {
  return filled(shape, NoiseKind::normal, place_of(use, site), 1);
}

torch::Tensor Noise::uniform(torch::IntArrayRef shape, NoiseUse use, uint32_t site) const {
  return filled(shape, NoiseKind::uniform, place_of(use, site), 1);
}

torch::Tensor Noise::keep(torch::IntArrayRef shape, double keep, uint32_t site) const {
  return filled(shape, NoiseKind::keep, place_of(NoiseUse::dropout, site), keep);
}

NoiseTask Noise::keep_task(double keep, uint32_t site) const {
  return task_of(NoiseKind::keep, place_of(NoiseUse::dropout, site), keep);
}

torch::Tensor Noise::rows(int64_t rows) const {
  return torch::arange(rows, batch_.options()) * ranks_ + rank_;
}

}  // namespace seda::model
