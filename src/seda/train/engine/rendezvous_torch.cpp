// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include "seda/base/error.h"
#include "seda/train/engine/rendezvous.h"

namespace seda::train {
namespace {

using Store = c10::intrusive_ptr<c10d::TCPStore>;
using std::chrono::seconds;

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

/// A key of its own for each restart of torchrun, whose store lives on.
std::string port_key() {
  return "seda/port/" + std::string(environment("TORCHELASTIC_RESTART_COUNT"));
}

Store open_store(const Ranks& ranks, seconds timeout) {
  c10d::TCPStoreOptions options;
  options.port = static_cast<uint16_t>(ranks.port);
  options.isServer = ranks.leads() && environment("TORCHELASTIC_USE_AGENT_STORE") != "True";
  options.waitWorkers = false;
  options.timeout = timeout;
  try {
    return c10::make_intrusive<c10d::TCPStore>(ranks.address, options);
  } catch (const c10::Error& error) {
    const std::string text = error.what_without_backtrace();
    throw_error(ErrorKind::unavailable,
                "rank {} of {}: {} {}:{} ({}); check MASTER_ADDR and MASTER_PORT, and that rank 0 "
                "is running",
                ranks.rank, ranks.count, options.isServer ? "cannot serve at" : "no answer from",
                ranks.address, ranks.port, text.substr(0, text.find('\n')));
  }
}

std::vector<uint8_t> bytes_of(const std::string& text) {
  return {text.begin(), text.end()};
}

uint16_t read_port(const Store& store, const Ranks& ranks) {
  try {
    const std::vector<uint8_t> value = store->get(port_key());
    return static_cast<uint16_t>(std::stoi(std::string(value.begin(), value.end())));
  } catch (const c10::Error&) {
    throw_error(ErrorKind::unavailable,
                "rank {} of {}: rank 0 did not come to {}:{} in time; see why it did not start",
                ranks.rank, ranks.count, ranks.address, ranks.port);
  }
}

/// "rank 1", or "ranks 1, 3": those who have no connection yet.
std::string missing(const std::vector<std::optional<Connection>>& came) {
  std::string names;
  for (size_t i = 0; i < came.size(); ++i) {
    if (!came[i]) names += (names.empty() ? "rank " : ", rank ") + std::to_string(i + 1);
  }
  return names;
}

/// Everyone says who it is when it comes.
std::vector<Connection> receive_all(Listener& listener, const Ranks& ranks, Deadline deadline) {
  std::vector<std::optional<Connection>> came(static_cast<size_t>(ranks.count) - 1);
  for (int i = 1; i < ranks.count; ++i) {
    Connection guest = listener.accept(deadline, missing(came));
    int32_t number = 0;
    guest.receive(std::as_writable_bytes(std::span(&number, 1)), deadline);
    if (number < 1 || number >= ranks.count || came[static_cast<size_t>(number) - 1]) {
      throw_error(ErrorKind::unavailable,
                  "a process came as rank {} of {}: expected {}; start each rank once", number,
                  ranks.count, missing(came));
    }
    guest.set_peer("rank " + std::to_string(number));
    came[static_cast<size_t>(number) - 1] = std::move(guest);
  }
  std::vector<Connection> peers;
  peers.reserve(came.size());
  for (auto& connection : came) {
    if (connection) peers.push_back(*std::move(connection));  // all are there by now
  }
  return peers;
}

std::vector<Connection> call_first(const Store& store, const Ranks& ranks, Deadline deadline) {
  std::vector<Connection> peers;
  peers.push_back(connect_to(ranks.address, read_port(store, ranks), deadline, "rank 0"));
  const auto number = static_cast<int32_t>(ranks.rank);
  peers[0].send(std::as_bytes(std::span(&number, 1)), deadline);
  return peers;
}

}  // namespace

seconds rank_timeout() {
  const std::string_view text = environment("SEDA_RANK_TIMEOUT_S");
  if (text.empty()) return seconds(60);
  int value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code == std::errc() && end == text.data() + text.size() && value > 0) return seconds(value);
  throw_error(ErrorKind::usage, "SEDA_RANK_TIMEOUT_S: expected seconds above zero, found '{}'",
              text);
}

Meeting meet(const Ranks& ranks) {
  const seconds timeout = rank_timeout();
  const Deadline deadline = std::chrono::steady_clock::now() + timeout;
  const Store store = open_store(ranks, timeout);
  Meeting meeting;
  meeting.store = std::make_shared<Store>(store);
  if (ranks.leads()) {
    Listener listener;
    store->set(port_key(), bytes_of(std::to_string(listener.port())));
    meeting.peers = receive_all(listener, ranks, deadline);
  } else {
    meeting.peers = call_first(store, ranks, deadline);
  }
  return meeting;
}

}  // namespace seda::train
