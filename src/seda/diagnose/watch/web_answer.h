// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "seda/base/mutex.h"
#include "seda/diagnose/cause.h"
#include "seda/diagnose/watch/watch_sampler.h"

namespace seda::diagnose {

struct WebRequest {
  std::string method;
  std::string path;
  std::string host;   ///< The header: the name by which the server was called.
  std::string after;  ///< Of the query; empty where it has none.
};

struct WebAnswer {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
};

/// What a watch answers to browsers and to Prometheus:
///
/// `/` the live page, `/samples.json[?after=N]` samples in columns (all of the time thinned out, or
/// those after number N), `/verdict.json` the verdict so far, `/metrics` the newest sample for
/// Prometheus. Only GET and HEAD; only under a name of this machine, so that no foreign page can
/// reach it through a name of its own (DNS rebinding). Thread-safe; `sampler` outlives it.
class WatchWeb {
 public:
  explicit WatchWeb(const WatchSampler& sampler) : sampler_(sampler) {}

  WebAnswer answer(const WebRequest& request);

 private:
  WebAnswer samples(const std::string& after) const;
  WebAnswer verdict();
  WebAnswer metrics() const;

  const WatchSampler& sampler_;
  Mutex mutex_;
  std::string verdict_ SEDA_GUARDED_BY(mutex_);  // made anew at most once a second
  Stopwatch verdict_age_ SEDA_GUARDED_BY(mutex_);
};

/// Whether `host`, with or without a port, names this machine: localhost, 127.0.0.1 or [::1].
bool is_own_name(std::string_view host);

}  // namespace seda::diagnose
