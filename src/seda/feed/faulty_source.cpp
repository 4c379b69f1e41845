// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/faulty_source.h"

namespace seda::feed {
namespace {

class FaultyReader final : public ClipReader {
 public:
  FaultyReader(std::unique_ptr<ClipReader> reader, const PlantedFaults& faults)
      : reader_(std::move(reader)), faults_(faults) {}

  std::optional<Fault> fetch(uint32_t row) override {
    if (auto fault = faults_.fetch(row)) return fault;
    return reader_->fetch(row);
  }

  Result<ClipContent> content() override {
    faults_.decode();
    return reader_->content();
  }

 private:
  std::unique_ptr<ClipReader> reader_;
  const PlantedFaults& faults_;
};

}  // namespace

std::unique_ptr<ClipReader> FaultySource::make_reader() const {
  return std::make_unique<FaultyReader>(source().make_reader(), faults_);
}

}  // namespace seda::feed
