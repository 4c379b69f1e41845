// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <initializer_list>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "seda/base/json.h"
#include "seda/dataset/detail/lines.h"
#include "seda/dataset/detail/rows.h"

namespace seda::dataset::detail {
namespace {

using Names = std::initializer_list<const char*>;

constexpr Names kId = {"id", "utt_id", "utterance_id"};
constexpr Names kPath = {"audio_filepath", "audio_file", "audio_path", "audio",
                         "path",           "wav",        "wav_path",   "file",
                         "file_name",      "file_path",  "filename",   "wav_filename"};
constexpr Names kText = {"text", "sentence", "transcript", "transcription", "raw_text"};
constexpr Names kNormalised = {"normalized_text", "normalised_text", "text_normalized",
                               "normalized", "normalised"};
constexpr Names kSpeaker = {"speaker", "speaker_id", "speaker_name", "client_id"};
constexpr Names kLanguage = {"lang", "language", "locale"};
constexpr Names kDuration = {"duration", "duration_s"};

/// A value of a type that the field cannot have.
struct WrongType {
  std::string field;
  std::string expected;
  std::string found;
};

/// Takes fields out of one object; what is wrong with any is kept.
class Fields {
 public:
  explicit Fields(const Json& object) : object_(object) {}

  /// Text, or a whole number as text (speakers are often numbered); empty where there is none.
  std::string word(Names names) {
    const auto [name, value] = find(names);
    if (value == nullptr) return {};
    if (value->is_string()) return clean(value->get_ref<const std::string&>());
    if (value->is_number_integer()) return value->dump();
    wrong_ = WrongType{name, "text", value->type_name()};
    return {};
  }

  std::optional<double> number(Names names) {
    const auto [name, value] = find(names);
    if (value == nullptr) return std::nullopt;
    if (value->is_number() && value->get<double>() >= 0) return value->get<double>();
    wrong_ = WrongType{name, "a number of seconds", value->dump(-1, ' ', false, kReplace)};
    return std::nullopt;
  }

  const std::optional<WrongType>& wrong() const { return wrong_; }

 private:
  static constexpr auto kReplace = Json::error_handler_t::replace;

  std::pair<const char*, const Json*> find(Names names) const {
    for (const char* name : names) {
      const auto found = object_.find(name);
      if (found != object_.end() && !found->is_null()) return {name, &*found};
    }
    return {"", nullptr};
  }

  /// Line breaks, which JSON can write inside a text, become spaces.
  static std::string clean(std::string text) {
    std::ranges::replace(text, '\n', ' ');
    std::ranges::replace(text, '\r', ' ');
    return std::string(trim(text));
  }

  const Json& object_;
  std::optional<WrongType> wrong_;
};

Fault not_an_object(std::string_view line, const Place& place) {
  return {place.text(), "line_not_json",
          fmt::format("{}: expected one JSON object, found '{}'", place.text(), excerpt(line))};
}

Fault nested_too_deeply(int levels, const Place& place) {
  return {place.text(), "line_not_json",
          fmt::format("{}: expected at most {} levels of brackets, found {}", place.text(),
                      kMostJsonLevels, levels)};
}

bool names_one_of(std::string_view line, std::initializer_list<Names> fields) {
  return std::ranges::any_of(fields, [&](Names names) {
    return std::ranges::any_of(names, [&](const char* name) {
      return line.find(fmt::format("\"{}\"", name)) != std::string_view::npos;
    });
  });
}

/// A file that holds many utterances names where each begins; here a clip is a whole file.
bool is_piece(const Json& object) {
  const auto offset = object.find("offset");
  return offset != object.end() && offset->is_number() && offset->get<double>() > 0;
}

bool has_nul(const Record& record) {
  const auto holds = [](const std::string& text) { return text.find('\0') != std::string::npos; };
  const Utterance& said = record.utterance;
  return holds(said.id) || holds(record.path) || holds(said.text) || holds(said.speaker) ||
         holds(said.language);
}

}  // namespace

bool describes_a_clip(std::string_view line) {
  return trim(line).starts_with('{') && names_one_of(line, {kPath}) &&
         names_one_of(line, {kText, kNormalised});
}

Result<Record> parse_object(std::string_view line, const Place& place) {
  const int levels = json_nesting(line);
  if (levels > kMostJsonLevels) return nested_too_deeply(levels, place);
  const Json object = Json::parse(line, nullptr, false);
  if (!object.is_object()) return not_an_object(line, place);
  Fields fields(object);
  Record record;
  record.path = fields.word(kPath);
  record.utterance.id = fields.word(kId);
  record.utterance.text = fields.word(kNormalised);
  if (record.utterance.text.empty()) record.utterance.text = fields.word(kText);
  record.utterance.speaker = fields.word(kSpeaker);
  record.utterance.language = fields.word(kLanguage);
  record.utterance.duration_s = fields.number(kDuration);
  if (const auto& wrong = fields.wrong()) {
    return Fault{place.text(), "field_wrong_type",
                 fmt::format("{}: expected {} in '{}', found {}", place.text(), wrong->expected,
                             wrong->field, excerpt(wrong->found))};
  }
  if (has_nul(record)) {
    return Fault{place.text(), "text_has_nul",
                 fmt::format("{}: expected text, found \\u0000", place.text())};
  }
  if (record.path.empty()) {
    return Fault{
        place.text(), "field_missing",
        fmt::format("{}: expected 'audio_filepath' with a path, found none", place.text())};
  }
  if (is_piece(object)) {
    return Fault{place.text(), "audio_piece",
                 fmt::format("{}: expected a whole file, found a piece of {} (\"offset\"); cut it "
                             "into a file of its own",
                             place.text(), excerpt(record.path))};
  }
  return check_record(std::move(record), place);
}

}  // namespace seda::dataset::detail
