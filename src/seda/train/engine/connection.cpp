// SPDX-License-Identifier: Apache-2.0
#include "seda/train/engine/connection.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <thread>

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include "seda/base/error.h"

namespace seda::train {
namespace {

using std::chrono::milliseconds;

int left_ms(Deadline deadline) {
  const auto left = std::chrono::ceil<milliseconds>(deadline - std::chrono::steady_clock::now());
  return static_cast<int>(std::max<int64_t>(left.count(), 0));
}

/// Whether something of `events` happens in time.
bool happens(int socket, short events, Deadline deadline) {
  pollfd entry{.fd = socket, .events = events, .revents = 0};
  int found = 0;
  do {
    found = ::poll(&entry, 1, left_ms(deadline));
  } while (found < 0 && errno == EINTR);
  if (found < 0) throw_errno("wait for", "a connection", errno);
  return found > 0;
}

/// Sends what is there at once, and notices within half a minute that a machine is gone.
void tune(int socket) {
  const auto set = [&](int level, int option, int value) {
    ::setsockopt(socket, level, option, &value, sizeof(value));
  };
  set(IPPROTO_TCP, TCP_NODELAY, 1);
  set(SOL_SOCKET, SO_KEEPALIVE, 1);
  set(IPPROTO_TCP, TCP_KEEPIDLE, 10);
  set(IPPROTO_TCP, TCP_KEEPINTVL, 5);
  set(IPPROTO_TCP, TCP_KEEPCNT, 4);
}

[[noreturn]] void throw_gone(const std::string& peer, std::string_view how) {
  throw_error(
      ErrorKind::unavailable,
      "{} went away ({}); see what it said, then start all ranks again: they go on from the "
      "last checkpoint",
      peer, how);
}

using Addresses = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;

Addresses resolve(const std::string& host, uint16_t port) {
  addrinfo hints{};
  hints.ai_family = AF_INET;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int code = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
  if (code == 0) return {found, &::freeaddrinfo};
  throw_error(ErrorKind::unavailable, "cannot find the host '{}' (MASTER_ADDR): {}", host,
              ::gai_strerror(code));
}

/// A connected socket, or none.
FileDescriptor try_connect(const addrinfo& address) {
  FileDescriptor socket(
      ::socket(address.ai_family, address.ai_socktype | SOCK_CLOEXEC, address.ai_protocol));
  if (!socket) return {};
  if (::connect(socket.get(), address.ai_addr, address.ai_addrlen) != 0) return {};
  return socket;
}

}  // namespace

Connection::Connection(FileDescriptor socket, std::string peer)
    : socket_(std::move(socket)), peer_(std::move(peer)) {
  tune(socket_.get());
}

void Connection::wait(short events, Deadline deadline) const {
  if (happens(socket_.get(), events, deadline)) return;
  throw_error(
      ErrorKind::unavailable,
      "waited for {} and nothing came in time (SEDA_RANK_TIMEOUT_S says how long); see what "
      "it is doing",
      peer_);
}

void Connection::send(std::span<const std::byte> bytes, Deadline deadline) {
  while (!bytes.empty()) {
    wait(POLLOUT, deadline);
    const ssize_t sent =
        ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno != EINTR && errno != EAGAIN) throw_gone(peer_, std::strerror(errno));
    if (sent > 0) bytes = bytes.subspan(static_cast<size_t>(sent));
  }
}

void Connection::receive(std::span<std::byte> bytes, Deadline deadline) {
  while (!bytes.empty()) {
    wait(POLLIN, deadline);
    const ssize_t got = ::recv(socket_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (got == 0) throw_gone(peer_, "it closed the connection");
    if (got < 0 && errno != EINTR && errno != EAGAIN) throw_gone(peer_, std::strerror(errno));
    if (got > 0) bytes = bytes.subspan(static_cast<size_t>(got));
  }
}

void Connection::check() const {
  std::byte next{};
  const ssize_t got = ::recv(socket_.get(), &next, 1, MSG_DONTWAIT | MSG_PEEK);
  if (got == 0) throw_gone(peer_, "it closed the connection");
  if (got < 0 && errno != EAGAIN && errno != EINTR) throw_gone(peer_, std::strerror(errno));
}

Listener::Listener() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_ANY);
  socklen_t size = sizeof(address);
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  const bool listens = socket_ && ::bind(socket_.get(), generic, size) == 0 &&
                       ::listen(socket_.get(), SOMAXCONN) == 0 &&
                       ::getsockname(socket_.get(), generic, &size) == 0;
  if (!listens) throw_errno("listen at", "a port for other ranks", errno);
  port_ = ntohs(address.sin_port);
}

Connection Listener::accept(Deadline deadline, const std::string& whom) {
  if (!happens(socket_.get(), POLLIN, deadline)) {
    throw_error(ErrorKind::unavailable,
                "waited for {} to join and nobody came in time (SEDA_RANK_TIMEOUT_S says how "
                "long); start it, or see why it did not start",
                whom);
  }
  FileDescriptor socket(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
  if (!socket) throw_errno("accept", whom, errno);
  return {std::move(socket), whom};
}

Connection connect_to(const std::string& host, uint16_t port, Deadline deadline,
                      const std::string& peer) {
  const Addresses addresses = resolve(host, port);
  do {
    for (const addrinfo* address = addresses.get(); address != nullptr;
         address = address->ai_next) {
      FileDescriptor socket = try_connect(*address);
      if (socket) return {std::move(socket), peer};
    }
    std::this_thread::sleep_for(milliseconds(50));
  } while (left_ms(deadline) > 0);
  throw_error(ErrorKind::unavailable, "{} does not answer at {}:{}; see why it did not start", peer,
              host, port);
}

}  // namespace seda::train
