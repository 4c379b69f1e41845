// SPDX-License-Identifier: Apache-2.0
#include "seda/train/engine/rank_group_tcp.h"

#include <algorithm>

#include "seda/base/error.h"

namespace seda::train {
namespace {

/// What comes before each exchange, so that ranks that do different things find out.
struct Header {
  uint64_t exchange = 0;
  uint64_t bytes = 0;

  bool operator==(const Header&) const = default;
};

std::span<const std::byte> bytes_of(const Header& header) {
  return std::as_bytes(std::span(&header, 1));
}

void check_header(Connection& peer, const Header& own, Deadline deadline) {
  Header found;
  peer.receive(std::as_writable_bytes(std::span(&found, 1)), deadline);
  if (found == own) return;
  throw_error(ErrorKind::unavailable,
              "{} does not do what this rank does: expected exchange {} of {} bytes, found {} of "
              "{}; start all ranks with the same data and configuration",
              peer.peer(), own.exchange, own.bytes, found.exchange, found.bytes);
}

}  // namespace

TcpRankGroup::TcpRankGroup(const Ranks& ranks)
    : ranks_(ranks), timeout_(rank_timeout()), meeting_(meet(ranks)), worker_("ranks") {}

/// Joins the values of all ranks at rank 0, which sends the result back.
template <typename Number, typename Join>
void TcpRankGroup::exchange(std::span<Number> values, Join join) {
  const Deadline deadline = std::chrono::steady_clock::now() + timeout_;
  const Header header{.exchange = exchanges_++, .bytes = values.size_bytes()};
  if (!ranks_.leads()) {
    Connection& first = meeting_.peers[0];
    first.send(bytes_of(header), deadline);
    first.send(std::as_bytes(values), deadline);
    first.receive(std::as_writable_bytes(values), deadline);
    return;
  }
  std::vector<Number> theirs(values.size());
  for (Connection& peer : meeting_.peers) {
    check_header(peer, header, deadline);
    peer.receive(std::as_writable_bytes(std::span(theirs)), deadline);
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = join(values[i], theirs[i]);
  }
  for (Connection& peer : meeting_.peers)
    peer.send(std::as_bytes(values), deadline);
}

void TcpRankGroup::start_sum(const torch::Tensor& tensor) {
  worker_.post([this, tensor] {
    const std::span values(tensor.mutable_data_ptr<float>(), static_cast<size_t>(tensor.numel()));
    exchange(values, [](float a, float b) { return a + b; });
  });
}

std::vector<double> TcpRankGroup::largest(std::span<const double> values) {
  finish();
  std::vector<double> result(values.begin(), values.end());
  exchange(std::span(result), [](double a, double b) { return std::max(a, b); });
  return result;
}

void TcpRankGroup::check() {
  for (const Connection& peer : meeting_.peers)
    peer.check();
}

}  // namespace seda::train
