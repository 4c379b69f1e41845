// SPDX-License-Identifier: Apache-2.0
#include "seda/python/settings.h"

#include <algorithm>
#include <utility>

#include "seda/base/error.h"
#include "seda/config/schema.h"
#include "seda/config/suggest.h"

namespace seda::python {
namespace {

config::Parsed parse(const config::Key& key, const Given& value) {
  if (const auto* one = std::get_if<config::Scalar>(&value)) return parse_scalar(key, *one);
  if (const auto* several = std::get_if<std::vector<config::Scalar>>(&value)) {
    return parse_list(key, *several);
  }
  return parse_nothing(key);
}

[[noreturn]] void throw_unknown(std::string_view path, const std::string& name) {
  if (std::ranges::find(config::sections(), path) != config::sections().end()) {
    throw_error(ErrorKind::config, "{}: expected the keys of the section {}, found a value", name,
                path);
  }
  throw_error(ErrorKind::config, "{}: unknown key {}; {}", name, path, config::suggestion(path));
}

}  // namespace

void set_key(config::Config& config, std::string_view path, const Given& value,
             const std::string& name) {
  const config::Key* key = config::find_key(path);
  if (key == nullptr) throw_unknown(path, name);
  config::Parsed parsed = parse(*key, value);
  if (const auto* refusal = std::get_if<config::Refusal>(&parsed)) {
    throw_error(ErrorKind::config, "{}: {}{}{}", name, refusal->evidence,
                refusal->cure.empty() ? "" : "; ", refusal->cure);
  }
  config.set(key->path, std::get<config::Value>(std::move(parsed)),
             {.origin = config::Origin::flag, .place = {}, .flag = name});
}

void set_device(config::Config& config, std::string_view path, std::string_view device,
                const std::string& name) {
  set_key(config, path, config::Scalar(std::string(device == "cuda" ? "0" : device)), name);
}

}  // namespace seda::python
