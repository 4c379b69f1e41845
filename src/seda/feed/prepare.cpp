// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/prepare.h"

#include "seda/cache/writer.h"
#include "seda/feed/preparation.h"

namespace seda::feed {

PrepareReport prepare(const PrepareOptions& options) {
  Preparation preparation(options);
  cache::Writer writer(preparation.cache());
  preparation.plan(&writer);
  preparation.announce();
  preparation.read_lines(writer);
  preparation.read_files(writer);
  preparation.look_again(writer);
  if (options.shard) {
    preparation.judge();
  } else {
    preparation.list(writer);
  }
  return preparation.finish();
}

PrepareReport plan_prepare(const PrepareOptions& options) {
  Preparation preparation(options);
  preparation.plan(nullptr);
  preparation.judge(false);
  preparation.show_examples();
  return preparation.finish();
}

}  // namespace seda::feed
