// SPDX-License-Identifier: Apache-2.0
#include "seda/dataset/corpus.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <unordered_set>

#include <fmt/format.h>

#include "seda/base/file.h"
#include "seda/base/parallel.h"
#include "seda/dataset/detail/audio_file.h"
#include "seda/dataset/detail/folders.h"
#include "seda/dataset/detail/ids.h"
#include "seda/dataset/detail/lines.h"
#include "seda/dataset/detail/plan.h"
#include "seda/dataset/metadata.h"
#include "seda/dataset/place.h"
#include "seda/dataset/split.h"

namespace seda::dataset {
namespace {

constexpr uint64_t kLargestMetadata = uint64_t{16} << 30;

/// Faults with the place that orders them.
class FaultList {
 public:
  void add(uint32_t file, uint32_t line, Fault fault) {
    faults_.push_back({uint64_t{file} << 32 | line, std::move(fault)});
  }

  std::vector<Fault> sorted() && {
    std::ranges::sort(faults_, {}, [](const Placed& placed) {
      return std::tie(placed.place, placed.fault.id, placed.fault.code);
    });
    std::vector<Fault> list;
    list.reserve(faults_.size());
    for (Placed& placed : faults_)
      list.push_back(std::move(placed.fault));
    return list;
  }

 private:
  struct Placed {
    uint64_t place = 0;
    Fault fault;
  };
  std::vector<Placed> faults_;
};

/// Reads one corpus, step by step.
class Reading {
 public:
  Reading(detail::Plan plan, const ReadOptions& options)
      : plan_(std::move(plan)), options_(options) {}

  Corpus run() {
    if (plan_.format == Format::vctk) {
      take(detail::walk_vctk(plan_.folder, options_.threads));
    } else if (plan_.format == Format::libritts) {
      take(detail::walk_libritts(plan_.folder, options_.threads));
    } else {
      read_files();
    }
    detail::assign_ids(records_);
    detail::drop_duplicates(records_, [this](const Record& record, Fault fault) {
      faults_.add(record.file, record.utterance.line, std::move(fault));
    });
    find_audio();
    split();
    return finish();
  }

 private:
  void take(detail::Walked walked) {
    named_splits_ = walked.named_splits;
    records_ = std::move(walked.metadata.records);
    for (BadLine& bad : walked.metadata.faults)
      faults_.add(bad.line, 0, std::move(bad.fault));
  }

  void read_files() {
    for (uint32_t i = 0; i < plan_.files.size(); ++i) {
      const auto& [name, split] = plan_.files[i];
      const std::string bytes = read_file(plan_.folder / name, kLargestMetadata);
      Metadata metadata = parse_metadata(bytes, plan_.format, name, options_.threads);
      corpus_.blank_lines += metadata.blank_lines;
      for (BadLine& bad : metadata.faults)
        faults_.add(i, bad.line, std::move(bad.fault));
      for (Record& record : metadata.records) {
        record.file = i;
        if (split) record.utterance.split = *split;
      }
      append(std::move(metadata.records));
      named_splits_ = named_splits_ || split.has_value();
    }
  }

  void append(std::vector<Record> records) {
    if (records_.empty()) {
      records_ = std::move(records);
    } else {
      std::ranges::move(records, std::back_inserter(records_));
    }
  }

  void find_audio() {
    const detail::AudioFinder finder(plan_.folder, detail::audio_folders(plan_.format));
    std::vector<std::optional<Fault>> missing(records_.size());
    parallel_for(records_.size(), {options_.threads, 512, "audio"}, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i)
        missing[i] = find_audio(finder, records_[i]);
    });
    corpus_.utterances.reserve(records_.size());
    for (size_t i = 0; i < records_.size(); ++i) {
      Utterance& utterance = records_[i].utterance;
      if (auto& fault = missing[i]) {
        faults_.add(records_[i].file, utterance.line, std::move(*fault));
      } else {
        corpus_.utterances.push_back(std::move(utterance));
      }
    }
    records_ = {};
  }

  std::optional<Fault> find_audio(const detail::AudioFinder& finder, Record& record) const {
    Utterance& utterance = record.utterance;
    if (utterance.language.empty()) utterance.language = options_.default_language;
    const std::string& name = record.path.empty() ? utterance.id : record.path;
    if (!options_.check_audio) {
      utterance.audio = finder.first_place(name);
      return std::nullopt;
    }
    auto found = finder.find(name);
    if (found) {
      utterance.audio = std::move(found.value().path);
      utterance.audio_bytes = found.value().bytes;
      utterance.audio_time_ns = found.value().time_ns;
      return std::nullopt;
    }
    return Fault{utterance.id, found.fault().code,
                 place_of(utterance) + ": " + found.fault().evidence};
  }

  void split() {
    if (options_.validation_list) return split_by_list_file(*options_.validation_list);
    if (!named_splits_) split_by_hash(corpus_.utterances, options_.validation_share);
  }

  void split_by_list_file(const std::filesystem::path& path) {
    const std::string bytes = read_file(path);
    const auto lines = detail::split_lines(detail::check_encoding(bytes, path.string()));
    std::unordered_set<std::string_view> known;
    for (const Utterance& utterance : corpus_.utterances)
      known.insert(utterance.id);
    std::unordered_set<std::string_view> ids;
    for (uint32_t i = 0; i < lines.size(); ++i) {
      const auto id = detail::trim(lines[i]);
      if (id.empty()) continue;
      if (known.contains(id)) {
        ids.insert(id);
      } else {
        faults_.add(UINT32_MAX, i + 1, unknown_id(id, {path.string(), i + 1}));
      }
    }
    seda::dataset::split_by_list(corpus_.utterances, ids);
  }

  static Fault unknown_id(std::string_view id, const detail::Place& place) {
    return {detail::excerpt(id), "validation_id_unknown",
            fmt::format("{}: expected the id of a usable clip, found '{}'", place.text(),
                        detail::excerpt(id))};
  }

  Corpus finish() {
    corpus_.folder = plan_.folder;
    corpus_.format = plan_.format;
    corpus_.evidence = plan_.evidence;
    corpus_.faults = std::move(faults_).sorted();
    corpus_.speakers = names_of(&Utterance::speaker);
    corpus_.languages = names_of(&Utterance::language);
    return std::move(corpus_);
  }

  std::vector<std::string> names_of(std::string Utterance::* field) const {
    std::set<std::string_view> names;
    for (const Utterance& utterance : corpus_.utterances)
      names.insert(utterance.*field);
    names.erase("");
    return {names.begin(), names.end()};
  }

  const detail::Plan plan_;
  const ReadOptions& options_;
  Corpus corpus_;
  std::vector<Record> records_;
  FaultList faults_;
  bool named_splits_ = false;
};

}  // namespace

Corpus read_corpus(const std::filesystem::path& folder, const ReadOptions& options) {
  return Reading(detail::make_plan(folder, options.format), options).run();
}

}  // namespace seda::dataset
