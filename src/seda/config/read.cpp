// SPDX-License-Identifier: Apache-2.0
#include <system_error>

#include "seda/config/checks.h"
#include "seda/config/config.h"
#include "seda/config/detail/bytes.h"
#include "seda/config/detail/reader.h"

namespace seda::config {

Reading parse_config(std::string_view text, const std::string& name, size_t most_problems) {
  Reading reading{.config = {}, .problems = ProblemList(most_problems)};
  const detail::Document document = detail::parse_document(text, name, reading.problems);
  detail::Reader(document, reading).read();
  check_together(reading.config, reading.problems);
  return reading;
}

Reading read_config(const std::filesystem::path& file, size_t most_problems) {
  return parse_config(detail::read_bytes(file), file.string(), most_problems);
}

std::string read_config_text(const std::filesystem::path& file) {
  return detail::read_bytes(file);
}

std::optional<std::filesystem::path> find_config_file(const std::filesystem::path& folder) {
  for (const char* name : {"seda.yaml", "configs/config.yaml"}) {
    // What is there but no file is found too, so that reading it says what is wrong.
    std::error_code ignored;
    const auto file = folder / name;
    if (std::filesystem::exists(std::filesystem::symlink_status(file, ignored)))
      return file.lexically_normal();
  }
  return {};
}

}  // namespace seda::config
