// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

#include "seda/diagnose/watch/web_answer.h"
#include "seda/diagnose/watch/web_library.h"

namespace seda::diagnose {

/// A server for this machine alone (127.0.0.1), in threads of its own, until it goes.
class WebServer {
 public:
  using Handler = std::function<WebAnswer(const WebRequest&)>;

  /// Port 0 is any free one. A port that cannot be had is an Error(unavailable). `handler` is
  /// called from several threads at once; what it throws is answered as an error of the server.
  WebServer(int port, Handler handler);
  ~WebServer();
  WebServer(const WebServer&) = delete;
  WebServer& operator=(const WebServer&) = delete;

  int port() const;

 private:
  const WebLibrary& library_;
  const Handler handler_;
  void* server_ = nullptr;
};

}  // namespace seda::diagnose
