// SPDX-License-Identifier: Apache-2.0
#include "seda/dataset/detail/folders.h"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "seda/base/error.h"
#include "seda/base/file.h"
#include "seda/base/parallel.h"
#include "seda/dataset/detail/lines.h"
#include "seda/dataset/detail/listing.h"
#include "seda/dataset/detail/rows.h"

namespace seda::dataset::detail {
namespace {

namespace fs = std::filesystem;

constexpr int kLibriDepth = 4;
constexpr std::string_view kNormalised = ".normalized.txt";
constexpr std::string_view kOriginal = ".original.txt";

/// The one text of a file: lines joined by spaces.
Result<std::string> read_text(const fs::path& file, const std::string& source) {
  const Place place{source, 0};
  try {
    const std::string bytes = read_file(file, kLongestLine);
    std::string text;
    for (const std::string_view line : split_lines(check_encoding(bytes, source))) {
      if (auto fault = check_line(line, place)) return *fault;
      const auto words = trim(line);
      if (words.empty()) continue;
      if (!text.empty()) text += ' ';
      text += words;
    }
    return text;
  } catch (const Error& error) {
    return Fault{source, "text_unreadable", error.what()};
  }
}

/// A clip whose text is still to be read.
struct Clip {
  Record record;
  fs::path text;
};

Metadata read_texts(const fs::path& folder, std::vector<Clip>& clips, int threads) {
  std::vector<std::optional<Fault>> faults(clips.size());
  parallel_for(clips.size(), {threads, 64, "texts"}, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const std::string source = clips[i].text.lexically_relative(folder).string();
      auto text = read_text(clips[i].text, source);
      if (!text) {
        faults[i] = text.fault();
        continue;
      }
      clips[i].record.utterance.text = std::move(text).value();
      auto checked = check_record(std::move(clips[i].record), {source, 0});
      if (checked) {
        clips[i].record = std::move(checked).value();
      } else {
        faults[i] = checked.fault();
      }
    }
  });
  Metadata metadata;
  for (size_t i = 0; i < clips.size(); ++i) {
    if (auto& fault = faults[i]) {
      metadata.faults.push_back({static_cast<uint32_t>(i), std::move(*fault)});
    } else {
      clips[i].record.file = static_cast<uint32_t>(i);
      metadata.records.push_back(std::move(clips[i].record));
    }
  }
  return metadata;
}

std::string vctk_audio(const Listing& corpus, const std::string& speaker, const std::string& id) {
  for (const char* folder : {"wav48_silence_trimmed", "wav48", "wav", "wavs"}) {
    if (!corpus.has_folder(folder)) continue;
    const auto stem = fs::path(folder) / speaker / id;
    if (std::string_view(folder) != "wav48_silence_trimmed") return stem.string() + ".wav";
    for (const char* microphone : {"_mic1.flac", "_mic2.flac"}) {
      std::error_code ignored;
      if (fs::exists(corpus.folder / (stem.string() + microphone), ignored)) {
        return stem.string() + microphone;
      }
    }
    return stem.string() + "_mic1.flac";
  }
  return "wav48_silence_trimmed/" + speaker + "/" + id + "_mic1.flac";
}

bool below(const fs::path& path, std::string_view prefix) {
  return std::ranges::any_of(
      path, [&](const fs::path& part) { return part.string().starts_with(prefix); });
}

/// Path without `.normalized.txt` → the text to read: the normalised one where there are both.
std::map<std::string, fs::path> libritts_texts(const fs::path& folder) {
  std::map<std::string, fs::path> texts;
  for (const fs::path& file : find_below(folder, {std::string(kNormalised), std::string(kOriginal)},
                                         kLibriDepth, SIZE_MAX)) {
    const std::string name = file.lexically_relative(folder).string();
    const bool normalised = name.ends_with(kNormalised);
    const auto length = normalised ? kNormalised.size() : kOriginal.size();
    auto& text = texts[name.substr(0, name.size() - length)];
    if (text.empty() || normalised) text = file;
  }
  return texts;
}

}  // namespace

Walked walk_vctk(const fs::path& folder, int threads) {
  const Listing corpus = list_folder(folder);
  std::vector<Clip> clips;
  for (const std::string& speaker : list_folder(folder / "txt").folders) {
    for (const std::string& name : list_folder(folder / "txt" / speaker).files) {
      if (!name.ends_with(".txt")) continue;
      Clip clip{{}, folder / "txt" / speaker / name};
      clip.record.utterance.id = name.substr(0, name.size() - 4);
      clip.record.utterance.speaker = speaker;
      clip.record.path = vctk_audio(corpus, speaker, clip.record.utterance.id);
      clips.push_back(std::move(clip));
    }
  }
  return {read_texts(folder, clips, threads), false};
}

Walked walk_libritts(const fs::path& folder, int threads) {
  const auto texts = libritts_texts(folder);
  const auto is_test = [](const auto& text) { return below(text.first, "test-"); };
  const bool only_test = std::ranges::all_of(texts, is_test);
  Walked walked;
  bool train = false;
  std::vector<Clip> clips;
  for (const auto& text : texts) {
    if (!only_test && is_test(text)) continue;
    const fs::path stem = text.first;
    Clip clip{{}, text.second};
    clip.record.utterance.id = stem.filename().string();
    clip.record.utterance.speaker = stem.parent_path().parent_path().filename().string();
    clip.record.path = text.first + ".wav";
    if (below(stem, "dev-")) clip.record.utterance.split = Split::validation;
    (clip.record.utterance.split == Split::train ? train : walked.named_splits) = true;
    clips.push_back(std::move(clip));
  }
  walked.named_splits = walked.named_splits && train;
  walked.metadata = read_texts(folder, clips, threads);
  return walked;
}

}  // namespace seda::dataset::detail
