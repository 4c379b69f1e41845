// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/prepare.h"

#include "seda/base/log.h"
#include "seda/cache/writer.h"
#include "seda/feed/preparation.h"

namespace seda::feed {

PrepareReport prepare(const PrepareOptions& options) {
  Preparation preparation(options);
  return prepare(preparation);
}

PrepareReport prepare(Preparation& preparation) {
  cache::Writer writer(preparation.cache());
  preparation.plan(&writer);
  preparation.announce();
  preparation.read_lines(writer);
  preparation.read_files(writer);
  preparation.look_again(writer);
  preparation.list(writer);
  return preparation.finish();
}

PrepareReport plan_prepare(const PrepareOptions& options) {
  Preparation preparation(options);
  preparation.plan(nullptr);
  preparation.judge(false);
  preparation.find_listing();
  preparation.show_examples();
  return preparation.finish();
}

void announce_cache(const PrepareReport& report, double seconds) {
  if (report.built()) {
    log::info("CACHE SAVED: {} clips in {:.1f} s", report.clips, seconds);
  } else {
    log::info("CACHE LOADED: {} clips in {:.3f} s", report.clips, seconds);
  }
}

}  // namespace seda::feed
