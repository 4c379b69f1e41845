// SPDX-License-Identifier: Apache-2.0
#include "seda/config/fix.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "seda/base/ascii.h"
#include "seda/base/error.h"
#include "seda/config/config.h"
#include "seda/config/detail/parsed_number.h"
#include "seda/config/parse.h"
#include "seda/config/suggest.h"

namespace seda::config {
namespace {

/// `data.` of data.batch_size.
std::string section_prefix(const std::string& path) {
  return path.substr(0, path.rfind('.') + 1);
}

std::optional<Fix> fix_name(const Problem& problem, const Editor& editor) {
  if (!editor.has(problem.key)) return {};  // written with dots, all of it a single name
  const bool section = editor.has_section(problem.key);
  auto name = meant_name(problem.key, section);
  if (!name) return {};
  const std::string target = section_prefix(problem.key) + *name;
  if (editor.has(target) || editor.has_section(target)) return {};
  return Fix{.kind = Fix::Kind::rename, .key = problem.key, .value = {}, .name = *std::move(name)};
}

/// Case and the kind of dash do not matter.
std::string folded(std::string_view word) {
  std::string out = lower_ascii(word);
  std::ranges::replace(out, '-', '_');
  return out;
}

std::optional<Value> read_truth(std::string_view text) {
  if (text == "1") return Value(true);
  if (text == "0") return Value(false);
  return {};
}

std::optional<Fix> fix_type(const Key& key, const std::string& text) {
  Parsed parsed = parse_argument(key, text);
  if (auto* value = std::get_if<Value>(&parsed)) return set_to(key.path, std::move(*value));
  if (key.type != Type::boolean) return {};
  auto truth = read_truth(text);
  return truth ? std::optional(set_to(key.path, *std::move(truth))) : std::nullopt;
}

std::optional<Fix> fix_choice(const Key& key, const std::string& text) {
  const auto same = [&](const std::string& choice) { return folded(choice) == folded(text); };
  const auto found = std::ranges::find_if(key.choices, same);
  if (key.type != Type::choice || found == key.choices.end()) return {};
  return set_to(key.path, *found);
}

/// What a user may have meant, however odd the number.
bool is_a_matter_of_taste(const Key& key) {
  return key.path == "data.batch_size" || key.path == "data.batch_frames" ||
         key.path.starts_with("model.");
}

std::optional<Fix> fix_range(const Key& key, const std::string& text) {
  const auto number = detail::read_number(text).value;
  if (!number || is_a_matter_of_taste(key)) return {};
  const bool low = key.minimum && *number <= *key.minimum;
  const auto& bound = low ? key.minimum : key.maximum;
  const bool excluded = low ? key.minimum_excluded : key.maximum_excluded;
  if (!bound || excluded) return {};
  if (key.type == Type::integer) return set_to(key.path, static_cast<int64_t>(*bound));
  if (key.type == Type::number) return set_to(key.path, *bound);
  return {};
}

/// The value under the key's own name, whatever its old names say.
std::optional<Fix> fix_conflict(const Key& key, const Editor& editor) {
  Editor alone = editor;
  for (const std::string& alias : key.aliases) {
    const bool there = alone.scalar(alias).has_value();
    if (there) alone.rename(alias, "an old name");
  }
  const Reading reading = parse_config(alone.text(), "");
  if (reading.config.source(key.path).origin != Origin::file) return {};
  return set_to(key.path, reading.config.value(key.path));
}

std::optional<Fix> fix_value(const Problem& problem, const Editor& editor) {
  const Key* key = find_key(problem.key);
  if (key == nullptr) return {};
  if (problem.code == "conflict") return fix_conflict(*key, editor);
  const auto text = editor.scalar(problem.key);
  if (!text) return {};
  if (problem.code == "wrong_type") return fix_type(*key, *text);
  if (problem.code == "not_a_choice") return fix_choice(*key, *text);
  if (problem.code == "out_of_range") return fix_range(*key, *text);
  return {};
}

/// The name under which the file says something else than `to`, of the key's own and its old ones;
/// its own where there is none.
std::string changed_name(const Editor& editor, const std::string& path, const std::string& to) {
  const Key* key = find_key(path);
  std::vector<std::string> names{path};
  if (key != nullptr) names.insert(names.end(), key->aliases.begin(), key->aliases.end());
  const auto found = std::ranges::find_if(names, [&](const std::string& name) {
    const auto text = editor.scalar(name);
    return text && *text != to;
  });
  return found == names.end() ? path : *found;
}

}  // namespace

Fix set_to(std::string key, Value value) {
  return {.kind = Fix::Kind::set, .key = std::move(key), .value = std::move(value), .name = ""};
}

std::optional<Fix> fix_of(const Problem& problem, const Editor& editor) {
  try {
    if (problem.code == "unknown_key") return fix_name(problem, editor);
    return fix_value(problem, editor);
  } catch (const Error&) {
    return {};  // the layout does not allow it
  }
}

Fixed apply(const Fix& fix, Editor& editor) {
  if (fix.kind == Fix::Kind::rename) {
    editor.rename(fix.key, fix.name);
    return {.key = fix.key, .from = fix.key, .to = section_prefix(fix.key) + fix.name};
  }
  const Key* key = find_key(fix.key);
  Fixed fixed;
  fixed.to = to_text(fix.value, key == nullptr ? "auto" : key->unset_word);
  fixed.key = changed_name(editor, fix.key, fixed.to);
  fixed.from = editor.scalar(fixed.key).value_or("default");
  editor.set(fix.key, fix.value);
  return fixed;
}

}  // namespace seda::config
