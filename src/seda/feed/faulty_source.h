// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>

#include "seda/feed/forwarding_source.h"
#include "seda/feed/planted_faults.h"

namespace seda::feed {

/// A source with planted faults in its readers.
class FaultySource final : public ForwardingSource {
 public:
  FaultySource(std::shared_ptr<const ClipSource> whole, const Inject& inject)
      : ForwardingSource(std::move(whole)),
        faults_(source(), inject),
        busy_(inject.decode_ms > 0) {}

  std::unique_ptr<ClipReader> make_reader() const override;
  bool decodes() const override { return busy_ || source().decodes(); }

 private:
  PlantedFaults faults_;
  bool busy_;
};

}  // namespace seda::feed
