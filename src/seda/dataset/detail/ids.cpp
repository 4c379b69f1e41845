// SPDX-License-Identifier: Apache-2.0
#include "seda/dataset/detail/ids.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "seda/dataset/audio_extension.h"
#include "seda/dataset/place.h"

namespace seda::dataset::detail {
namespace {

std::string_view without_extension(std::string_view name) {
  return name.substr(0, name.size() - audio_extension_length(name));
}

std::string_view stem(std::string_view path) {
  const size_t slash = path.find_last_of("/\\");
  return without_extension(slash == std::string_view::npos ? path : path.substr(slash + 1));
}

/// Stems that more than one path has.
std::unordered_set<std::string_view> shared_stems(const std::vector<Record>& records) {
  std::unordered_map<std::string_view, std::string_view> first;
  std::unordered_set<std::string_view> shared;
  first.reserve(records.size());
  for (const Record& record : records) {
    if (!record.utterance.id.empty()) continue;
    const auto [at, fresh] = first.try_emplace(stem(record.path), record.path);
    if (!fresh && at->second != record.path) shared.insert(at->first);
  }
  return shared;
}

}  // namespace

void assign_ids(std::vector<Record>& records) {
  const auto shared = shared_stems(records);
  for (Record& record : records) {
    if (!record.utterance.id.empty()) continue;
    const auto name = stem(record.path);
    record.utterance.id = shared.contains(name) ? without_extension(record.path) : name;
  }
}

void drop_duplicates(std::vector<Record>& records,
                     const std::function<void(const Record&, Fault)>& drop) {
  std::unordered_map<std::string_view, const Utterance*> first;
  first.reserve(records.size());
  std::vector<bool> keep(records.size(), true);
  for (size_t i = 0; i < records.size(); ++i) {
    const Utterance& utterance = records[i].utterance;
    const auto [at, fresh] = first.try_emplace(utterance.id, &utterance);
    if (fresh) continue;
    keep[i] = false;
    drop(records[i], {utterance.id, "id_duplicate",
                      fmt::format("{}: expected a new id, found '{}' of {} again",
                                  place_of(utterance), utterance.id, place_of(*at->second))});
  }
  first.clear();
  size_t kept = 0;
  for (size_t i = 0; i < records.size(); ++i) {
    if (!keep[i]) continue;
    if (kept != i) records[kept] = std::move(records[i]);
    ++kept;
  }
  records.resize(kept);
}

}  // namespace seda::dataset::detail
