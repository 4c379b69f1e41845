// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/watch/web_server.h"

#include <exception>
#include <system_error>
#include <utility>

#include "seda/base/error.h"
#include "seda/base/own_library.h"

namespace seda::diagnose {
namespace {

const WebLibrary& load_web() {
  static const auto& web =
      open_own_library<WebLibrary>("libseda_web.so", "seda_web_library", kWebInterface);
  return web;
}

WebAnswer answer_of(const WebServer::Handler& handler, const WebRequest& request) {
  try {
    return handler(request);
  } catch (const std::exception& error) {
    return {.status = 500, .body = std::string(error.what()) + "\n"};
  }
}

void handle(void* context, const char* method, const char* path, const char* host,
            const char* after, WebSend send, void* to) {
  const auto& handler = *static_cast<const WebServer::Handler*>(context);
  const WebAnswer answer = answer_of(handler, {method, path, host, after});
  send(to, answer.status, answer.type.c_str(), answer.body.data(), answer.body.size());
}

}  // namespace

WebServer::WebServer(int port, Handler handler)
    : library_(load_web()), handler_(std::move(handler)) {
  int code = 0;
  server_ = library_.start(port, handle, const_cast<Handler*>(&handler_), &code);
  if (server_ != nullptr) return;
  throw_error(ErrorKind::unavailable,
              "cannot serve on port {} of 127.0.0.1: {}; name another with --serve PORT, or 0 for "
              "any free one",
              port, std::generic_category().message(code));
}

WebServer::~WebServer() {
  library_.stop(server_);
}

int WebServer::port() const {
  return library_.port(server_);
}

}  // namespace seda::diagnose
