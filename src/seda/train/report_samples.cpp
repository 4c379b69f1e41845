// SPDX-License-Identifier: Apache-2.0
#include "seda/train/report_samples.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "seda/base/file.h"
#include "seda/base/html.h"

namespace seda::train {
namespace {

namespace fs = std::filesystem;

/// "step-00001000-<id>-mel.png" in its parts.
struct SampleName {
  uint64_t step = 0;
  std::string id;
  fs::path KeptSample::* file = nullptr;
};

std::optional<SampleName> read_name(std::string_view name) {
  constexpr std::string_view kPrefix = "step-";
  if (!name.starts_with(kPrefix)) return {};
  name.remove_prefix(kPrefix.size());
  SampleName out;
  const auto number = std::from_chars(name.data(), name.data() + name.size(), out.step);
  name.remove_prefix(static_cast<size_t>(number.ptr - name.data()));
  if (number.ec != std::errc() || !name.starts_with('-')) return {};
  name.remove_prefix(1);
  for (const auto& [ending, file] : {std::pair<std::string_view, fs::path KeptSample::*>{
                                         "-alignment.png", &KeptSample::alignment},
                                     {"-mel.png", &KeptSample::mel},
                                     {".wav", &KeptSample::sound}}) {
    if (!name.ends_with(ending)) continue;
    out.id = name.substr(0, name.size() - ending.size());
    out.file = file;
    return out;
  }
  return {};
}

/// Puts files into a page while there is room.
class Embedder {
 public:
  Embedder(const fs::path& run_folder, size_t room) : run_folder_(run_folder), room_(room) {}

  /// Its address: all of it, or where it lies.
  std::string address(const fs::path& file, std::string_view type) {
    std::string linked = uri_path(file.lexically_relative(run_folder_).generic_string());
    std::error_code unknown;
    const auto size = fs::file_size(file, unknown);
    if (unknown || (size + 2) / 3 * 4 > room_) return linked;
    std::string whole = data_uri(type, read_file(file));
    room_ -= std::min(room_, whole.size());
    return whole;
  }

 private:
  const fs::path& run_folder_;
  size_t room_;
};

std::string show(const KeptSample& sample, Embedder& embedder) {
  const std::string id = escape_html(sample.id);
  std::string out = fmt::format("<div class=\"card sample\">\n<h3>{}</h3>\n", id);
  if (!sample.sound.empty()) {
    out += fmt::format("<audio controls=\"controls\" src=\"{}\"></audio>\n",
                       embedder.address(sample.sound, "audio/wav"));
  }
  const auto add_picture = [&](const fs::path& file, const char* what) {
    if (file.empty()) return;
    out += fmt::format("<img alt=\"{} of {}\" src=\"{}\"/>\n", what, id,
                       embedder.address(file, "image/png"));
  };
  add_picture(sample.mel, "mel");
  add_picture(sample.alignment, "alignment");
  return out + "</div>\n";
}

}  // namespace

KeptSamples last_samples(const fs::path& run_folder) {
  std::map<uint64_t, std::map<std::string, KeptSample>> steps;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(run_folder / "samples", none)) {
    const auto name = read_name(entry.path().filename().string());
    if (!name) continue;
    KeptSample& sample = steps[name->step][name->id];
    sample.id = name->id;
    sample.*(name->file) = entry.path();
  }
  if (steps.empty()) return {};
  KeptSamples out{.step = steps.rbegin()->first, .samples = {}};
  for (auto& [id, sample] : steps.rbegin()->second)
    out.samples.push_back(std::move(sample));
  return out;
}

std::string show_samples(const KeptSamples& kept, const fs::path& run_folder, size_t most_bytes) {
  if (kept.samples.empty()) return {};
  Embedder embedder(run_folder, most_bytes);
  std::string out =
      fmt::format("<h2>What validation clips sound like after step {}</h2>\n", kept.step);
  for (const KeptSample& sample : kept.samples)
    out += show(sample, embedder);
  return out;
}

}  // namespace seda::train
