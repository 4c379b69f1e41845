// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <csignal>
#include <memory>
#include <string>
#include <thread>

#include <httplib.h>
#include <pthread.h>

#include "seda/diagnose/watch/web_library.h"

namespace {

using seda::diagnose::WebHandler;
using seda::diagnose::WebLibrary;

constexpr size_t kThreads = 32;
constexpr const char* kAddress = "127.0.0.1";
constexpr time_t kPatienceSeconds = 2;  // with a browser that neither speaks nor listens
constexpr int kWaiting = 128;           // connections that no thread has taken yet
constexpr size_t kMostBodyBytes = 1 << 16;

/// Only what the page itself brings may run in it or be shown by it.
constexpr const char* kContentPolicy =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src "
    "'self'; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/// The library would share a port that is in use (SO_REUSEPORT); one that was left a moment ago may
/// be had again.
void allow_port_again(int socket) {
  const int yes = 1;
  setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
}

/// SIGPIPE blocked in this thread, and in those it starts, for its life.
class PipeSignalBlocked {
 public:
  PipeSignalBlocked() {
    sigset_t pipe;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, &old_);
  }
  ~PipeSignalBlocked() { pthread_sigmask(SIG_SETMASK, &old_, nullptr); }
  PipeSignalBlocked(const PipeSignalBlocked&) = delete;
  PipeSignalBlocked& operator=(const PipeSignalBlocked&) = delete;

 private:
  sigset_t old_{};
};

/// The library ignores SIGPIPE for the whole process, and for what that starts; threads of its own
/// that block it are enough.
std::unique_ptr<httplib::Server> make_server() {
  struct sigaction old{};
  sigaction(SIGPIPE, nullptr, &old);
  auto server = std::make_unique<httplib::Server>();
  sigaction(SIGPIPE, &old, nullptr);
  return server;
}

void send_answer(void* to, int status, const char* type, const char* body, size_t bytes) {
  auto& response = *static_cast<httplib::Response*>(to);
  response.status = status;
  response.set_header("Cache-Control", "no-store");
  response.set_header("Content-Security-Policy", kContentPolicy);
  response.set_header("X-Content-Type-Options", "nosniff");
  response.set_content(body, bytes, type);
}

/// Every connection is for one request: a browser that keeps one open would keep a thread.
class Server {
 public:
  Server(WebHandler handler, void* context) {
    server_->new_task_queue = [] { return new httplib::ThreadPool(kThreads); };
    server_->set_socket_options([this](int socket) {
      allow_port_again(socket);
      socket_ = socket;
    });
    server_->set_keep_alive_max_count(1);
    server_->set_keep_alive_timeout(kPatienceSeconds);
    server_->set_read_timeout(kPatienceSeconds);
    server_->set_write_timeout(kPatienceSeconds);
    server_->set_payload_max_length(kMostBodyBytes);
    server_->set_pre_routing_handler([=](const httplib::Request& request, httplib::Response& out) {
      const std::string host = request.get_header_value("Host");
      const std::string after = request.get_param_value("after");
      handler(context, request.method.c_str(), request.path.c_str(), host.c_str(), after.c_str(),
              send_answer, &out);
      return httplib::Server::HandlerResponse::Handled;
    });
  }
  ~Server() {
    if (!thread_.joinable()) return;
    server_->stop();
    thread_.join();
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// 0, or an errno.
  int listen(int port) {
    errno = 0;
    if (port == 0) {
      port = server_->bind_to_any_port(kAddress);
    } else if (!server_->bind_to_port(kAddress, port)) {
      port = -1;
    }
    if (port < 0) return errno == 0 ? EADDRNOTAVAIL : errno;
    port_ = port;
    // The library lets five connections wait. What a browser sends on a sixth is lost, and comes
    // again only when the server has lost patience.
    if (::listen(socket_, kWaiting) != 0) return errno;
    const PipeSignalBlocked blocked;
    thread_ = std::thread([this] { server_->listen_after_bind(); });
    while (!server_->is_running())
      std::this_thread::yield();
    return 0;
  }
  int port() const { return port_; }

 private:
  const std::unique_ptr<httplib::Server> server_ = make_server();
  int port_ = 0;
  int socket_ = -1;  // the library's, which listens
  std::thread thread_;
};

void* start(int port, WebHandler handler, void* context, int* error) {
  auto server = std::make_unique<Server>(handler, context);
  *error = server->listen(port);
  return *error == 0 ? server.release() : nullptr;
}

int port_of(const void* server) {
  return static_cast<const Server*>(server)->port();
}

void stop(void* server) {
  delete static_cast<Server*>(server);
}

constexpr WebLibrary kLibrary = {.start = start, .port = port_of, .stop = stop};

}  // namespace

extern "C" __attribute__((visibility("default"))) const WebLibrary* seda_web_library(
    int interface) {
  return interface == seda::diagnose::kWebInterface ? &kLibrary : nullptr;
}
