// SPDX-License-Identifier: Apache-2.0
#include "seda/config/config.h"

#include <fmt/format.h>

#include "seda/base/error.h"
#include "seda/config/checks.h"
#include "seda/config/parse.h"

namespace seda::config {
namespace {

size_t index_of(std::string_view path) {
  const Key* key = find_key(path);
  if (key == nullptr) throw_error(ErrorKind::internal, "no key {} in the schema", path);
  return static_cast<size_t>(key - keys().data());
}

[[noreturn]] void refuse_flag(const Flag& flag, const Refusal& refusal) {
  throw_error(ErrorKind::usage, "{}: {}{}{}", flag.name, refusal.evidence,
              refusal.cure.empty() ? "" : "; ", refusal.cure);
}

}  // namespace

std::string Source::text() const {
  switch (origin) {
    case Origin::file:
      return fmt::format("{}:{}", place.file, place.line);
    case Origin::flag:
      return flag;
    case Origin::default_value:
      break;
  }
  return "default";
}

Config::Config() {
  for (const Key& key : keys())
    entries_.push_back({.value = key.default_value, .source = {}});
}

Config Config::load(const std::filesystem::path& file) {
  Reading reading = read_config(file);
  reading.problems.raise();
  return std::move(reading.config);
}

void Config::set_flag(const Flag& flag, std::string_view argument) {
  const size_t index = index_of(flag.key);
  if (flag.sets && !argument.empty())
    throw_error(ErrorKind::usage, "{}: takes no value, found {}", flag.name, shown(argument));
  Parsed parsed = flag.sets ? Parsed(Value(*flag.sets)) : parse_argument(keys()[index], argument);
  if (const auto* refusal = std::get_if<Refusal>(&parsed)) refuse_flag(flag, *refusal);
  entries_[index] = {.value = std::get<Value>(std::move(parsed)),
                     .source = {.origin = Origin::flag, .place = {}, .flag = flag.name}};
}

void Config::set(std::string_view path, Value value, Source source) {
  const size_t index = index_of(path);
  if (const auto refused = check_value(keys()[index], value)) {
    throw_error(ErrorKind::config, "{}: {}", keys()[index].path, refused->evidence);
  }
  entries_[index] = {.value = std::move(value), .source = std::move(source)};
}

void Config::reset(std::string_view path) {
  const size_t index = index_of(path);
  entries_[index] = {.value = keys()[index].default_value, .source = {}};
}

void Config::check() const {
  ProblemList problems;
  check_together(*this, problems);
  problems.raise();
}

const Config::Entry& Config::entry(std::string_view path) const {
  return entries_[index_of(path)];
}

template <typename T>
const T& Config::get(std::string_view path) const {
  const Value& found = entry(path).value;
  if (const T* held = std::get_if<T>(&found)) return *held;
  throw_error(ErrorKind::internal, "{} holds {}, which is not of the type asked for", path,
              to_text(found));
}

bool Config::is_wanted(std::string_view path) const {
  return source(path).origin == Origin::flag || value(path) != find_key(path)->default_value;
}

bool Config::boolean_or(std::string_view path, bool where_auto) const {
  return is_auto(path) ? where_auto : boolean(path);
}

bool Config::is_auto(std::string_view path) const {
  return std::holds_alternative<std::monostate>(value(path));
}

bool Config::boolean(std::string_view path) const {
  return get<bool>(path);
}

int64_t Config::integer(std::string_view path) const {
  return get<int64_t>(path);
}

double Config::number(std::string_view path) const {
  return get<double>(path);
}

const std::string& Config::text(std::string_view path) const {
  return get<std::string>(path);
}

const std::vector<std::string>& Config::list(std::string_view path) const {
  return get<std::vector<std::string>>(path);
}

const Value& Config::value(std::string_view path) const {
  return entry(path).value;
}

const Source& Config::source(std::string_view path) const {
  return entry(path).source;
}

std::vector<std::string> Config::given() const {
  std::vector<std::string> paths;
  for (size_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].source.origin != Origin::default_value) paths.push_back(keys()[i].path);
  }
  return paths;
}

}  // namespace seda::config
