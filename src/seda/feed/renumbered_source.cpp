// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/renumbered_source.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/ranges.h>

#include "seda/base/error.h"
#include "seda/base/log.h"
#include "seda/feed/forwarding_source.h"

namespace seda::feed {
namespace {

constexpr int32_t kNone = -1;

/// The number each of `names` has in `there`.
std::vector<int32_t> numbers(const std::vector<std::string>& names,
                             const std::vector<std::string>& there, const char* what) {
  if (names.size() == 1 && there.size() == 1) return {0};
  std::vector<int32_t> out;
  std::vector<std::string> missing;
  for (const std::string& name : names) {
    const auto found = std::ranges::lower_bound(there, name);
    const bool known = found != there.end() && *found == name;
    out.push_back(known ? static_cast<int32_t>(found - there.begin()) : kNone);
    if (!known) missing.push_back(name);
  }
  if (!missing.empty()) {
    log::warning("validation clips of {} '{}' are left out: the training corpus has none of them",
                 what, fmt::join(missing, "', '"));
  }
  return out;
}

class RenumberedSource final : public ForwardingSource {
 public:
  RenumberedSource(std::shared_ptr<const ClipSource> source, const ClipSource& of)
      : ForwardingSource(std::move(source)),
        rows_(ForwardingSource::rows().begin(), ForwardingSource::rows().end()),
        speakers_(of.speakers()),
        languages_(of.languages()),
        speaker_numbers_(numbers(ForwardingSource::speakers(), speakers_, "speaker")),
        language_numbers_(numbers(ForwardingSource::languages(), languages_, "language")) {
    for (uint32_t row = 0; row < rows_.size(); ++row) {
      rows_[row].split = static_cast<uint32_t>(dataset::Split::validation);
      if (speaker(row) == kNone || language(row) == kNone) rows_[row].samples = 0;
    }
  }

  std::span<const ClipRow> rows() const override { return rows_; }
  const std::vector<std::string>& speakers() const override { return speakers_; }
  const std::vector<std::string>& languages() const override { return languages_; }
  int32_t speaker(uint32_t row) const override {
    return speaker_numbers_[static_cast<size_t>(ForwardingSource::speaker(row))];
  }
  int32_t language(uint32_t row) const override {
    return language_numbers_[static_cast<size_t>(ForwardingSource::language(row))];
  }

 private:
  std::vector<ClipRow> rows_;
  std::vector<std::string> speakers_;
  std::vector<std::string> languages_;
  std::vector<int32_t> speaker_numbers_;
  std::vector<int32_t> language_numbers_;
};

}  // namespace

std::shared_ptr<const ClipSource> renumbered_source(std::shared_ptr<const ClipSource> source,
                                                    const ClipSource& of) {
  if (!(source->mel() == of.mel())) {
    throw_error(ErrorKind::config,
                "the validation corpus was prepared with another mel than the training corpus: "
                "prepare both with one configuration");
  }
  return std::make_shared<RenumberedSource>(std::move(source), of);
}

}  // namespace seda::feed
