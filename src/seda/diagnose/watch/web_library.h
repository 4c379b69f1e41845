// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace seda::diagnose {

constexpr int kWebInterface = 1;

/// Gives one answer back; called once for a request.
using WebSend = void (*)(void* to, int status, const char* type, const char* body, size_t bytes);

/// Answers one request. Called from several threads at once; does not throw.
using WebHandler = void (*)(void* context, const char* method, const char* path, const char* host,
                            const char* after, WebSend send, void* to);

/// What `libseda_web.so` offers: an HTTP server, whose libraries are opened only by who serves.
/// Plain types only; `seda_web_library(kWebInterface)` returns it.
struct WebLibrary {
  /// Listens on 127.0.0.1 alone, at `port` or, given 0, at any free one, and answers in threads of
  /// its own. Null, with the reason in `error` (an errno), where it cannot.
  void* (*start)(int port, WebHandler handler, void* context, int* error);
  int (*port)(const void* server);
  /// Returns when no handler runs any more.
  void (*stop)(void* server);
};

}  // namespace seda::diagnose
