// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "seda/base/file_descriptor.h"

namespace seda::train {

/// When an answer must be there.
using Deadline = std::chrono::steady_clock::time_point;

/// A byte stream to another rank.
///
/// Not thread-safe. What does not come in time, or ever, is an Error(unavailable) that names the
/// rank.
class Connection {
 public:
  Connection() = default;
  /// `peer` is how messages name the other end: "rank 1".
  Connection(FileDescriptor socket, std::string peer);

  void send(std::span<const std::byte> bytes, Deadline deadline);
  void receive(std::span<std::byte> bytes, Deadline deadline);

  /// Error(unavailable) where the other end has closed; never waits.
  void check() const;

  void set_peer(std::string peer) { peer_ = std::move(peer); }
  const std::string& peer() const noexcept { return peer_; }

 private:
  void wait(short events, Deadline deadline) const;

  FileDescriptor socket_;
  std::string peer_;
};

/// Waits for others to connect, at a port of the system's choice.
class Listener {
 public:
  Listener();

  uint16_t port() const noexcept { return port_; }

  /// The next to come; Error(unavailable) with `whom` when nobody does.
  Connection accept(Deadline deadline, const std::string& whom);

 private:
  FileDescriptor socket_;
  uint16_t port_ = 0;
};

/// Connects to a listener, trying again until the deadline.
Connection connect_to(const std::string& host, uint16_t port, Deadline deadline,
                      const std::string& peer);

}  // namespace seda::train
